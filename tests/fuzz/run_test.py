#!/usr/bin/python3
"""Tests run.py on logs of libFuzzer, and on a program in place of the targets."""

import contextlib
import io
import os
import pathlib
import signal
import sys
import tempfile
import threading
import unittest
from collections import Counter
from unittest import mock

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

# Runs until it is interrupted, merges the first of its inputs, or breaks.
PROGRAM = f"""\
#!/usr/bin/python3
import pathlib, signal, sys, time
def interrupted(*_):
    print("stat::number_of_executed_units: 30", flush=True)
    sys.exit({run.INTERRUPTED})
signal.signal(signal.SIGINT, interrupted)
if "-merge=1" in sys.argv:
    merged, kept = map(pathlib.Path, sys.argv[-2:])
    (merged / "a").write_bytes((kept / "a").read_bytes())
    sys.exit(0)
print({BROKEN!r} if "query" in sys.argv[0] else "#2 INITED cov: 9", flush=True)
if "query" in sys.argv[0]:
    sys.exit(77)
pathlib.Path(sys.argv[1], "begun").touch()
signal.pause()
"""


class Runs(unittest.TestCase):
    def test_are_read_from_the_final_figures(self):
        self.assertEqual(run.run_in(PASSED, 0, 7), Total(1054, 0, 1201, 7))

    def test_are_read_from_the_last_progress_line_after_a_crash(self):
        self.assertEqual(run.run_in(BROKEN, 77, 8), Total(70, 1, 1012, 8))

    def test_break_nothing_if_they_are_interrupted(self):
        self.assertEqual(run.run_in(PASSED, run.INTERRUPTED, 7), Total(1054, 0, 1201, 7))

    def test_name_the_broken_invariant_and_its_input(self):
        self.assertEqual(run.problem_in(BROKEN), "Broken: what is written is read")
        self.assertEqual(run.repetition_in(BROKEN, "fuzz_har"), "fuzz_har broken/har/crash-1f")

    def test_name_the_error_that_a_sanitizer_found(self):
        self.assertEqual(run.problem_in("a.cpp:3:5: runtime error: signed integer overflow\nSUMMARY: x"),
                         "a.cpp:3:5: runtime error: signed integer overflow")
        self.assertEqual(run.problem_in(""), "no reason is known")

    def test_are_of_targets_below_their_goals_first_one_after_the_other(self):
        totals = {"har": Total(2_000_000), "journal": Total(300_000), "query": Total(10_000_000)}
        self.assertEqual(run.next_of(["har", "journal", "query"], totals, Counter()), "har")
        self.assertEqual(run.next_of(["har", "journal", "query"], totals, Counter(har=1)), "journal")
        self.assertEqual(run.next_of(["har", "journal", "query"], totals, Counter(har=9, journal=9)), "har")
        self.assertEqual(run.next_of(["query"], totals, Counter(query=9)), "query")

    def test_are_thorough_from_time_to_time(self):
        lengths = [run.longest_input("checkpoint", seed) for seed in range(1, 9)]
        self.assertEqual(lengths, [256, 256, 256, 4096] * 2)
        fast = [run.FAST in run.sanitizer_options(seed) for seed in range(1, 5)]
        self.assertEqual(fast, [True, True, True, False])


class Totals(unittest.TestCase):
    def test_add_up(self):
        total = Total(1000, 2, 500, 3).plus(Total(10, 1, 510, 4))
        self.assertEqual(total, Total(1010, 3, 510, 4))
        self.assertEqual(total.plus(Total(0, 1, 0, 5)).edges, 510)


class Search(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        programs = self.folder / "tests/fuzz"
        programs.mkdir(parents=True)
        for target in ("har", "query"):
            (programs / f"fuzz_{target}").write_text(PROGRAM)
            (programs / f"fuzz_{target}").chmod(0o755)
        self.totals = self.folder / "totals.txt"
        self.enterContext(mock.patch.object(run, "TOTALS", self.totals))
        self.enterContext(contextlib.redirect_stdout(io.StringIO()))

    def search(self, targets):
        return run.Search(self.folder, 600, targets, str(self.folder))

    def test_adds_what_it_has_run_when_it_is_stopped(self):
        search = self.search(["har"])
        job = threading.Thread(target=search.work)
        job.start()
        while not (self.folder / "corpus/har/begun").exists():
            self.assertTrue(job.is_alive())
        search.stop()
        job.join()
        self.assertEqual(run.files.read(self.totals, Total), {"har": Total(30, 0, 9, 1)})
        self.assertEqual(search.broken, [])

    def test_adds_what_it_has_run_when_its_process_is_terminated(self):
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))

        def terminate():
            while not (self.folder / "corpus/har/begun").exists():
                pass
            os.kill(os.getpid(), signal.SIGTERM)

        threading.Thread(target=terminate).start()
        with mock.patch.object(sys, "argv", ["run.py", str(self.folder), "600", "har"]), self.assertRaises(SystemExit) as ended:
            run.main()
        self.assertEqual(ended.exception.code, 0)
        self.assertEqual(run.files.read(self.totals, Total), {"har": Total(30, 0, 9, 1)})

    def test_runs_a_target_no_longer_once_it_is_broken(self):
        search = self.search(["query"])
        search.work()
        self.assertEqual(run.files.read(self.totals, Total), {"query": Total(70, 1, 1012, 1)})
        self.assertEqual(search.broken, ["query"])

    def test_keeps_what_a_merge_keeps(self):
        search = self.search(["har"])
        kept = search.folder("corpus", "har")
        for name in ("a", "b"):
            (kept / name).write_text(name)
        search.merge("har", 8)
        self.assertEqual([file.name for file in kept.iterdir()], ["a"])


unittest.main()
