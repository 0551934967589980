#!/usr/bin/python3
"""Tests the files of totals."""

import sys
import unittest
from typing import NamedTuple

sys.dont_write_bytecode = True

import totals  # noqa: E402


class Total(NamedTuple):
    runs: int = 0
    most: str = "-"


class TotalsTest(unittest.TestCase):
    def test_round_trip_through_text(self):
        some = {"har": Total(12_345_678_901, "2"), "json_reader": Total()}
        self.assertEqual(totals.parse(totals.text_of("# About.\n", "target", some, Total), Total), some)

    def test_may_be_empty(self):
        self.assertEqual(totals.parse(totals.text_of("# About.\n", "target", {}, Total), Total), {})

    def test_are_written_in_columns(self):
        text = totals.text_of("# About.\n", "target", {"har": Total(12_345, "2"), "a": Total(7)}, Total)
        self.assertEqual(text, "# About.\n#\n# target   runs  most\na             7     -\nhar       12345     2\n")

    def test_with_the_wrong_number_of_columns_are_refused(self):
        self.assertRaises(ValueError, totals.parse, "har 1\n", Total)


unittest.main()
