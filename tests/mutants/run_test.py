#!/usr/bin/python3
"""Tests what run.py draws, tries and writes. Its programs are shell scripts."""

import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import covering  # noqa: E402
import promises  # noqa: E402
import results  # noqa: E402
import run  # noqa: E402
import trial  # noqa: E402
from covering import Covering  # noqa: E402
from results import Row  # noqa: E402

TEXT = "int f(int a) {\n  if (a < 1) return g(a);\n  return 2;\n}\n"


def unit(test, seconds, program="true", suite=""):
    return {"test": test, "suite": suite, "seconds": seconds, "command": ["/bin/sh", "-c", program], "folder": "/", "environment": {},
            "programs": []}


class Results(unittest.TestCase):
    rows = [Row(1, "caught", "sdk/src/a.cpp", 7, "if (a [< → <=] b) c(d, \"x\");", "whole.sdk_tests A.B"),
            Row(3, "equivalent", "sdk/src/a.cpp", 9, "[f(a) → ];", "It only saves time.")]

    def test_are_read_as_they_were_written(self):
        self.assertEqual(results.parse(results.shown(self.rows)), self.rows)

    def test_are_summed_up(self):
        rows = self.rows + [Row(4, "survived", "a", 1, "b", "c"), Row(5, "caught", "a", 2, "b", "c"), Row(6, "wide", "a", 3, "b", "-"),
                            Row(7, "uncompilable", "a", 4, "b", "-")]
        self.assertEqual(results.summary(rows), "4 mutants: 2 caught (50.0 %), 1 survived (25.0 %), 1 equivalent (25.0 %); "
                                                "1 uncompilable, 1 wide")


class Draws(unittest.TestCase):
    def test_depend_on_the_seed_only(self):
        texts = {"sdk/src/a.cpp": TEXT}
        places = run.all_places(texts)
        changes = [run.drawn(seed, places, texts).change for seed in range(50)]
        self.assertEqual(changes, [run.drawn(seed, places, texts).change for seed in range(50)])
        self.assertGreater(len(set(changes)), 5)

    def test_are_found_again_where_the_line_has_moved(self):
        row = Row(1, "survived", "a.cpp", 2, "if (a [< → <=] 1) return g(a);", "-")
        place = run.found_again(row, {"a.cpp": "\n\n" + TEXT})
        self.assertEqual(place.line, 4)
        self.assertIsNone(run.found_again(row, {"a.cpp": "int x;\n"}))


class CoveringUnits(unittest.TestCase):
    def setUp(self):
        sources = {"a.cpp": {"digest": covering.digest(TEXT), "idle": [3],
                             "functions": [[1, False, [0]], [2, True, [1]], [10, False, [2]]]}}
        self.covering = Covering([unit("a", 1), unit("b", 1), unit("c", 1)], sources)

    def test_are_those_of_the_function_and_its_lambdas(self):
        self.assertEqual(self.covering.of("a.cpp", 1, TEXT), {0})
        self.assertEqual(self.covering.of("a.cpp", 5, TEXT), {0, 1})
        self.assertEqual(self.covering.of("a.cpp", 11, TEXT), {2})

    def test_are_those_of_a_source_that_has_changed(self):
        self.assertEqual(self.covering.of("a.cpp", 1, TEXT + " "), {0, 1, 2})
        self.assertEqual(self.covering.of("b.cpp", 1, TEXT), set())

    def test_do_not_run_an_idle_line(self):
        self.assertFalse(self.covering.runs("a.cpp", 3, TEXT))
        self.assertTrue(self.covering.runs("a.cpp", 2, TEXT))
        self.assertTrue(self.covering.runs("a.cpp", 3, TEXT + " "))

    def test_are_suites_of_a_listing(self):
        self.assertEqual(covering.suites_in("Running main() from x.cc\nA.\n  One\nB/C.  # TypeParam = int\n  Two/0  # GetParam() = 1\n"),
                         ["A", "B/C"])

    def test_run_with_a_filter(self):
        units = [{"suite": suite, "command": ["tests", "--over=http"]} for suite in ("A", "B/C")]
        self.assertEqual(covering.command_of(units), ["tests", "--over=http", "--gtest_filter=A.*:B/C.*"])

    def test_have_functions_whose_names_have_no_file(self):
        self.assertEqual(covering.plain("unity_1_cxx.cxx:_ZL1fv"), "_ZL1fv")
        self.assertTrue(covering.is_lambda("_ZZN5tally1fEvENKUlvE_clEv"))
        self.assertFalse(covering.is_lambda("_ZN5tally5claimEv"))


class Trials(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.object(trial, "builds", return_value=True)
        self.builds = patch.start()
        self.addCleanup(patch.stop)

    def test_begin_with_the_shortest(self):
        groups, left_out = trial.by_test([unit("a", 50), unit("b", 10), unit("a", 1), unit("c", 170), unit("d", 20)])
        self.assertEqual([group[0]["test"] for group in groups], ["b", "d", "a"])
        self.assertEqual(left_out, 1)

    def test_run_at_least_one_test(self):
        self.assertEqual(len(trial.by_test([unit("a", 10_000)])[0]), 1)

    def test_end_with_the_first_test_that_fails(self):
        failing = "echo '[ RUN      ] A.B'; echo '[  FAILED  ] A.B (3 ms)'; exit 1"
        outcome = trial.try_change("build", [unit("b", 2, "exit 1"), unit("a", 1, failing), unit("c", 0)])
        self.assertEqual(outcome, trial.Outcome("caught", "a A.B"))
        self.assertEqual(trial.try_change("build", [unit("c", 0)]), trial.Outcome("survived", "1 programs"))

    def test_name_the_test_in_which_a_program_crashes(self):
        self.assertEqual(trial.failure([unit("a", 0, "echo '[ RUN      ] A.B'; kill -9 $$")], 9), "A.B")

    def test_count_a_timeout_as_caught(self):
        self.assertEqual(trial.failure([unit("a", 0, "sleep 60")], 0.1), "timeout")

    def test_do_not_count_a_test_that_fails_once(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(trial.caught([unit("a", 0, f"mkdir {folder}/once && exit 1 || exit 0")]), "")

    def test_leave_out_what_does_not_compile(self):
        self.builds.return_value = False
        self.assertEqual(trial.try_change("build", [unit("a", 0)]).status, "uncompilable")

    def test_leave_the_source_as_it_was(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.cpp")
            path.write_text("old")
            with self.assertRaises(SystemExit), trial.changed(path, "new"):
                self.assertEqual(path.read_text(), "new")
                sys.exit("ended")
            self.assertEqual(path.read_text(), "old")


class Promises(unittest.TestCase):
    variant = promises.Variant("a", "order", "b", "c.cpp", "x < 1", "x < 2", ["Pacing*", "*/Workers"])

    def test_name_suites(self):
        self.assertTrue(self.variant.names("PacingTest"))
        self.assertTrue(self.variant.names("Memory/Workers"))
        self.assertFalse(self.variant.names("Client"))

    def test_need_a_text_that_occurs_once(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            self.assertEqual(len(promises.problems([self.variant], root)), 1)
            (root / "c.cpp").write_text("if (x < 1) y();")
            self.assertEqual(promises.problems([self.variant], root), [])
            self.assertEqual(self.variant.applied("if (x < 1) y();"), "if (x < 2) y();")
            (root / "c.cpp").write_text("if (x < 1 || !(x < 1)) y();")
            self.assertEqual(len(promises.problems([self.variant], root)), 1)


unittest.main()
