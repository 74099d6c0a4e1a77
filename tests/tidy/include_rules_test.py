import include_rules as rules
from case import RuleTest

LIST = {
    rules.STANDARD_NAMES: "# Why.\nstring: string to_string\n"
    "vector: vector\nset: erase_if\nmap: erase_if\n"
}


class StandardNamesTest(RuleTest):
    def catches(self, texts, *expected):
        self.assert_catches(rules.standard_names_are_included, LIST | texts, *expected)

    def test_the_tree(self):
        self.assert_tree_obeys(rules.standard_names_are_included)

    def test_a_name_without_its_header_is_caught(self):
        self.catches(
            {"src/page/url/a.cc": "#include <vector>\nstd::vector<int> v;\nstd::string s, t;\n"},
            "src/page/url/a.cc:3: std::string without <string>",
        )

    def test_a_header_of_ours_may_bring_it(self):
        self.catches(
            {
                "src/page/url/a.h": "#include <string>\nstd::string f();\n",
                "src/page/url/b.h": '#include "url/a.h"\n',
                "src/page/url/a.cc": '#include "url/b.h"\nstd::string s;\n',
                "tests/x/a.h": "#include <vector>\n",
                "tests/x/a_test.cc": '#include "a.h"\nstd::vector<int> v;\n',
                "tests/y/a_test.cc": '#include "../x/a.h"\nstd::vector<int> v;\n',
                "tests/z/a_test.cc": "#include <tests/x/a.h>\nstd::vector<int> v;\n",
            }
        )

    def test_one_of_several_headers_is_enough(self):
        self.catches({"src/page/url/a.cc": "#include <map>\nvoid f() { std::erase_if(m, g); }\n"})
        self.catches({"src/page/url/a.cc": "void f() { std::erase_if(m, g); }\n"}, "<map> or <set>")

    def test_comments_texts_and_unknown_names_count_for_nothing(self):
        text = '// std::string\nauto s = "std::vector";\nstd::size_t n;\n'
        self.catches({"src/page/url/a.cc": text})


class OwnNamesTest(RuleTest):
    HEADER = {
        "src/page/url/a.h": "class [[nodiscard]] Apple {\n  int number_of();\n};\n"
        "enum class Kind { one };\ninline constexpr int kSeeds = 1;\n"
        "Result<void> peel_it(Apple a);\nint number_of(Apple a);\n"
    }

    def catches(self, texts, *expected):
        self.assert_catches(rules.own_names_are_included, self.HEADER | texts, *expected)

    def test_the_tree(self):
        self.assert_tree_obeys(rules.own_names_are_included)

    def test_names_without_their_header_are_caught(self):
        self.catches(
            {"src/page/url/b.cc": "base::Apple a;\nint n = kSeeds;\nvoid f() { peel_it(a); }\n"},
            "src/page/url/b.cc:1: Apple without src/page/url/a.h",
            "src/page/url/b.cc:2: kSeeds without",
            "src/page/url/b.cc:3: peel_it without",
        )

    def test_a_header_between_is_enough(self):
        self.catches(
            {
                "src/page/url/b.h": '#include "url/a.h"\n',
                "src/page/url/b.cc": '#include "url/b.h"\nApple a;\n',
            }
        )

    def test_a_name_that_somebody_else_declares_too_is_let_pass(self):
        self.catches(
            {
                "src/page/url/b.h": "class Apple;\nstruct B {\n  enum class Kind { x };\n};\n",
                "src/page/url/b.cc": "Apple& a;\nKind k;\nint n = number_of(a);\n",
                "src/page/url/c.cc": "template <class Apple>\nvoid f(Apple a);\n",
            }
        )

    def test_members_friends_and_tests_are_no_uses(self):
        self.catches(
            {
                "src/page/url/b.h": "class B {\n  friend class Apple;\n};\n",
                "src/page/url/b_test.cc": "TEST(Apple, Falls) { x.peel_it(1); y->peel_it(2); }\n",
            }
        )
