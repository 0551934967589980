#!/usr/bin/python3
"""Tests what run.py draws, builds, tries and writes. Its programs are shell scripts."""

import contextlib
import io
import os
import pathlib
import select
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))

import batch  # noqa: E402
import promises  # noqa: E402
import results  # noqa: E402
import run  # noqa: E402
import suites  # noqa: E402
import trial  # noqa: E402
from results import Row  # noqa: E402

TEXT = "int f(int a) {\n  if (a < 1) return g(a);\n  return 2;\n}\n"


def unit(test, seconds, program="true", suite=""):
    return {"test": test, "suite": suite, "seconds": seconds, "command": ["/bin/sh", "-c", program], "folder": "/", "environment": {},
            "programs": []}


class Results(unittest.TestCase):
    rows = [Row(1, "caught", "sdk/src/a.cpp", 7, "if (a [< → <=] b) c(d, \"x\");", "whole.sdk_tests A.B"),
            Row(3, "equivalent", "sdk/src/a.cpp", 9, "[f(a) → ];", "It only saves time.")]

    def test_round_trip_through_text(self):
        self.assertEqual(results.parse(results.shown(self.rows)), self.rows)

    def test_are_summed_up(self):
        rows = self.rows + [Row(4, "survived", "a", 1, "b", "c"), Row(5, "caught", "a", 2, "b", "c"), Row(6, "wide", "a", 3, "b", "-"),
                            Row(7, "uncompilable", "a", 4, "b", "-"), Row(8, "gone", "a", 5, "b", "-")]
        rows += [Row(9, "later", "a", 6, "b", "c")] * 2
        self.assertEqual(results.summary(rows), "7 mutants: 2 caught (28.6 %), 2 later (28.6 %), 1 gone (14.3 %), 1 survived (14.3 %), "
                                                "1 equivalent (14.3 %); 1 uncompilable, 1 wide")


class Draws(unittest.TestCase):
    def test_depend_only_on_the_seed(self):
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

    def test_record_that_a_survivor_is_caught(self):
        survivor, place = Row(3, "survived", "a.cpp", 1, "b", "4 suites"), mock.Mock(source="a.cpp", line=1, change="b")
        with mock.patch.object(run, "read", return_value=[survivor]), mock.patch.object(run, "write") as written, \
                contextlib.redirect_stdout(io.StringIO()):
            run.Mutants(pathlib.Path("/")).end(3, place, trial.Outcome("caught", "c"))
        written.assert_called_once_with([survivor._replace(status="later", by="c")])

    def test_record_survivors_whose_code_has_changed(self):
        survivor = Row(3, "survived", "a.cpp", 2, "if (a [< → <=] 1) return g(a);", "4 suites")
        with mock.patch.object(run, "read", return_value=[survivor]), mock.patch.object(run, "texts_of", return_value={}), \
                mock.patch.object(run, "write") as written, mock.patch.object(run.Mutants, "run") as ran, \
                contextlib.redirect_stdout(io.StringIO()):
            run.Mutants(pathlib.Path("/")).again()
        written.assert_called_once_with([survivor._replace(status="gone", by="-")])
        ran.assert_called_once_with({}, set())

    def test_take_the_first_seeds_without_results(self):
        self.assertEqual(run.next_seeds({1, 2, 4}, 3), [3, 5, 6])


