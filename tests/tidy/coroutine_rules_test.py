import coroutine_rules as rules
from case import RuleTest

HEADER = "src/ground/async/sample.h"
SOURCE = "src/ground/async/sample.cc"


class CapturingCoroutinesTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.capturing_coroutines)

    def test_a_capturing_lambda_that_waits_is_caught(self):
        for code in (
            "auto f = [&] { co_await g(); };",
            "spawn([this, a](int b) -> Task<void> { co_return; }(1));",
            "run([=]() mutable noexcept { if (a) { co_yield 1; } });",
            "return [x = std::move(y)]<class T>(T t) { co_return t; };",
        ):
            self.assert_catches(
                rules.capturing_coroutines, {SOURCE: f"void h() {{ {code} }}\n"}, "captures ["
            )

    def test_a_capturing_lambda_that_returns_a_task_is_caught(self):
        code = "auto f = [&](int a) -> async::Task<Result<int>> { return g(a); };"
        self.assert_catches(rules.capturing_coroutines, {SOURCE: code}, "captures [&]")

    def test_a_capturing_lambda_in_a_test_is_caught(self):
        code = "TEST(A, B) { loop.run([&]() -> Task<void> { co_await g(); }()); }\n"
        self.assert_catches(rules.capturing_coroutines, {"src/ground/async/a_test.cc": code}, "[&]")

    def test_lambdas_without_captures_and_plain_lambdas_pass(self):
        for code in (
            "auto f = [](int a) -> Task<int> { co_return a; };",
            "std::sort(b, e, [&](int a, int c) { return a < c; });",
            "auto f = [&] { return [](int a) -> Task<int> { co_return a; }(x); };",
            "[[maybe_unused]] int a = t[i]; co_return t[0];",
            "int a[3]; f(a[i + 1], b()[2]); co_await g();",
        ):
            self.assert_accepts(rules.capturing_coroutines, {SOURCE: f"X h() {{ {code} }}\n"})


class BorrowedParametersTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.borrowed_parameters)

    def test_references_and_views_are_caught(self):
        for declaration in (
            "Task<Result<int>> f(const Url& url);",
            "async::Task<void> f(int a, std::string_view text);",
            "Task<void> f(std::span<const std::byte> bytes) { co_return; }",
            "AsyncGenerator<int> f(Queue<int>& queue);",
            "auto f(Bytes bytes) -> Task<void>;",
            "constexpr auto f = [](Url&& url) -> Task<void> { co_return; };",
        ):
            self.assert_catches(
                rules.borrowed_parameters, {HEADER: declaration + "\n"}, "borrows a parameter"
            )

    def test_values_and_other_functions_pass(self):
        for declaration in (
            "Task<void> f(Url url, std::vector<int> numbers);",
            "Task& operator=(Task&& other);",
            "void consume(Task<int>&& task);",
            "const Task<int>& current(Loop& loop);",
        ):
            self.assert_accepts(rules.borrowed_parameters, {HEADER: declaration + "\n"})

    def test_a_mark_on_the_declaration_or_above_it_is_enough(self):
        for text in (
            "Task<void> f(Url& url);  // BORROWS: url\n",
            "// Waits.\n// BORROWS: url.\ntemplate <class T>\nTask<T> f(Url& url);\n",
        ):
            self.assert_accepts(rules.borrowed_parameters, {HEADER: text})

    def test_a_mark_further_up_is_not_enough(self):
        text = "// BORROWS: url\nTask<void> f(Url& url);\nTask<void> g(Url& url);\n"
        self.assert_catches(rules.borrowed_parameters, {HEADER: text}, ":3: g borrows")

    def test_a_definition_follows_its_declaration(self):
        texts = {
            HEADER: "Task<void> f(Url& url);  // BORROWS: url\n",
            SOURCE: "Task<void> f(Url& url) { co_return; }\nTask<void> A::g(Url& u) {}\n",
        }
        self.assert_accepts(rules.borrowed_parameters, texts)

    def test_a_function_of_the_source_alone_needs_its_own_mark(self):
        texts = {SOURCE: "Task<void> f(Url& url) { co_return; }\n"}
        self.assert_catches(rules.borrowed_parameters, texts, "f borrows")
