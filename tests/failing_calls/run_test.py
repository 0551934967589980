#!/usr/bin/python3
"""Tests how the totals of failing calls are kept."""

import unittest

import run


class TotalsTest(unittest.TestCase):
    RESULT = {"name": "OfAReport", "places": "120", "runs": "40", "found": "1"}

    def test_grow_with_each_run(self):
        once = run.added({}, [self.RESULT], 1)
        self.assertEqual(once, {"OfAReport": run.Total(120, 40, 1, 1)})
        self.assertEqual(run.added(once, [self.RESULT | {"places": "130"}], 2), {"OfAReport": run.Total(130, 80, 2, 2)})

    def test_keep_the_row_of_a_skipped_scenario(self):
        before = {"OfAReport": run.Total(120, 40, 0, 1)}
        self.assertEqual(run.added(before, [{"name": "OfAReport"}], 2), before)


if __name__ == "__main__":
    unittest.main()
