#!/usr/bin/python3
"""Fails the calls of all scenarios in turn: run.py PLACES PROGRAM...

PLACES is the number of places to try next in each scenario, or `all`, which ends when each has been tried. Continues where the
last run has stopped, with the scenarios that have passed least often. Adds to the totals in tests/failing_calls/totals.txt after every
few places, so it can be interrupted. Fails if a scenario does."""

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
# them a run has reached in total, how many of these runs were wrong, how often all of them have been tried, and how far the
# present pass through them has come, in millionths.
"""
END_OF_PASS = 1_000_000
PART = 100  # places between two updates of the totals


class Scenario(NamedTuple):
    program: str
    name: str

    def key(self):
        """Its name in the totals."""
        return self.name + ("Poll" if self.program.endswith("_poll") else "")


class Total(NamedTuple):
    places: int = 0
    runs: int = 0
    found: int = 0
    passes: int = 0
    position: int = 0


def added(total, result):
    """The total with the results of a part of a pass."""
    position = int(result["next"])
    has_passed = position >= END_OF_PASS
    return Total(int(result["places"]), total.runs + int(result["runs"]), total.found + int(result["found"]),
                 total.passes + has_passed, 0 if has_passed else position)


def try_scenario(total, places, run, keep):
    """Tries the next places, or the rest of the pass. `run` tries a number of places from a position, and returns whether
    nothing was found, and the result, which is empty if the scenario is skipped. Passes each total to `keep`."""
    passed = True
    passes = total.passes
    left = END_OF_PASS if places == "all" else int(places)
    while left > 0 and total.passes == passes:
        is_clean, result = run(min(left, PART), total.position)
        passed = passed and is_clean
        if "places" not in result:
            break
        total = added(total, result)
        keep(total)
        left -= PART
    return passed


def scenarios_of(program):
    listed = subprocess.run([program, "--gtest_list_tests", "--gtest_filter=EachFailingCall.*"], check=True, text=True, stdout=subprocess.PIPE)
    return [line.strip() for line in listed.stdout.splitlines() if line.startswith("  ")]


def ordered(scenarios, totals):
    """Those that have passed least often first, and of these the shortest."""
    def order(scenario):
        total = totals.get(scenario.key(), Total())
        return total.passes, total.places
    return sorted(scenarios, key=order)


def run(scenario, places, position):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        ended = subprocess.run([scenario.program, "--gtest_brief=1", f"--gtest_filter=EachFailingCall.{scenario.name}",
                                f"--gtest_output=json:{report}"],
                               check=False, env=os.environ | {"TALLY_FAILING_CALLS": f"{places},{position}"})
        return ended.returncode == 0, json.loads(report.read_text())["testsuites"][0]["testsuite"][0]


def main():
    places, *programs = sys.argv[1:]
    scenarios = [Scenario(program, name) for program in programs for name in scenarios_of(program)]
    passed = True
    for scenario in ordered(scenarios, files.read(TOTALS, Total)):

        def keep(total, key=scenario.key()):
            totals = files.read(TOTALS, Total) | {key: total}
            TOTALS.write_text(files.text_of(ABOUT, "scenario", totals, Total))

        def run_part(count, position, scenario=scenario):
            return run(scenario, count, position)

        before = files.read(TOTALS, Total).get(scenario.key(), Total())
        passed = try_scenario(before, places, run_part, keep) and passed
    sys.exit(not passed)


if __name__ == "__main__":
    main()
