#!/usr/bin/python3
"""Tests run.py on what simulation_runs prints."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import run  # noqa: E402
from run import Total  # noqa: E402

PASSED = "3 link cut\nhash 77\ncalls 1000 requests 900 steps 5000 found 0\n"
BROKEN = 'seed 7 violates "in order" at step 9:\n  it\n' + "hash 1\ncalls 10 requests 9 steps 50 found 1\n"


class Runs(unittest.TestCase):
    def test_are_read_from_the_last_line(self):
        self.assertEqual(run.run_in(PASSED, 4), (Total(1000, 900, 5000, 0, 4), ""))

    def test_report_broken_rules(self):
        added, wrong = run.run_in(BROKEN, 8)
        self.assertEqual(added, Total(10, 9, 50, 1, 8))
        self.assertIn('violates "in order"', wrong)

    def test_count_a_crash_as_a_broken_rule(self):
        self.assertEqual(run.run_in("Aborted", 8), (Total(found=1, seed=8), "Aborted"))


class Totals(unittest.TestCase):
    def test_add_up(self):
        self.assertEqual(Total(10, 9, 8, 1, 4).plus(Total(1, 1, 1, 1, 12)), Total(11, 10, 9, 2, 12))


unittest.main()
