import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

import case
import compile_rules as rules
import tree as tree_module
from case import RuleTest
from tree import Tree


def compiler(root=tree_module.ROOT, include_folders=()):
    command = os.environ.get("GOSSAMER_COMPILE", "clang++-19 -std=c++23 -Wall -Wextra -Werror")
    cache_folder = pathlib.Path(case.build_folder(), "tidy_cache")
    return rules.Compiler(shlex.split(command), cache_folder, root, include_folders)


class CompileTest(RuleTest):
    def setUp(self):
        self.compiler = compiler()

    def written(self, texts):
        """A tree of these texts that is also on disk, and a compiler for it."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for path, text in texts.items():
            full = pathlib.Path(folder.name, path)
            full.parent.mkdir(parents=True, exist_ok=True)
            full.write_text(text, encoding="utf-8")
        return Tree(texts), compiler(folder.name)


class HeadersTest(CompileTest):
    def test_every_header_compiles_alone(self):
        self.assert_tree_obeys(rules.self_contained_headers, self.compiler)

    def test_a_header_that_needs_another_is_caught(self):
        tree, samples = self.written(
            {
                "src/ground/base/name.h": "#pragma once\nstruct Name {};\n",
                "src/ground/base/good.h": '#pragma once\n#include "base/name.h"\nName f();\n',
                "src/ground/base/bad.h": "#pragma once\nName g();\n",
            }
        )
        for _ in range(2):  # a failure is not remembered as a pass
            problems = rules.self_contained_headers(tree, samples)
            self.assertEqual(len(problems), 1)
            self.assertIn("src/ground/base/bad.h", problems[0])

    def test_a_header_that_a_source_includes_first_is_left_to_other_rules(self):
        header = "Name g();\n"
        first = '// Why.\n#include "base/a.h"\n#include <string>\n'
        later = '#include <string>\n#include "base/a.h"\n'
        for source, problem_count in ((first, 0), (later, 1)):
            for path in ("src/ground/base/a.cc", "src/ground/base/a_test.cc", "examples/b.cc"):
                tree, samples = self.written({"src/ground/base/a.h": header, path: source})
                problems = rules.self_contained_headers(tree, samples)
                self.assertEqual(len(problems), problem_count, path)

    def test_a_header_that_only_includes_is_left_to_those_that_it_includes(self):
        head = '// Why.\n#pragma once\n#include "base/a.h"\n'
        for text, expected in ((head, True), (head + "using base::A;\n", False)):
            header = tree_module.SourceFile("src/faces/gossamer/a.h", text)
            self.assertEqual(rules.only_includes(header), expected)

    def test_a_change_below_a_header_compiles_it_again(self):
        texts = {
            "src/ground/base/a.h": '#include "base/b.h"\n',
            "src/ground/base/b.h": "struct A {};\n",
        }
        before = rules.includes_hash(Tree(texts), ["src/ground/base/a.h"])
        texts["src/ground/base/b.h"] = "struct B {};\n"
        self.assertNotEqual(before, rules.includes_hash(Tree(texts), ["src/ground/base/a.h"]))


class DocumentedProgramsTest(CompileTest):
    def test_every_program_compiles(self):
        tree = tree_module.whole_tree()
        if "README.md" not in tree.by_path:
            raise unittest.SkipTest("there is no README.md")
        self.assert_tree_obeys(rules.documented_examples, self.installed())

    def installed(self):
        """A compiler that sees nothing of ours but the headers that users install."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        script = tree_module.ROOT / "cmake/install_headers.cmake"
        places = [f"-DSOURCES={tree_module.ROOT}/src", f"-DOUT={folder.name}/include"]
        subprocess.run(["cmake", *places, "-P", str(script)], check=True)
        return compiler(include_folders=[f"{folder.name}/include"])

    def test_a_program_that_does_not_compile_is_caught(self):
        text = "# A\n```cpp\nint main() {}\n```\n```cpp\nint main() { f(); }\n```\n```sh\nx\n```\n"
        tree, samples = self.written({"README.md": text})
        problems = rules.documented_examples(tree, samples)
        self.assertEqual(len(problems), 1)
        self.assertIn("README.md:6", problems[0])

    def test_a_manual_may_have_parts_of_programs(self):
        text = "# A\n```cpp\nint f() { return g(); }\n```\n```cpp\nint main() { f(); }\n```\n"
        tree, samples = self.written({"docs/a.md": text})
        problems = rules.documented_examples(tree, samples)
        self.assertEqual(len(problems), 1)
        self.assertIn("docs/a.md:6", problems[0])
