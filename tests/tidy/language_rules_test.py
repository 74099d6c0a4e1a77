import language_rules as rules
from case import RuleTest

SAMPLE = "src/ground/base/sample.cc"


class PhrasesTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.phrases)

    def test_phrases_in_comments_and_literals_are_caught(self):
        for words, instead in (
            ("// It was asked for.", "fetch"),
            ("// The crawl goes on.", "continue"),
            ("// REQUIRES: validate(options) was content.", "succeeded"),
            ("Lease lease;  // of nothing", "empty"),
            ("// So that there is none to be foretold wrongly.", "predicted"),
            ('fail(Errc::denied, "robots.txt could not be had");', "fetched"),
            ('fail(Errc::malformed, "the line stands in no block");', "is in"),
            ("// Whoever calls it waits.", "the caller"),
            ("// Told the two   Apart", "`Told the two Apart`: write distinguish"),
        ):
            self.assert_catches(rules.phrases, {SAMPLE: words + "\n"}, instead)

    def test_a_phrase_over_two_lines_is_caught(self):
        text = "// URLs that nobody asked\n// for.\n"
        self.assert_catches(rules.phrases, {SAMPLE: text}, ":1: `asked for`")

    def test_a_phrase_in_a_page_is_caught(self):
        self.assert_catches(rules.phrases, {"SECURITY.md": "It may not be used.\n"}, "must not")

    def test_code_and_names_in_back_quotes_pass(self):
        text = "bool at_once = manners(strangers);  // See `strangers`.\n"
        self.assert_accepts(rules.phrases, {SAMPLE: text})

    def test_there_is_no_and_comparisons_pass(self):
        for text in (
            "// There is no page. It is no longer there. Streaming is no slower.\n",
            "// It is no\n// longer there, as it is no\n// slower.\n",
        ):
            self.assert_accepts(rules.phrases, {SAMPLE: text})


class MentionedNamesTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.mentioned_names)

    def test_names_that_do_not_exist_are_caught(self):
        for comment in ("// Call finsh() at the end.", "// See `Machine::finsh`."):
            text = comment + "\nvoid finish();\n"
            self.assert_catches(rules.mentioned_names, {SAMPLE: text}, "finsh")

    def test_names_of_code_and_of_the_standard_library_pass(self):
        text = "// finish() calls std::erase_if() once per `item`.\nvoid finish(int item);\n"
        self.assert_accepts(rules.mentioned_names, {SAMPLE: text})

    def test_examples_pass(self):
        text = "// Use it like this:\n//\n//   talk_to_server();\n"
        self.assert_accepts(rules.mentioned_names, {SAMPLE: text})