class Batches(unittest.TestCase):
    text = "int f(int a) {\n  if (a < 1)\n    g(a);\n  return 2 * a;\n}\n"

    def setUp(self):
        self.tree = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.tree / "a.cpp").write_text(self.text)
        places = run.all_places({"a.cpp": self.text})
        self.place = {variant.new: run.Place("a.cpp", self.text, variant) for _, variants in places for variant in variants}

    def batch(self, *changes):
        return batch.Batch(self.tree, self.tree, {number: self.place[change] for number, change in enumerate(changes, 1)})

    def make(self, made, *logs):
        with mock.patch.object(trial, "build_log", side_effect=[*logs, ""]) as built:
            made.make()
        self.assertEqual({call.args[2] for call in built.mock_calls}, {batch.MOST_FAILURES})

    def test_contain_mutants_that_do_not_overlap(self):
        self.assertEqual(self.batch("<=", "!(a < 1)", "/").numbers("a.cpp"), {1, 3})
        self.assertEqual(self.batch("<=").numbers("b.cpp"), set())

    def test_omit_mutants_that_do_not_compile(self):
        made = self.batch("<=", "/")
        error = f"{self.tree}/a.cpp:4:3: error: no\n{self.tree}/a.cpp:2:1: note: f is here\n"
        self.make(made, f"{error}/usr/include/b.h:2:1: error: no\n")
        self.assertEqual(made.numbers(), {1})
        self.assertIn("(1) ?", (self.tree / "a.cpp").read_text())
        self.assertNotIn("(2) ?", (self.tree / "a.cpp").read_text())

    def test_omit_mutants_by_paths_relative_to_the_build(self):
        made = batch.Batch(self.tree, self.tree / "build/mutants", {1: self.place["<="], 2: self.place["/"]})
        self.make(made, "../../a.cpp:4:3: error: no\n")
        self.assertEqual(made.numbers(), {1})

    def test_leave_out_mutants_named_in_notes_if_no_error_names_one(self):
        made = self.batch("<=", "/")
        self.make(made, f"/usr/include/b.h:2:1: error: no\n{self.tree}/a.cpp:2:1: note: in a call of f\n")
        self.assertEqual(made.numbers(), {2})

    def test_end_if_no_mutant_is_to_blame(self):
        with self.assertRaises(SystemExit):
            self.make(self.batch("<="), "ninja: error: no such file\n")

    def test_keep_the_modification_times_of_unchanged_sources(self):
        self.make(self.batch("<="))
        before = (self.tree / "a.cpp").stat().st_mtime_ns
        self.make(self.batch("<="))
        self.assertEqual((self.tree / "a.cpp").stat().st_mtime_ns, before)


class Builds(unittest.TestCase):
    def test_end_after_some_failures(self):
        with tempfile.TemporaryDirectory() as folder:
            edges = "".join(f"build {n}: fail\n  pool = one\n" for n in range(9))
            pathlib.Path(folder, "build.ninja").write_text("pool one\n  depth = 1\nrule fail\n  command = exit 1\n" + edges)
            self.assertEqual(trial.build_log(folder, [], 2).count("FAILED: "), 2)
            self.assertEqual(trial.build_log(folder, []).count("FAILED: "), 9)


