"""The base class of the tidy tests."""

import os
import unittest

import tree as tree_module
from tree import Tree

SKIPPED_EXIT_CODE = 77


class RuleTest(unittest.TestCase):
    """Checks a rule on the tree, and on samples that it must accept or reject."""

    maxDiff = None

    def assert_tree_obeys(self, rule, *arguments):
        problems = rule(tree_module.whole_tree(), *arguments)
        if problems:
            self.fail(f"{rule.__doc__}\n" + "\n".join(problems))

    def assert_catches(self, rule, texts, *expected, arguments=()):
        """The rule finds one problem per expected fragment in a tree of these texts."""
        problems = rule(Tree(texts), *arguments)
        self.assertEqual(len(problems), len(expected), problems)
        for problem, fragment in zip(problems, expected):
            self.assertIn(fragment, problem)

    def assert_accepts(self, rule, texts, arguments=()):
        self.assertEqual(rule(Tree(texts), *arguments), [])


def build_folder():
    return os.environ.get("GOSSAMER_BUILD_DIR", str(tree_module.ROOT / "build" / "tidy"))
