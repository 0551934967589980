#!/usr/bin/python3
"""Tests how passes through the places of a scenario are continued, and how their totals are kept."""

import unittest

import run


def result(following, runs=40, found=0):
    return {"places": "120", "runs": str(runs), "found": str(found), "next": str(following)}


class TotalTest(unittest.TestCase):
    def test_grows_with_each_part_of_a_pass(self):
        once = run.added(run.Total(), result(300, found=1))
        self.assertEqual(once, run.Total(120, 40, 1, 0, 300))
        self.assertEqual(run.added(once, result(700, runs=39)), run.Total(120, 79, 1, 0, 700))

    def test_counts_a_pass_that_has_ended_and_begins_the_next(self):
        self.assertEqual(run.added(run.Total(120, 80, 0, 2, 900), result(run.END_OF_PASS)), run.Total(120, 120, 0, 3, 0))


class OrderTest(unittest.TestCase):
    def test_begins_with_scenarios_that_have_passed_least_often(self):
        passed, long, short, new = (run.Scenario("tests", name) for name in ("Passed", "Long", "Short", "New"))
        poll = run.Scenario("tests_poll", "Passed")
        totals = {"Passed": run.Total(places=1, passes=2), "PassedPoll": run.Total(places=3, passes=1), "Long": run.Total(places=900),
                  "Short": run.Total(places=20)}
        self.assertEqual(run.ordered([passed, long, poll, short, new], totals), [new, short, long, poll, passed])


class ScenarioTest(unittest.TestCase):
    def setUp(self):
        self.asked = []
        self.kept = []

    def try_places(self, places, *results, before=run.Total()):
        answers = iter(results)

        def part(count, position):
            self.asked.append((count, position))
            return True, next(answers)

        return run.try_scenario(before, places, part, self.kept.append)

    def test_is_tried_in_parts_whose_totals_are_kept(self):
        self.try_places("250", result(10), result(20), result(30), before=run.Total(position=5))
        self.assertEqual(self.asked, [(100, 5), (100, 10), (50, 20)])
        self.assertEqual([total.position for total in self.kept], [10, 20, 30])

    def test_is_tried_until_the_pass_ends(self):
        self.try_places("all", result(10), result(run.END_OF_PASS))
        self.assertEqual(self.asked, [(100, 0), (100, 10)])
        self.assertEqual(self.kept[-1].passes, 1)

    def test_keeps_nothing_if_it_is_skipped(self):
        self.assertTrue(self.try_places("all", {"name": "OfAReport"}))
        self.assertEqual(self.kept, [])

    def test_fails_if_a_part_does(self):
        ends = iter([(False, result(10)), (True, result(run.END_OF_PASS))])
        self.assertFalse(run.try_scenario(run.Total(), "all", lambda *_: next(ends), self.kept.append))
        self.assertEqual(self.kept[-1].passes, 1)


if __name__ == "__main__":
    unittest.main()
