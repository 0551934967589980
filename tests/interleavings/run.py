#!/usr/bin/python3
"""Explores the interleavings of all scenarios: run.py PROGRAM SEEDS.

Takes every schedule with up to two preemptions, and SEEDS more schedules of each random policy, which begin where the last run
ended. Adds to the totals in tests/interleavings/totals.txt. Fails if a schedule does."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import NamedTuple

FOLDER = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(FOLDER.parent / "support"))

import totals as files  # noqa: E402

TOTALS = FOLDER / "totals.txt"
PREEMPTIONS = 2
ABOUT = """\
# The schedules that `./dev prove interleavings` has run of each scenario, the last seed, and how many preemptions the search of
# every schedule permitted; -: it did not end.
"""


class Total(NamedTuple):
    schedules: int = 0
    seed: int = 0
    preemptions: str = "-"


def added(totals, results, seed):
    """The totals with the results of a run, whose last seed this is."""
    new = dict(totals)
    for result in results:
        before = new.get(result["name"], Total())
        preemptions = max(before.preemptions, result["preemptions"])
        new[result["name"]] = Total(before.schedules + int(result["schedules"]), seed, preemptions)
    return new


def main():
    program, seeds = sys.argv[1], int(sys.argv[2])
    totals = files.read(TOTALS, Total)
    first = max((total.seed for total in totals.values()), default=0) + 1
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        status = subprocess.run(
            [program, "--gtest_filter=Interleavings.*", f"--gtest_output=json:{report}"], check=False,
            env=os.environ | {"TALLY_INTERLEAVINGS": f"{PREEMPTIONS},{seeds},{first}"}).returncode
        if status != 0:
            sys.exit(status)
        results = json.loads(report.read_text())["testsuites"][0]["testsuite"]
    TOTALS.write_text(files.text_of(ABOUT, "scenario", added(totals, results, first + seeds - 1), Total))


if __name__ == "__main__":
    main()
