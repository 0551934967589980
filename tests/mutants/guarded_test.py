#!/usr/bin/python3
"""Tests what guarded.py writes, as text and in a program. guarded_test.py COMPILER"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import batch  # noqa: E402
import guarded  # noqa: E402
import scanner  # noqa: E402

COMPILER = sys.argv.pop(1)
ON = "::tally_mutants::on(7)"


def both(new, old):
    return f"(::tally_mutants::onBetween<decltype({new}), decltype({old})>(7) ? ({new}) : ({old}))"

PROGRAM = """\
#include <algorithm>
#include <cstdio>
#include <vector>

int sum = 0;

void add(int n) { sum += n; }

constexpr int square(int n) { return n * n; }

int main() {
  std::vector<int> seen;
  for (int i = 0; i < 3; ++i) {
    if (i == 1) continue;
    seen.push_back(i);
  }
  if (seen.size() > 1) {
    add(10);
  } else {
    add(20);
  }
  const bool both = !seen.empty() && seen.back() == 2;
  static_assert(square(3) == 9);
  std::printf("%zu %d %d %d %d %d", seen.size(), sum, both ? 1 : 0, std::max<int>(3, 4) - 1, square(5),
              [](int n) -> int { return n; }(6));
}
"""
AS_IT_IS = "2 10 1 3 25 6"


def guards(text):
    """Each change of the text with both versions."""
    guard = guarded.Guard(text)
    return [guard.edit(place, 7) for place in scanner.places(text)]


def guarded_line(line, change):
    """A line of a function once the change that turns it into another line is guarded."""
    begin, end = "void f() {\n", "\n}\n"
    text = begin + line + end
    guard = guarded.Guard(text)
    for place in scanner.places(text):
        if place.applied(text) == begin + change + end:
            return batch.applied(text, [guard.edit(place, 7)])[len(begin):-len(end)]
    raise AssertionError(f"no place makes {change}")


class GuardedPlaces(unittest.TestCase):
    def test_contain_the_whole_expression_of_an_operator(self):
        self.assertEqual(guarded_line("x = a + b * c;", "x = a - b * c;"), f"x = {both('a - b * c', 'a + b * c')};")
        self.assertEqual(guarded_line("f(a, b && !c, d);", "f(a, b || !c, d);"), f"f(a, {both('b || !c', 'b && !c')}, d);")
        self.assertEqual(guarded_line("return g<A, B>(c) < d ? e : f;", "return g<A, B>(c) <= d ? e : f;"),
                         f"return {both('g<A, B>(c) <= d', 'g<A, B>(c) < d')} ? e : f;")

    def test_begin_after_the_header_of_a_statement(self):
        self.assertEqual(guarded_line("if (a) ++b;", "if (a) --b;"), f"if (a) {both('--b', '++b')};")
        self.assertEqual(guarded_line("if (a) {}\n++b;", "if (a) {}\n--b;"), f"if (a) {{}}\n{both('--b', '++b')};")

    def test_contain_both_orders_of_alternatives(self):
        self.assertEqual(guarded_line("f(a ? b : c);", "f(a ? c : b);"), f"f({both('a ? c : b', 'a ? b : c')});")

    def test_turn_statements_into_blocks(self):
        self.assertEqual(guarded_line("a(); b();", "a(); ;"), f"a(); {{ if (!{ON}) {{ b(); }} }}")
        self.assertEqual(guarded_line("return a;", "return {};"), f"{{ if ({ON}) return {{}}; return a; }}")
        self.assertEqual(guarded_line("continue;", "break;"), f"{{ if ({ON}) break; continue; }}")

    def test_keep_line_numbers(self):
        text = "void f() {\n  x = a +  // first\n      b;\n  if (a &&\n      b) c();\n}\n"
        for edit in guards(text):
            self.assertEqual(batch.applied(text, [edit]).count("\n"), text.count("\n"))

    def test_are_left_out_if_a_string_has_several_lines(self):
        self.assertIn(None, guards('void f() {\n  x = a == R"(\n)";\n}\n'))

    def test_do_not_compile_with_versions_of_different_types(self):
        text = "#include <optional>\nint f(std::optional<bool> a) {\n  if (!a) return 1;\n  return 2;\n}\n"
        guard = guarded.Guard(text)
        edit = next(guard.edit(place, 7) for place in scanner.places(text) if place.kind == "negation")
        command = [COMPILER, "-std=c++20", "-w", "-fsyntax-only", "-include", pathlib.Path(__file__).parent / "switch.h", "-x", "c++", "-"]
        done = subprocess.run(command, check=False, text=True, input=batch.applied(text, [edit]), stderr=subprocess.DEVNULL)
        self.assertNotEqual(done.returncode, 0)
        subprocess.run(command, check=True, text=True, input=text)

    def test_change_what_a_program_does_when_they_are_on(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Program(folder)
            self.assertEqual(program.output(0), AS_IT_IS)
            for change, output in (("i < 3", "3 10 0 3 25 6"), ("continue", "1 20 0 3 25 6"), ("seen.push_back(i)", "0 20 0 3 25 6"),
                                   ("add(20)", AS_IT_IS), ("seen.size() > 1", "2 20 1 3 25 6"), ("sum += n", "2 -10 1 3 25 6"),
                                   ("std::max", "2 10 1 2 25 6"), ("both ?", "2 10 0 3 25 6"), ("n * n", "2 10 1 3 1 6"),
                                   ("return n; }(", "2 10 1 3 25 0")):
                with self.subTest(change):
                    self.assertEqual(program.output(program.number_at(change)), output)

    def test_show_whether_a_program_reaches_them(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Program(folder)
            reached = pathlib.Path(folder, "reached")
            reached.write_bytes(bytes(len(program.places) + 1))
            program.output(0, {"TALLY_MUTANTS_REACHED": str(reached)})
            found = reached.read_bytes()
            self.assertEqual(found[program.number_at("i < 3")], 1)
            self.assertEqual(found[program.number_at("add(20)")], 0)


class Program:
    """A program with one mutant at each place that the tests name."""

    def __init__(self, folder):
        wanted = {"i < 3": "<=", "continue": "break", "seen.push_back(i)": "", "add(20)": "", "seen.size() > 1": "!(seen.size() > 1)",
                  "sum += n": "-=", "std::max": "min", "both ?": "0 : 1", "n * n": "/", "return n; }(": "{}"}
        self.places = {}
        for number, (change, new) in enumerate(wanted.items(), 1):
            begin = PROGRAM.index(change)
            self.places[number] = next(place for place in scanner.places(PROGRAM) if place.start >= begin and place.new == new)
        self.numbers = dict(zip(wanted, self.places))
        edits = batch.edits_of(PROGRAM, self.places)
        source, self.path = os.path.join(folder, "a.cpp"), os.path.join(folder, "a")
        pathlib.Path(source).write_text(batch.applied(PROGRAM, edits.values()))
        subprocess.run([COMPILER, "-std=c++20", "-w", "-include", pathlib.Path(__file__).parent / "switch.h", source, "-o", self.path],
                       check=True)

    def number_at(self, change):
        return self.numbers[change]

    def output(self, number, environment=None):
        return subprocess.run([self.path], check=True, text=True, stdout=subprocess.PIPE,
                              env=os.environ | {"TALLY_MUTANT": str(number)} | (environment or {})).stdout


unittest.main()
