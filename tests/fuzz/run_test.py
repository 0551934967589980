#!/usr/bin/python3
"""Tests run.py on logs of libFuzzer."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import run  # noqa: E402
from run import Total  # noqa: E402

PASSED = """\
#2	INITED cov: 1011 ft: 1327 corp: 5/2037b exec/s: 0 rss: 41Mb
#1024	pulse  cov: 1200 ft: 1330 corp: 6/2038b exec/s: 0 rss: 41Mb
#1054	DONE   cov: 1201 ft: 1330 corp: 6/2038b exec/s: 0 rss: 41Mb
stat::number_of_executed_units: 1054
stat::average_exec_per_sec:     53
"""
BROKEN = """\
#2	INITED cov: 1011 ft: 1327 corp: 5/2037b exec/s: 0 rss: 41Mb
#70	NEW    cov: 1012 ft: 1327 corp: 5/2037b exec/s: 0 rss: 41Mb
Broken: what is written is read
==7== ERROR: libFuzzer: deadly signal
SUMMARY: libFuzzer: deadly signal
artifact_prefix='broken/har/'; Test unit written to broken/har/crash-1f
"""


class Runs(unittest.TestCase):
    def test_are_read_from_the_final_figures(self):
        self.assertEqual(run.run_in(PASSED, 0, 7), Total(1054, 0, 1201, 7))

    def test_are_read_from_the_last_progress_line_after_a_crash(self):
        self.assertEqual(run.run_in(BROKEN, 77, 8), Total(70, 1, 1012, 8))

    def test_name_the_broken_invariant_and_its_input(self):
        self.assertEqual(run.problem_in(BROKEN), "Broken: what is written is read")
        self.assertEqual(run.repetition_in(BROKEN, "fuzz_har"), "fuzz_har broken/har/crash-1f")

    def test_name_the_error_that_a_sanitizer_found(self):
        self.assertEqual(run.problem_in("a.cpp:3:5: runtime error: signed integer overflow\nSUMMARY: x"),
                         "a.cpp:3:5: runtime error: signed integer overflow")
        self.assertEqual(run.problem_in(""), "no reason is known")


class Totals(unittest.TestCase):
    def test_add_up(self):
        total = Total(1000, 2, 500, 3).plus(Total(10, 1, 510, 4))
        self.assertEqual(total, Total(1010, 3, 510, 4))
        self.assertEqual(total.plus(Total(0, 1, 0, 5)).edges, 510)


unittest.main()
