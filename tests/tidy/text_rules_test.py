import text_rules as rules
from case import RuleTest

SAMPLE = "src/ground/base/sample.cc"


def function_of(lines):
    return "void f() {\n" + "  g();\n" * (lines - 2) + "}\n"


class LineLengthTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.line_length)

    def test_a_line_of_101_columns_is_caught(self):
        self.assert_catches(rules.line_length, {SAMPLE: "x" * 101 + "\n"}, ":1: the line has 101")

    def test_a_line_of_100_columns_passes(self):
        self.assert_accepts(rules.line_length, {SAMPLE: "x" * 100 + "\n"})


class AsciiTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.ascii_only)

    def test_another_character_is_caught(self):
        self.assert_catches(rules.ascii_only, {SAMPLE: "// na\u00efve\n"}, ":1: not ASCII")


class FlagsTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.flags)

    def test_a_flag_below_the_command_line_is_caught(self):
        self.assert_catches(rules.flags, {SAMPLE: 'f("--max-size");\n'}, "write `max-size`")
        self.assert_catches(rules.flags, {SAMPLE: "// as --quiet\n"}, "write `quiet`")

    def test_commands_and_code_pass(self):
        text = 'fail("run `gossamer crawl --quiet`"); --count; puts("a -- b");\n'
        self.assert_accepts(rules.flags, {SAMPLE: text})
        self.assert_accepts(rules.flags, {"src/faces/cli/a.cc": '"--quiet"\n'})


class LayoutTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.layout)

    def test_tabs_and_trailing_spaces_are_caught(self):
        self.assert_catches(rules.layout, {SAMPLE: "a \n\tb\n"}, ":1: spaces", ":2: a tab")

    def test_a_missing_or_doubled_last_newline_is_caught(self):
        for text in ("a", "a\n\n"):
            self.assert_catches(rules.layout, {SAMPLE: text}, "exactly one newline")


class LeftoversTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.leftovers)

    def test_each_kind_is_caught(self):
        for word in ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"):
            self.assert_catches(rules.leftovers, {SAMPLE: f"// {word}: later\n"}, word)


class SizesTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.sizes)

    def test_a_long_function_is_caught(self):
        self.assert_catches(rules.sizes, {SAMPLE: function_of(71)}, f"{SAMPLE} f: 71 lines")

    def test_a_function_of_70_lines_passes(self):
        self.assert_accepts(rules.sizes, {SAMPLE: function_of(70)})

    def test_a_long_file_is_caught(self):
        self.assert_catches(rules.sizes, {SAMPLE: "int a;\n" * 501}, f"file {SAMPLE}: 501")

    def test_an_exception_lets_its_number_pass(self):
        exceptions = f"function {SAMPLE} f 80\n"
        self.assert_accepts(
            rules.sizes, {SAMPLE: function_of(80), rules.EXCEPTIONS: exceptions}
        )

    def test_an_exception_does_not_let_more_pass(self):
        exceptions = f"function {SAMPLE} f 80\n"
        self.assert_catches(
            rules.sizes,
            {SAMPLE: function_of(81), rules.EXCEPTIONS: exceptions},
            "81 lines, the most is 80",
        )

    def test_an_exception_must_shrink_with_its_function(self):
        exceptions = f"function {SAMPLE} f 80\n"
        self.assert_catches(
            rules.sizes,
            {SAMPLE: function_of(79), rules.EXCEPTIONS: exceptions},
            "lower the number",
        )

    def test_an_exception_that_is_not_needed_is_caught(self):
        exceptions = f"function {SAMPLE} f 80\nfile src/gone.cc 600\n"
        self.assert_catches(
            rules.sizes,
            {SAMPLE: function_of(70), rules.EXCEPTIONS: exceptions},
            "drop the line",
            "drop the line",
        )

    def test_an_exception_that_cannot_be_read_is_caught(self):
        self.assert_catches(
            rules.sizes, {SAMPLE: "", rules.EXCEPTIONS: "anything goes\n"}, "cannot read"
        )


class BannedNamesTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.banned_names)

    def test_types_that_say_nothing_are_caught(self):
        for declaration in (
            "class PageManager {};",
            "struct UrlHelper;",
            "enum class PageInfo {};",
            "class [[nodiscard]] EventHandler {};",
        ):
            self.assert_catches(rules.banned_names, {SAMPLE: declaration}, "noun of the domain")

    def test_library_calls_that_we_replace_are_caught(self):
        for code, instead in (
            ("std::function<void()> f;", "move_only_function"),
            ("std::regex r;", "scanner"),
            ("worker.detach();", "Scope"),
            ("out << std::endl;", "\\n"),
            ("int a = rand();", "base/random.h"),
            ("assert(a);", "CHECK"),
            ("std::this_thread::sleep_for(1s);", "clock"),
            ('fmt::print("{}", a);', "print_out"),
            ("std::fputs(a, stdout);", "print_out"),
        ):
            self.assert_catches(rules.banned_names, {SAMPLE: code}, instead)

    def test_comments_and_lookalikes_pass(self):
        text = "// std::function<void()> is too slow\nstatic_assert(true);\nf(\"NULL\");\n"
        self.assert_accepts(rules.banned_names, {SAMPLE: text + "struct Information {};\n"})


class FixedPatienceTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.fixed_patience)

    def test_deadlines_that_are_numbers_are_caught(self):
        for code in ("run({.deadline = loop.now() + 20s});", "with_timeout(500ms, f());"):
            texts = {"tests/end_to_end/a_test.cc": code}
            self.assert_catches(rules.fixed_patience, texts, "wait for an event")

    def test_patience_and_simulated_time_pass(self):
        code = "with_timeout(support::kPatience, f());"
        self.assert_accepts(rules.fixed_patience, {"tests/end_to_end/a_test.cc": code})
        self.assert_accepts(rules.fixed_patience, {"tests/sim/a_test.cc": "with_timeout(1s, f());"})


class BannedPathsTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.banned_paths)

    def test_names_that_say_nothing_are_caught(self):
        for path in ("src/util/a.h", "src/base/string_utils.cc", "src/base/helpers_test.cc"):
            self.assert_catches(rules.banned_paths, {path: ""}, "says nothing")

    def test_domain_names_pass(self):
        self.assert_accepts(rules.banned_paths, {"src/ground/base/information.h": ""})


class FileNamesTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.file_names)

    def test_a_name_that_is_not_snake_case_is_caught(self):
        self.assert_catches(rules.file_names, {"src/ground/base/FooBar.cc": ""}, "snake_case")

    def test_a_header_without_pragma_once_is_caught(self):
        text = "// A comment first is fine.\n#include <vector>\n#pragma once\n"
        self.assert_catches(rules.file_names, {"src/ground/base/a.h": text}, "#pragma once")
