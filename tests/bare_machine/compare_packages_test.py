"""compare_packages.py, without a bare machine."""

import unittest

import compare_packages


class ComparePackagesTest(unittest.TestCase):
    def test_a_list_has_comments_and_empty_lines(self):
        text = "# a list\n\nclang-19\nllvm-19   # reads\n"
        self.assertEqual(compare_packages.listed_packages(text), {"clang-19", "llvm-19"})

    def test_headers_and_archives_are_read(self):
        dependencies = "a.o: #deps 2 (VALID)\n    ../../src/a.cc\n    /usr/include/z.h\n"
        commands = "clang++ a.o -o a  /usr/lib/libz.a /usr/lib/libssl.so -lpthread"
        self.assertEqual(
            compare_packages.files_read(dependencies, commands),
            {"/usr/include/z.h", "/usr/lib/libz.a", "/usr/lib/libssl.so"},
        )

    def test_the_list_must_be_exact(self):
        faults = compare_packages.compare(
            listed={"zlib1g-dev", "lua5.1", "ca-certificates"},
            used={"zlib1g-dev", "libssl-dev", "libc6-dev"},
            with_compiler={"libc6-dev"},
        )
        self.assertEqual(
            faults, ["libssl-dev is used and not listed", "lua5.1 is listed and not used"])


if __name__ == "__main__":
    unittest.main()
