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

TOTALS = pathlib.Path(__file__).resolve().parent / "totals.txt"
PREEMPTIONS = 2
HEADER = """\
# The schedules that `./dev prove interleavings` has run of each scenario, the last seed, and how many preemptions the search of
# every schedule permitted; -: it did not end.
#
# scenario  schedules  seed  preemptions
"""


class Total(NamedTuple):
    schedules: int = 0
    seed: int = 0
    preemptions: str = "-"


def parse(text):
    """The totals by scenario."""
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {name: Total(int(schedules), int(seed), preemptions) for name, schedules, seed, preemptions in rows}


def added(totals, results, seed):
    """The totals with the results of a run, whose last seed this is."""
    new = dict(totals)
    for result in results:
        before = new.get(result["name"], Total())
        preemptions = max(before.preemptions, result["preemptions"])
        new[result["name"]] = Total(before.schedules + int(result["schedules"]), seed, preemptions)
    return new


def text_of(totals):
    rows = (f"{name}  {total.schedules}  {total.seed}  {total.preemptions}\n" for name, total in sorted(totals.items()))
    return HEADER + "".join(rows)


def main():
    program, seeds = sys.argv[1], int(sys.argv[2])
    totals = parse(TOTALS.read_text()) if TOTALS.exists() else {}
    first = max((total.seed for total in totals.values()), default=0) + 1
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        status = subprocess.run(
            [program, "--gtest_filter=Interleavings.*", f"--gtest_output=json:{report}"], check=False,
            env=os.environ | {"TALLY_INTERLEAVINGS": f"{PREEMPTIONS},{seeds},{first}"}).returncode
        if status != 0:
            sys.exit(status)
        results = json.loads(report.read_text())["testsuites"][0]["testsuite"]
    TOTALS.write_text(text_of(added(totals, results, first + seeds - 1)))


if __name__ == "__main__":
    main()
