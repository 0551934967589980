#!/usr/bin/python3
"""Tests which places scanner.py finds in a text."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import scanner  # noqa: E402


def mutants(text):
    """The text after each change."""
    return [place.applied(text) for place in scanner.places(text)]


def in_function(line):
    """The line after each change of it."""
    begin, end = "void f() {\n", "\n}\n"
    return [mutant[len(begin):-len(end)] for mutant in mutants(begin + line + end)]


class Scanner(unittest.TestCase):
    def test_finds_operators(self):
        self.assertEqual(in_function("a = b < c;"), [";", "a = b <= c;"])
        self.assertIn("x = a || b;", in_function("x = a && b;"))
        self.assertIn("x = a != b;", in_function("x = a == b;"))
        self.assertIn("x = a - b;", in_function("x = a + b;"))
        self.assertIn("--count;", in_function("++count;"))
        self.assertIn("x = y;", in_function("x = !y;"))

    def test_ignores_brackets_of_templates_and_references(self):
        self.assertEqual(in_function("std::vector<int> x;"), [])
        self.assertEqual(in_function("for (auto&& one : all) {}"), [])
        self.assertEqual(mutants("struct A {\n  Value take() &&;\n  bool operator==(const A&) const = default;\n};\n"), [])
        self.assertEqual(mutants("template <bool first = true, typename T>\nstruct B;\n"), [])
        self.assertEqual(mutants("template <typename T>\n  requires(sizeof(T) < 3)\nvoid f();\n"), [])

    def test_finds_the_operators_of_a_template_function(self):
        self.assertEqual(mutants("template <typename T>\nbool f(T a) {\n  return a < b;\n}\n"),
                         ["template <typename T>\nbool f(T a) {\n  return {};\n}\n",
                          "template <typename T>\nbool f(T a) {\n  return a <= b;\n}\n"])

    def test_never_changes_comments_strings_and_directives(self):
        self.assertEqual(mutants('#include <a>\n#if A && 1 < 2\n#endif\n#define X 1 \\\n  2\n'), [])
        self.assertEqual(mutants("// a < b && c == 1\n/* if (a) b = 2;\n */\n"), [])
        self.assertEqual(mutants('const char* a = "x < 1 && \\" y == 2";\nconst char b = \'<\';\nauto c = R"(1 < "2")";\n'), [])
        self.assertEqual(mutants("const char* url = \"http://a\";\n"), [])

    def test_never_changes_what_the_compiler_decides(self):
        self.assertEqual(in_function("static_assert(a == 1 && b < 2);"), [])
        self.assertEqual(in_function("assert(phase == 1);"), [])
        self.assertEqual(in_function("[[maybe_unused]] int x;"), [])
        self.assertEqual(mutants("struct A {\n  virtual void f() const = 0;\n};\n"), [])

    def test_replaces_conditions(self):
        self.assertEqual(set(in_function("if (ready(a)) g();")),
                         {"if (!(ready(a))) g();", "if (true) g();", "if (false) g();"})
        self.assertEqual(set(in_function("while (ready(a)) {}")), {"while (!(ready(a))) {}", "while (false) {}"})

    def test_replaces_the_condition_after_a_declaration(self):
        self.assertIn("if (auto x = f(); true) g();", in_function("if (auto x = f(); x) g();"))
        self.assertEqual(in_function("if (const auto* x = f()) g();"), [])
        self.assertEqual(in_function("if (Node* x = f()) g();"), [])

    def test_changes_constants_by_one(self):
        self.assertEqual(in_function("int x = 10;"), ["int x = 11;", "int x = 9;"])
        self.assertEqual(in_function("auto x = 1'000u;"), ["auto x = 1001u;", "auto x = 999u;"])
        self.assertEqual(in_function("auto x = 30s;"), ["auto x = 29s;", "auto x = 31s;"])
        self.assertEqual(in_function("auto x = 0x10 | 0.5;"), [])
        self.assertEqual(in_function("int x{0};"), ["int x{1};"])

    def test_swaps_words(self):
        self.assertEqual(in_function("int x = std::min(a, b);"), ["int x = std::max(a, b);"])
        self.assertEqual(in_function("int x = std::numeric_limits<int>::max();"), [])
        self.assertEqual(in_function("bool x = true;"), ["bool x = false;"])
        self.assertEqual(in_function("continue;"), ["break;"])

    def test_swaps_alternatives(self):
        self.assertEqual(in_function("int x = a ? b : c;"), ["int x = a ? c : b;"])
        self.assertEqual(in_function("int x = f(a ? b(d, e) : c, y);"), ["int x = f(a ? c : b(d, e), y);"])

    def test_removes_calls_and_assignments(self):
        for line in ("g(a, b)", "object.member->call(a)", "std::sort(a)", "value_ = a", "a[b] += c", "co_await f(a)", "list<A>(b)",
                     "*place = a", "g([a] { h(a); })"):
            self.assertIn(";", in_function(line + ";"), line)

    def test_keeps_declarations_and_jumps(self):
        for line in ("Guard guard(mutex)", "const Guard guard{mutex}", "std::lock_guard<std::mutex> lock(m)", "int x", "auto x = f()",
                     "return", "std::string text = f()", "using a::b", "break"):
            self.assertNotIn(";", in_function(line + ";"), line)

    def test_replaces_returned_values(self):
        self.assertEqual(in_function("return f(a);"), ["return {};"])
        self.assertEqual(in_function("return {};"), [])
        self.assertEqual(in_function("return;"), [])
        self.assertEqual(in_function("return std::nullopt;"), [])

    def test_does_not_subtract_strings(self):
        self.assertEqual(in_function('std::string x = a + " b";'), [])
        self.assertNotIn('text -= "b";', in_function('text += "b";'))
        self.assertNotIn("add(text -= 'b');", in_function("add(text += 'b');"))


class Place(unittest.TestCase):
    def test_shows_both_versions_in_their_line(self):
        text = "int f() {\n  if (a <\n      b) return c;\n}\n"
        shown = {place.shown(text): place.line(text) for place in scanner.places(text)}
        self.assertEqual(shown["if (a [< → <=]"], 2)
        self.assertEqual(shown["if ([a < b → !(a < b)]) return c;"], 2)
        self.assertEqual(shown["b) return [c → {}];"], 3)


unittest.main()
