#!/usr/bin/python3
"""Fails every call of all scenarios in turn: run.py PLACES PROGRAM...

PLACES is the number of places to try in each scenario, or `all`. Adds to the totals in tests/failing_calls/totals.txt. Fails if a
scenario does."""

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
ABOUT = """\
# The calls that `./dev prove failing-calls` has made fail in each scenario: how many places there were last time, how many of
# them a run has reached in total, how many of these runs were wrong, and the last seed.
"""


class Total(NamedTuple):
    places: int = 0
    runs: int = 0
    found: int = 0
    seed: int = 0


def added(totals, results, seed):
    """The totals with the results of a run with this seed. What was skipped adds nothing."""
    new = dict(totals)
    for result in results:
        if "places" not in result:
            continue
        before = new.get(result["name"], Total())
        new[result["name"]] = Total(int(result["places"]), before.runs + int(result["runs"]),
                                    before.found + int(result["found"]), seed)
    return new


def run(program, places, seed, report):
    """Returns whether nothing was found, and the results."""
    asked = places if places == "all" else f"{places},{seed}"
    ended = subprocess.run([program, "--gtest_filter=EachFailingCall.*", f"--gtest_output=json:{report}"], check=False,
                           env=os.environ | {"TALLY_FAILING_CALLS": asked})
    results = json.loads(report.read_text())["testsuites"][0]["testsuite"]
    suffix = "Poll" if program.endswith("_poll") else ""
    return ended.returncode == 0, [result | {"name": result["name"] + suffix} for result in results]


def main():
    places, *programs = sys.argv[1:]
    totals = files.read(TOTALS, Total)
    seed = max((total.seed for total in totals.values()), default=0) + 1
    passed = True
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            is_clean, results = run(program, places, seed, pathlib.Path(folder, "report.json"))
        totals = added(totals, results, seed)
        TOTALS.write_text(files.text_of(ABOUT, "scenario", totals, Total))
        passed = passed and is_clean
    sys.exit(not passed)


if __name__ == "__main__":
    main()
