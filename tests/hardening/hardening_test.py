"""Checks the hardening of the built programs (cmake/gossamer_hardening.cmake).

GOSSAMER_PROGRAMS names them. GOSSAMER_SYSTEM_PROGRAM is the one with no code but ours: what it
imports shows how our code was compiled. It is empty if that was without hardening.
GOSSAMER_SHARED_LIBRARY is libgossamer.so, or empty.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import elf


def weak_links(program):
    """What is wrong with how a program was linked."""
    problems = []
    if program.type != elf.DYNAMIC_PROGRAM or not program.has_flag(elf.FLAGS_1, elf.FLAG_1_PIE):
        problems.append("it has fixed addresses")
    return problems + weak_segments(program)


def weak_segments(program):
    """The same of a program or a library, which never has fixed addresses."""
    problems = []
    kinds = dict(program.segments)
    if elf.READ_ONLY_LATER not in kinds:
        problems.append("its tables of addresses stay writable")
    if not (
        elf.BIND_NOW in program.dynamic
        or program.has_flag(elf.FLAGS, elf.FLAG_BIND_NOW)
        or program.has_flag(elf.FLAGS_1, elf.FLAG_1_NOW)
    ):
        problems.append("symbols are looked up late")
    if kinds.get(elf.STACK, elf.EXECUTABLE) & elf.EXECUTABLE:
        problems.append("its stack is executable")
    both = elf.EXECUTABLE | elf.WRITABLE
    if any(kind == elf.LOADED and flags & both == both for kind, flags in program.segments):
        problems.append("it has writable code")
    return problems


def weak_code(program):
    """What is wrong with how a program was compiled."""
    is_guarded = "__stack_chk_fail" in program.imports
    return [] if is_guarded else ["return addresses are not guarded"]


class ProgramsTest(unittest.TestCase):
    def test_programs_are_linked_with_hardening(self):
        programs = os.environ["GOSSAMER_PROGRAMS"].split(":")
        for path in programs:
            with self.subTest(path):
                self.assertEqual(weak_links(elf.Elf(path)), [])

    def test_the_shared_library_is_linked_with_hardening(self):
        path = os.environ["GOSSAMER_SHARED_LIBRARY"]
        if not path:
            self.skipTest("there is no shared library")
        library = elf.Elf(path)
        self.assertEqual(weak_segments(library) + weak_code(library), [])

    def test_our_code_is_compiled_with_hardening(self):
        path = os.environ["GOSSAMER_SYSTEM_PROGRAM"]
        if not path:
            self.skipTest("this build is not optimised")
        self.assertEqual(weak_code(elf.Elf(path)), [])


SOURCE = r"""
#include <cstdio>
#include <cstring>
#include <vector>

#ifdef HAS_WRITABLE_CODE
asm(".pushsection .writable_code, \"awx\", @progbits\n nop\n .popsection");
#endif

int main(int count, char** words) {
  char text[100];
  std::strcpy(text, words[0]);
  std::vector<int> numbers(static_cast<unsigned>(count));
  std::printf("%s %d\n", text, numbers[static_cast<unsigned>(count) / 2]);
}
"""

LINKED = "-pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack".split()
COMPILED = "-O2 -fPIC -fstack-protector-strong".split()


class WeakProgramsTest(unittest.TestCase):
    """The checks find each weakness in a small program."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.hardened = cls.compile("hardened")

    @classmethod
    def compile(cls, name, *more):
        source, compiled = cls.folder / "small.cc", cls.folder / f"{name}.o"
        source.write_text(SOURCE, encoding="utf-8")
        cls.run_compiler(*COMPILED, *more, "-c", source, "-o", compiled)
        return compiled

    @staticmethod
    def run_compiler(*arguments):
        subprocess.run([os.environ["GOSSAMER_COMPILER"], *arguments], check=True)

    def link(self, compiled, *more):
        program = self.folder / "small"
        self.run_compiler(*LINKED, *more, compiled, "-o", program)
        return elf.Elf(program)

    def test_a_hardened_program_has_none(self):
        program = self.link(self.hardened)
        self.assertEqual((weak_links(program), weak_code(program)), ([], []))

    def test_weak_links_are_found(self):
        for flags, problem in (
            ("-no-pie", "it has fixed addresses"),
            ("-Wl,-z,norelro", "its tables of addresses stay writable"),
            ("-Wl,-z,lazy", "symbols are looked up late"),
            ("-Wl,-z,execstack", "its stack is executable"),
        ):
            with self.subTest(flags):
                self.assertIn(problem, weak_links(self.link(self.hardened, flags)))
        writable = self.compile("writable", "-DHAS_WRITABLE_CODE")
        self.assertIn("it has writable code", weak_links(self.link(writable)))

    def test_weak_code_is_found(self):
        program = self.link(self.compile("unguarded", "-fno-stack-protector"))
        self.assertEqual(weak_code(program), ["return addresses are not guarded"])


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