class Suites(unittest.TestCase):
    def test_are_read_from_a_listing(self):
        self.assertEqual(suites.suites_in("Running main() from x.cc\nA.\n  One\nB/C.  # TypeParam = int\n  Two/0  # GetParam() = 1\n"),
                         ["A", "B/C"])

    def test_run_with_a_filter(self):
        units = [{"suite": suite, "command": ["tests", "--over=http"]} for suite in ("A", "B/C")]
        self.assertEqual(suites.command_of(units), ["tests", "--over=http", "--gtest_filter=A.*:B/C.*"])

    def test_are_measured_once(self):
        with tempfile.TemporaryDirectory() as folder:
            one = unit("a", 0, f"printf '\\0\\0\\1\\0' >$TALLY_MUTANTS_REACHED; echo x >>{folder}/runs")
            for _ in range(2):
                self.assertEqual(suites.measure(one, pathlib.Path(folder), 3)["reached"], [2])
            self.assertEqual(pathlib.Path(folder, "runs").read_text(), "x\n")

    def test_are_left_out_when_they_fail(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIsNone(suites.measure(unit("a", 0, "exit 1"), pathlib.Path(folder), 3))

    def test_are_measured_again_when_they_fail(self):
        """Immediately, and in each measurement that continues this one."""
        with tempfile.TemporaryDirectory() as folder:
            once = unit("a", 0, f"mkdir {folder}/once && exit 1 || exit 0")
            self.assertIsNotNone(suites.measure(once, pathlib.Path(folder), 3))
            killed = unit("b", 0, f"test -e {folder}/repaired || kill -INT $$")
            self.assertIsNone(suites.measure(killed, pathlib.Path(folder), 3))
            pathlib.Path(folder, "repaired").touch()
            self.assertIsNotNone(suites.measure(killed, pathlib.Path(folder), 3))

    def test_that_fail_are_counted(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()), \
                mock.patch.object(suites, "units", return_value=[unit("a", 0), unit("b", 0, "exit 1")]):
            units, failing = suites.measured(pathlib.Path(folder), 3)
        self.assertEqual(([one["test"] for one in units], failing), (["a"], 1))

    def test_that_reach_a_mutant_are_run(self):
        units = [unit("a", 0) | {"reached": [1, 2]}, unit("b", 0) | {"reached": [3]}]
        self.assertEqual([one["test"] for one in run.reaching(units, {2, 4})], ["a"])

    def test_are_all_run_if_none_is_known_to_reach_the_source(self):
        units = [unit("a", 0) | {"reached": [1]}, unit("b", 0) | {"reached": []}]
        self.assertEqual([one["test"] for one in run.nearest(units, {1})], ["a"])
        self.assertEqual([one["test"] for one in run.nearest(units, {2})], ["a", "b"])


class Trials(unittest.TestCase):
    def setUp(self):
        self.build_log = self.enterContext(mock.patch.object(trial, "build_log", return_value=""))

    def test_begin_with_the_shortest(self):
        groups, left_out = trial.chosen([unit("a", 50), unit("b", 10), unit("a", 1), unit("c", 170), unit("d", 20)], 90)
        self.assertEqual([[one["seconds"] for one in group] for group in groups], [[10], [20], [1, 50]])
        self.assertEqual(left_out, 1)

    def test_run_at_least_one_test(self):
        self.assertEqual(len(trial.chosen([unit("a", 10_000)], 90)[0]), 1)

    def test_end_with_the_first_test_that_fails(self):
        failing = "echo '[ RUN      ] A.B'; echo '[  FAILED  ] A.B (3 ms)'; exit 1"
        outcome = trial.try_units([unit("b", 2, "exit 1"), unit("a", 1, failing), unit("c", 0)])
        self.assertEqual(outcome, trial.Outcome("caught", "a A.B"))
        self.assertEqual(trial.try_units([unit("c", 0)]), trial.Outcome("survived", "1 suites"))
        self.assertEqual(trial.try_units([unit("c", 0)], failing=2), trial.Outcome("survived", "1 suites, 2 fail without it"))

    def test_choose_a_mutant_for_all_processes(self):
        self.assertEqual(trial.try_units([unit("a", 1, "sh -c 'test $TALLY_MUTANT = 5'")], 5).status, "survived")

    def test_name_the_test_in_which_a_program_crashes(self):
        self.assertEqual(trial.failure([unit("a", 0, "echo '[ RUN      ] A.B'; kill -9 $$")], 9), "A.B")

    def test_count_a_timeout_as_caught(self):
        self.assertEqual(trial.failure([unit("a", 0, "sleep 60")], 0.1), "timeout")

    def test_do_not_count_a_timeout_that_other_load_causes(self):
        with mock.patch.object(trial, "failure", side_effect=["timeout", ""]) as ran:
            self.assertEqual(trial.caught([unit("a", 10)], 7), "")
        self.assertEqual([call.args[1] for call in ran.mock_calls], [60, 120])
        with mock.patch.object(trial, "failure", side_effect=["timeout", "timeout"]):
            self.assertEqual(trial.caught([unit("a", 10)], 7), "timeout")

    def test_end_processes_that_a_test_has_started(self):
        with tempfile.TemporaryDirectory() as folder:
            trial.failure([unit("a", 0, f"setsid sleep 1000 & echo $! >{folder}/pid")], 9)
            process = int(pathlib.Path(folder, "pid").read_text())
            with contextlib.suppress(ProcessLookupError):
                self.assertTrue(select.select([os.pidfd_open(process)], [], [], 10)[0], "it still runs")

    def test_do_not_count_a_test_that_fails_only_once(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(trial.caught([unit("a", 0, f"mkdir {folder}/once && exit 1 || exit 0")], 0), "")

    def test_omit_mutants_that_do_not_compile(self):
        self.build_log.return_value = "error"
        self.assertEqual(trial.try_units([unit("a", 0)], build="build").status, "uncompilable")

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

    def test_require_a_text_that_occurs_once(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            self.assertEqual(len(promises.problems([self.variant], root)), 1)
            (root / "c.cpp").write_text("if (x < 1) y();")
            self.assertEqual(promises.problems([self.variant], root), [])
            self.assertEqual(self.variant.applied("if (x < 1) y();"), "if (x < 2) y();")
            (root / "c.cpp").write_text("if (x < 1 || !(x < 1)) y();")
            self.assertEqual(len(promises.problems([self.variant], root)), 1)


unittest.main()
