import docs_rules as rules
from case import RuleTest


class TitlesTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.titles)

    def test_no_title_and_two_titles_are_caught(self):
        self.assert_catches(rules.titles, {"docs/a.md": "## Part\n"}, "has 0 titles")
        self.assert_catches(rules.titles, {"docs/a.md": "# One\n\n# Two\n"}, "has 2 titles")

    def test_a_comment_in_a_code_block_is_no_title(self):
        self.assert_accepts(rules.titles, {"docs/a.md": "# One\n\n```sh\n# comment\n```\n"})


class LinksTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.links)

    def test_a_link_to_nothing_is_caught(self):
        self.assert_catches(
            rules.links, {"README.md": "[a](docs/a.md) ![b](b.png)\n"}, "no docs/a.md", "no b.png"
        )

    def test_a_link_to_a_missing_heading_is_caught(self):
        texts = {"README.md": "[a](docs/a.md#part-two)\n", "docs/a.md": "# A\n\n## Part one\n"}
        self.assert_catches(rules.links, texts, "no heading #part-two")

    def test_good_links_pass(self):
        texts = {
            "README.md": "# R\n[a](docs/a.md#the-way-of-a-page) [b](#r) [c](docs) `[x](y)`\n",
            "docs/a.md": "# A\n\n## The way of a `page`!\n[up](../README.md) "
            "[out](https://example.com/)\n",
        }
        self.assert_accepts(rules.links, texts)


class NamedFilesTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.named_files)

    def test_a_file_that_does_not_exist_is_caught(self):
        texts = {"docs/decisions/1.md": "# A\n`base/a.h` and\n`base/b.h`\n", "src/base/a.h": ""}
        self.assert_catches(rules.named_files, texts, "1.md:3: there is no base/b.h")

    def test_the_end_of_a_path_is_enough(self):
        texts = {"docs/decisions/1.md": "# A\n`base/a.h`\n", "src/ground/base/a.h": ""}
        self.assert_accepts(rules.named_files, texts)


class RecordFieldsTest(RuleTest):
    TABLE = 'field<&Record::url>("url", "a URL", at(3)),\nfact<&F::b>(\n    "timings.b", "b", 4),\n'

    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.record_fields)

    def test_a_field_without_a_description_is_caught(self):
        texts = {rules.FIELDS: self.TABLE, "docs/crawl.md": "| `url` | a URL |\n"}
        self.assert_catches(rules.record_fields, texts, "does not describe `timings`")

    def test_described_fields_pass(self):
        docs = "| `url` | a URL |\n| `timings` | `b` |\n"
        self.assert_accepts(
            rules.record_fields, {rules.FIELDS: self.TABLE, "docs/crawl.md": docs}
        )
