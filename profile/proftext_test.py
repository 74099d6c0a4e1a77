"""Profiles are read, trimmed and compared as they should; the one that is shipped can be read."""

import pathlib
import unittest

import proftext

SHIPPED = pathlib.Path(__file__).resolve().parent / "gossamer.proftext"
SHIPPED_BYTES_MAX = 1_000_000

HEAD = "# IR level Instrumentation Flag\n:ir\n"


def paragraph(name, digest, counters, more=""):
    values = "".join(f"{counter}\n" for counter in counters)
    return (f"{name}\n# Func Hash:\n{digest}\n# Num Counters:\n{len(counters)}\n"
            f"# Counter Values:\n{values}{more}\n")


TARGETS = ("# Num Value Kinds:\n1\n# ValueKind = IPVK_IndirectCallTarget:\n0\n"
           "# NumValueSites:\n1\n1\nchess:70000\n")
TEXT = (HEAD + paragraph("warm", 11, [90, 9]) + paragraph("cold", 12, [0, 0])
        + paragraph("file.cc;hot", 13, [800, 100], TARGETS) + paragraph("rare", 14, [1]))


class ProfileTest(unittest.TestCase):
    def setUp(self):
        self.head, self.functions = proftext.read(TEXT)

    def names_of(self, functions):
        return sorted(function.name for function in functions)

    def test_every_function_has_its_name_hash_and_count(self):
        self.assertEqual(self.head, HEAD)
        self.assertEqual([(one.name, one.hash, one.count) for one in self.functions],
                         [("warm", "11", 99), ("cold", "12", 0), ("file.cc;hot", "13", 900),
                          ("rare", "14", 1)])

    def test_what_was_read_is_written_the_same_but_for_the_order(self):
        text = proftext.written(self.head, self.functions)
        self.assertEqual(sorted(text.splitlines()), sorted(TEXT.splitlines()))
        head, functions = proftext.read(text)
        self.assertEqual(head, self.head)
        self.assertEqual(self.names_of(functions), self.names_of(self.functions))

    def test_targets_of_calls_go_with_their_function(self):
        text = proftext.written(self.head, proftext.hot(self.functions, 0.5))
        self.assertEqual(text, HEAD + paragraph("file.cc;hot", 13, [800, 100], TARGETS))

    def test_the_fewest_functions_that_hold_the_share_are_hot(self):
        self.assertEqual(self.names_of(proftext.hot(self.functions, 0.9)), ["file.cc;hot"])
        self.assertEqual(self.names_of(proftext.hot(self.functions, 0.91)),
                         ["file.cc;hot", "warm"])

    def test_a_function_that_is_left_out_takes_its_parts_along(self):
        parts = [proftext.Function("", name, "1", 1)
                 for name in ("_Zsend", "a.cc;_Zsend.await", "b")]
        self.assertEqual(self.names_of(proftext.without(parts, ["_Zsend"])), ["b"])

    def test_what_never_ran_is_not_hot(self):
        self.assertEqual(self.names_of(proftext.hot(self.functions, 1)),
                         ["file.cc;hot", "rare", "warm"])

    def test_a_function_that_changed_or_went_does_not_fit(self):
        _, program = proftext.read(HEAD + paragraph("warm", 11, [0, 0])
                                   + paragraph("file.cc;hot", 99, [0, 0]))
        self.assertEqual(proftext.compare(self.functions, program),
                         proftext.Comparison(functions=4, same=1, same_share=0.099))

    def test_other_texts_are_refused(self):
        for text in ("", "\n\n", TEXT.replace(":ir", ":fe"), HEAD + "name\n1\n\n",
                     HEAD + "name\n# Func Hash:\n"):
            with self.subTest(text=text), self.assertRaises(proftext.NoProfile):
                proftext.read(text)

    def test_the_shipped_one_is_small_sorted_and_hot(self):
        text = SHIPPED.read_text(encoding="ascii")
        self.assertLess(len(text), SHIPPED_BYTES_MAX)
        head, functions = proftext.read(text)
        self.assertEqual(text, proftext.written(head, functions))
        self.assertGreater(min(function.count for function in functions), 0)
        self.assertFalse([one.name for one in functions if "/" in one.name],
                         "names depend on where the tree lay")


if __name__ == "__main__":
    unittest.main()
