"""Tests the mutants that ./gossamer mutate makes."""

import importlib.util
import pathlib
import sys
import tempfile
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools/mutate"))
import mutants  # noqa: E402


def load_program():
    # Not `import run`: the tests of the style have a module of that name.
    spec = importlib.util.spec_from_file_location("mutate_run", tree.ROOT / "tools/mutate/run.py")
    program = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = program
    spec.loader.exec_module(program)
    return program


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

    def test_what_does_not_compile_is_tried_again_when_its_file_changes(self):
        program = load_program()
        with tempfile.TemporaryDirectory() as folder:
            program.ROOT = pathlib.Path(folder)
            program.SKIPPED_FILE = program.ROOT / "skipped.json"
            self.assertEqual(program.read_skipped(), set())
            for name in ("a.cc", "b.cc", "c.cc"):
                (program.ROOT / name).write_text("if (a) {\n")
            every = {(name, 1, "a -> !(a)") for name in ("a.cc", "b.cc", "c.cc")}
            program.write_skipped(every)
            self.assertEqual(program.read_skipped(), every)
            (program.ROOT / "b.cc").write_text("if (b) {\n")
            (program.ROOT / "c.cc").unlink()
            self.assertEqual(program.read_skipped(), {("a.cc", 1, "a -> !(a)")})

    def test_a_test_that_does_not_end_fails(self):
        program = load_program()
        with tempfile.TemporaryDirectory() as folder:
            program.WORK = pathlib.Path(folder)
            script = program.WORK / "test"
            for body, passes in (("exit 0", True), ("exit 77", True), ("exit 1", False),
                                 ("exec sleep 60", False), ("while :; do :; done", False)):
                script.write_text(f"#!/bin/sh\n{body}\n")
                script.chmod(0o755)
                seconds = 60 if passes else 1
                passed, _ = program.run_program(script, 0, seconds, 2 * seconds)
                self.assertEqual(passed, passes, body)

    def test_the_names_of_tests_are_read(self):
        listing = ("A.\n  First\n  Second\n  DISABLED_Third\nWith/B.  # TypeParam = int\n"
                   "  Each/0  # GetParam() = 1\n")
        self.assertEqual(load_program().names_of_tests(listing),
                         ["A.First", "A.Second", "With/B.Each/0"])

    def test_a_seed_draws_the_same_sample_and_another_seed_another_one(self):
        program = load_program()
        every = [mutants.Mutant("f", line, "c", line) for line in range(1, 1001)]
        drawn = program.sample_of(every, 100, 1)
        self.assertEqual(len(drawn), 100)
        self.assertEqual(drawn, sorted(drawn, key=lambda one: one.number))
        self.assertEqual(drawn, program.sample_of(every, 100, 1))
        other = program.sample_of(every, 100, 2)
        self.assertLess(len([one for one in other if one in drawn]), 50)
        # The sample hardly changes when the source does.
        fewer = program.sample_of(every[100:], 100, 1)
        kept = [one for one in drawn if one.line > 100]
        self.assertEqual([one for one in kept if one not in fewer], [])

    def test_only_a_sample_is_compiled_and_it_is_the_sample_of_all(self):
        program = load_program()
        written = []
        program.write_tree = written.append
        program.build = lambda targets: None
        program.programs_of = lambda layer: []
        with tempfile.TemporaryDirectory() as folder:
            program.ROOT = pathlib.Path(folder)
            program.SKIPPED_FILE = program.ROOT / "skipped.json"
            source = "".join(f"  if (a < b{i}) {{\n" for i in range(500))
            (program.ROOT / "a.cc").write_text(source)
            every = program.compile_mutants("l", ["a.cc"], 0, 1)
            compiled = program.compile_mutants("l", ["a.cc"], 10, 1)
        self.assertEqual(len(every), 1000)
        self.assertLess(len(compiled), 20)
        self.assertEqual(written[-1]["a.cc"].count(mutants.SWITCH), len(compiled))
        keys = [program.key_of(one) for one in program.sample_of(every, 10, 1)]
        self.assertEqual([program.key_of(one) for one in program.sample_of(compiled, 10, 1)], keys)

    def test_a_mutant_is_run_by_the_tests_that_reach_it(self):
        program = load_program()
        runs = []

        def run(path, number, seconds, wait, tests):
            runs.append([test.name for test in tests])
            return "Kills" not in runs[-1], 0

        program.run_program = run
        tests = [program.Test("p", f"T{i}", 1, frozenset({7} | set(range(100, 100 + i))))
                 for i in range(program.TESTS_FIRST + 1)]
        tests.append(program.Test("p", "Other", 1, frozenset({8})))
        self.assertFalse(program.is_noticed(mutants.Mutant("f", 1, "c", 7), tests))
        self.assertEqual(runs, [[f"T{i}" for i in range(program.TESTS_FIRST)],
                                [f"T{program.TESTS_FIRST}"]])
        runs.clear()
        tests.append(program.Test("p", "Kills", 1, frozenset({7})))
        self.assertTrue(program.is_noticed(mutants.Mutant("f", 1, "c", 7), tests))
        self.assertEqual(len(runs), 1)
        runs.clear()
        self.assertFalse(program.is_noticed(mutants.Mutant("f", 1, "c", 9), tests))
        self.assertEqual(runs, [])


if __name__ == "__main__":
    unittest.main()
