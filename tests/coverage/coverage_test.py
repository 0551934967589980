#!/usr/bin/python3
"""Tests the reader of lcov, the list of uncovered lines and the goals."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import lcov  # noqa: E402
import run  # noqa: E402
import uncovered  # noqa: E402
from uncovered import Row  # noqa: E402

EXPORT = """\
SF:/tree/sdk/src/a.cpp
FN:3,_Z1fv
FN:10,_Z1gv
FNDA:2,_Z1fv
DA:3,2
DA:4,0
DA:5,2
DA:10,0
DA:11,0
BRDA:4,0,0,1
BRF:4
BRH:3
LF:5
LH:2
end_of_record
SF:/tree/sdk/generated/src/b.cpp
DA:1,0
end_of_record
SF:/tree/tests/c.cpp
DA:1,0
end_of_record
SF:/usr/include/d.h
DA:1,0
end_of_record
"""
NAMES = {"_Z1fv": "f", "_Z1gv": "g"}


class Export(unittest.TestCase):
    def test_has_the_hand_written_sources(self):
        self.assertEqual(list(lcov.parse(EXPORT, "/tree")), ["sdk/src/a.cpp"])

    def test_has_lines_functions_and_branches(self):
        source = lcov.parse(EXPORT, "/tree")["sdk/src/a.cpp"]
        self.assertEqual(source.functions, [(3, "_Z1fv"), (10, "_Z1gv")])
        self.assertEqual(source.uncovered(), [4, 10, 11])
        self.assertEqual((source.taken, source.branches), (3, 4))

    def test_covers_programs_only(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            for name, content, mode in (("sdk/a", b"\x7fELF.", 0o755), ("sdk/b.so", b"\x7fELF.", 0o755),
                                        ("fake/c", b"#!/bin/sh", 0o755), ("codegen/d", b"\x7fELF.", 0o644),
                                        ("tests/e", b"\x7fELF.", 0o755)):
                path = build / name
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(content)
                path.chmod(mode)
            self.assertEqual(lcov.programs(build), [build / "sdk/a", build / "tests/e"])


class Uncovered(unittest.TestCase):
    def setUp(self):
        self.found = uncovered.found_in(lcov.parse(EXPORT, "/tree"), NAMES)

    def test_lines_are_counted_by_function(self):
        self.assertEqual(self.found, [Row("sdk/src/a.cpp", "f", 1), Row("sdk/src/a.cpp", "g", 2)])

    def test_lines_must_be_listed(self):
        listed = uncovered.parse("# It fails only without memory.\nsdk/src/a.cpp  g  1\n")
        self.assertEqual(uncovered.unlisted(self.found, listed), self.found)
        self.assertEqual(uncovered.unlisted(self.found, self.found), [])

    def test_lines_that_are_listed_but_run_are_reported(self):
        listed = self.found + [Row("sdk/src/a.cpp", "h", 1)]
        self.assertEqual(uncovered.superfluous(self.found, listed), [Row("sdk/src/a.cpp", "h", 1)])
        self.assertEqual(uncovered.superfluous([], self.found), self.found)

    def test_rows_round_trip_through_text(self):
        rows = [Row("sdk/src/a.cpp", "A::operator bool", 3)]
        self.assertEqual(uncovered.parse("".join(map(uncovered.shown, rows))), rows)


class ShortName(unittest.TestCase):
    def test_has_the_class_but_no_namespace(self):
        for name, short in (("tally::detail::Pacer::admit", "Pacer::admit"),
                            ("tally::detail::(anonymous namespace)::refuse", "refuse"),
                            ("void tally::Pager<tally::File>::next<int>(std::map<int, int>)", "Pager::next"),
                            ("tally::A::status() const::'lambda'(int)::operator()", "A::status"),
                            ("tally::f(int)::$_0::operator()", "f"),
                            ("tally::Duration::operator<=>", "Duration::operator<=>"),
                            ("tally::A::operator()", "A::operator()"),
                            ("tally::A<int>::operator bool", "A::operator bool"),
                            ("tally::text[abi:cxx11]", "text")):
            self.assertEqual(uncovered.short(name), short)


class Goals(unittest.TestCase):
    def test_are_met_or_missed(self):
        self.assertEqual(run.missed_goals({"lines": (98, 100), "branches": (92, 100)}), [])
        self.assertEqual(run.missed_goals({"lines": (979, 1000), "branches": (92, 100)}),
                         ["97.90 % of lines run; the goal is 98 %"])

    def test_count_lines_and_branches(self):
        self.assertEqual(run.figures(lcov.parse(EXPORT, "/tree")), {"lines": (2, 5), "branches": (3, 4)})

    def test_fail_with_an_unlisted_line(self):
        measured = {"lines": (98, 100), "branches": (92, 100)}
        self.assertEqual(run.problems(measured, [Row("a.cpp", "f", 1)], [Row("a.cpp", "f", 1)]), [])
        self.assertEqual(run.problems(measured, [Row("a.cpp", "f", 2)], [Row("a.cpp", "f", 1)]),
                         ["not listed in tests/coverage/uncovered.txt: a.cpp  f  2"])


unittest.main()
