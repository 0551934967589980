#!/usr/bin/python3
"""Explores the interleavings of scenarios: run.py PROGRAM SEEDS [PATTERN].

Takes every schedule with up to two preemptions, and SEEDS more schedules of each random policy, which begin where the last run
of the scenario ended. PATTERN, such as *Pacer*, selects scenarios. Adds to the totals in tests/interleavings/totals.txt after each
scenario, so a run can be interrupted. Fails if a schedule does."""

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
# The schedules of each scenario that `./dev prove interleavings` has run, the last seed, and how many preemptions the exhaustive
# search permitted; -: it did not end.
"""


class Total(NamedTuple):
    schedules: int = 0
    seed: int = 0
    preemptions: str = "-"


def added(total, result, seed):
    """The total with the result of a run, whose last seed this is."""
    preemptions = max(total.preemptions, result["preemptions"])
    return Total(total.schedules + int(result["schedules"]), seed, preemptions)


def scenarios(program, pattern):
    listed = subprocess.run([program, "--gtest_list_tests", f"--gtest_filter=Interleavings.{pattern}"], check=True,
                            capture_output=True, text=True).stdout
    return [line.strip() for line in listed.splitlines() if line.startswith("  ")]


def explore(program, scenario, seeds, first):
    """The result of the scenario, or None if it failed."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        status = subprocess.run(
            [program, "--gtest_brief", f"--gtest_filter=Interleavings.{scenario}", f"--gtest_output=json:{report}"], check=False,
            env=os.environ | {"TALLY_INTERLEAVINGS": f"{PREEMPTIONS},{seeds},{first}"}).returncode
        if status == 0:
            return json.loads(report.read_text())["testsuites"][0]["testsuite"][0]
    return None


def main():
    program, seeds = sys.argv[1], int(sys.argv[2])
    pattern = sys.argv[3] if len(sys.argv) > 3 else "*"
    totals = files.read(TOTALS, Total)
    failed = False
    for scenario in scenarios(program, pattern):
        total = totals.get(scenario, Total())
        result = explore(program, scenario, seeds, total.seed + 1)
        if result is None:
            failed = True
            continue
        totals[scenario] = added(total, result, total.seed + seeds)
        TOTALS.write_text(files.text_of(ABOUT, "scenario", totals, Total))
    sys.exit(failed)


if __name__ == "__main__":
    main()
