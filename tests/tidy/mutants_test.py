"""Tests the mutants that ./gossamer mutate makes."""

import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools/mutate"))
import mutants  # noqa: E402


def changes(source):
    return [one.change for one in mutants.mutate("a.cc", source, 1, set())[1]]


class MutantsTest(unittest.TestCase):
    def test_a_condition_is_negated_and_its_operators_and_numbers_change(self):
        self.assertEqual(changes("  if (a < b && c == 7) {\n"), [
            "a < b && c == 7 -> !(a < b && c == 7)",
            "a < b && c == 7 -> a <= b && c == 7",
            "a < b && c == 7 -> a < b || c == 7",
            "a < b && c == 7 -> a < b && c != 7",
            "a < b && c == 7 -> a < b && c == 8",
        ])

    def test_the_switch_chooses_and_lines_stay(self):
        source = "int f() {\n  if (a <\n      b) g();\n}\n"
        text, made = mutants.mutate("a.cc", source, 5, set())
        self.assertIn("::gossamer_mutants::is(5) ? bool(!(a < b)) : ", text)
        self.assertIn("bool(a <\n      b)", text)
        self.assertEqual(text.count("\n"), source.count("\n"))
        self.assertEqual([one.number for one in made], [5, 6])

    def test_declarations_in_conditions_stay(self):
        self.assertEqual(changes("  if (auto x = f(); x > y) {\n"),
                         ["x > y -> !(x > y)", "x > y -> x >= y"])
        self.assertEqual(changes("  if (const auto* x = f()) {\n"), [])

    def test_statements_are_dropped_but_not_declarations(self):
        source = "{\n  a.push_back(b);\n  count += 2;\n  const int c = 1;\n  Foo foo(1);\n}\n"
        self.assertEqual(changes(source), ["a.push_back(b); -> ;", "count += 2; -> ;"])

    def test_returned_truth_changes(self):
        self.assertEqual(changes("  return true;\n"), ["return true -> return false"])
        self.assertEqual(changes("  return a != b;\n"), ["return a != b -> a == b"])

    def test_comments_strings_and_templates_are_not_code(self):
        source = '// if (a < b)\nstd::vector<int> x = f("if (a < b)");\n#if (A < B)\n'
        self.assertEqual(changes(source), [])

    def test_what_the_compiler_may_run_is_marked(self):
        source = ("constexpr int kMost = 5;\nconstexpr auto kTable = [] {\n  return a < b;\n}();\n"
                  "constexpr bool f(int a) {\n  return a < 1;\n}\nbool g() {\n  return a < b;\n}\n")
        _, made = mutants.mutate("a.cc", source, 1, set())
        self.assertEqual([(one.line, one.is_constexpr) for one in made],
                         [(3, True), (6, True), (6, True), (9, False)])

    def test_endless_loops_stay(self):
        self.assertEqual(changes("  while (true) {\n"), [])

    def test_what_does_not_compile_is_left_out(self):
        skipped = {("a.cc", 1, "a -> !(a)")}
        self.assertEqual(mutants.mutate("a.cc", "if (a) {\n", 1, skipped), ("if (a) {\n", []))


if __name__ == "__main__":
    unittest.main()
