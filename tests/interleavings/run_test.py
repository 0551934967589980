#!/usr/bin/python3
"""Tests how the totals of explored schedules are kept."""

import unittest

import run


class TotalsTest(unittest.TestCase):
    RESULT = {"name": "Queue", "schedules": "12", "preemptions": "2"}

    def test_grow_with_each_run(self):
        once = run.added(run.Total(), self.RESULT, 300)
        self.assertEqual(run.added(once, self.RESULT, 600), run.Total(24, 600, "2"))

    def test_keep_the_most_preemptions(self):
        after = run.added(run.Total(12, 300, "2"), self.RESULT | {"preemptions": "-"}, 600)
        self.assertEqual(after.preemptions, "2")


if __name__ == "__main__":
    unittest.main()
