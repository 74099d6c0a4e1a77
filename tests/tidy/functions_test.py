import unittest

import functions
from tree import SourceFile


def measured(text):
    return [
        (function.name, function.line_count)
        for function in functions.functions_of(SourceFile("src/ground/base/a.cc", text))
    ]


class FunctionsTest(unittest.TestCase):
    def test_a_function_reaches_from_its_first_word_to_its_last_brace(self):
        text = "\n\ntemplate <class T>\nint f(T a,\n      int b) {\n  if (a) {\n  }\n}\n"
        self.assertEqual(measured(text), [("f", 6)])

    def test_members_and_namespaces_are_entered(self):
        text = "namespace a {\nclass B final : C<1> {\n public:\n  int d() const {\n  }\n};\n}\n"
        self.assertEqual(measured(text), [("d", 2)])

    def test_a_class_in_a_template_header_is_no_class(self):
        self.assertEqual(measured("template <class T> void f() {\n}\n"), [("f", 2)])

    def test_braces_in_the_member_initialisers_do_not_end_the_constructor(self):
        text = "A::A(int b)\n    : b_{b},\n      c_(d({})) {\n  e();\n}\nint g() { return 1; }\n"
        self.assertEqual(measured(text), [("A::A", 5), ("g", 1)])

    def test_tables_and_concepts_are_no_functions(self):
        text = "alignas(64) constexpr int kTable[] = {\n1,\n};\n"
        text += "template <class T> concept C = requires(T t) {\n  t.f();\n};\n"
        self.assertEqual(measured(text), [])

    def test_lambdas_inside_a_function_belong_to_it(self):
        self.assertEqual(measured("int f() {\n  auto g = [](int a) {\n  };\n}\n"), [("f", 4)])

    def test_a_test_is_named_in_full(self):
        self.assertEqual(measured("TEST(Url, Parses) {\n}\n"), [("TEST(Url,Parses)", 2)])

    def test_default_arguments_are_no_assignments(self):
        text = "int f(int a = 1, B b = {}) {\n}\nint g() {\n}\n"
        self.assertEqual(measured(text), [("f", 2), ("g", 2)])

    def test_operators_are_functions(self):
        text = "bool operator==(A, A) {\n}\nA& A::operator=(A&& b) {\n}\n"
        self.assertEqual([lines for _, lines in measured(text)], [2, 2])

    def test_braces_in_literals_and_comments_are_not_counted(self):
        text = "int f() {\n  // }\n  g('}', \"}\", R\"x(})x\", 1'000'000);\n  /* } */\n}\n"
        self.assertEqual(measured(text), [("f", 5)])
