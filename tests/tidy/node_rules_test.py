import json

import node_rules as rules
from case import RuleTest


def tree_with(engines=None, version="1.2.3", locked="1.2.3"):
    """The files of a test that needs one package."""
    package = {"dependencies": {"a": version}}
    installed = {"version": locked} | ({"engines": {"node": engines}} if engines else {})
    packages = {"": {"dependencies": {"a": locked}}, "node_modules/b/node_modules/a": installed}
    return {
        "tests/x/package.json": json.dumps(package),
        "tests/x/package-lock.json": json.dumps({"packages": packages}),
    }


class PinnedPackagesTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.pinned_packages)

    def test_a_range_is_caught(self):
        texts = tree_with(version="^1.2.3", locked="^1.2.3")
        self.assert_catches(rules.pinned_packages, texts, "a ^1.2.3: name one version")

    def test_a_missing_lock_and_an_older_one_are_caught(self):
        texts = tree_with(version="1.2.4")
        self.assert_catches(rules.pinned_packages, texts, "is missing or older")
        del texts["tests/x/package-lock.json"]
        self.assert_catches(rules.pinned_packages, texts, "is missing or older")


class NodeVersionTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.node_version)

    def test_packages_that_need_a_later_node_are_caught(self):
        for engines in (">=20.19.0", "^16 || >= 20", "20.x", ">18", ">18.20.4", "<18", "~18.19",
                        ">=14 <18", "<=18.20.3", "^20.0.0", "nonsense"):
            expected = f"tests/x/package.json: a 1.2.3 requires Node {engines}; Debian 12 has 18."
            self.assert_catches(rules.node_version, tree_with(engines), expected)

    def test_packages_for_this_node_and_for_any_pass(self):
        for engines in (None, "*", ">=18", ">= 10.*", "6.* || 8.* || >= 10.*", "^18.17.0 || >=20",
                        "^12.20.0 || ^14.13.1 || >=16.0.0", ">0.8", "18.x", "<=18", "~18.20",
                        ">=14 <20", "<20"):
            self.assert_accepts(rules.node_version, tree_with(engines))
