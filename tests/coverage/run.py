#!/usr/bin/python3
"""Measures how much of the hand-written code the tests run: run.py BUILD [PROFILES].

BUILD is the folder of the preset coverage. Runs the tests, each program as a whole, unless PROFILES is a folder with profiles that they
left. Fails if a goal is missed, or if a line that tests/coverage/uncovered.txt does not list does not run. Writes the
correct list to BUILD/uncovered.txt."""

import os
import pathlib
import shutil
import subprocess
import sys

import lcov
import uncovered

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
LISTED = FOLDER / "uncovered.txt"
# In percent of the lines and of the branches.
GOALS = {"lines": 98.0, "branches": 92.0}


def run_tests(build, profiles):
    """Runs each program once. %m gives each of them its file, to which all of its processes add."""
    shutil.rmtree(profiles, ignore_errors=True)
    profiles.mkdir()
    done = subprocess.run(["ctest", "--test-dir", build, "-LE", "single", "--output-on-failure", "-j3", "--timeout", "1800"],
                          env=os.environ | {"LLVM_PROFILE_FILE": f"{profiles}/%m.profraw"}, check=False)
    if done.returncode != 0:
        sys.exit("A test fails, so its coverage is not known")


def measure(build, profiles):
    """The hand-written sources."""
    lcov.merge(sorted(profiles.glob("**/*.profraw")), build / "coverage.profdata")
    text = lcov.export(build, ROOT, build / "coverage.profdata", lcov.programs(build))
    (build / "coverage.lcov").write_text(text)
    return lcov.parse(text, ROOT)


def figures(sources):
    """What ran, and what there is."""
    lines = sum(len(one.lines) for one in sources.values())
    idle = sum(len(one.uncovered()) for one in sources.values())
    return {"lines": (lines - idle, lines),
            "branches": (sum(one.taken for one in sources.values()), sum(one.branches for one in sources.values()))}


def percent(part, whole):
    return 100.0 * part / whole if whole else 0.0


def missed_goals(measured):
    return [f"{percent(*measured[name]):.2f} % of {name} run; the goal is {goal:.0f} %" for name, goal in GOALS.items()
            if percent(*measured[name]) < goal]


def problems(measured, found, listed):
    """What is wrong; empty if nothing is."""
    return missed_goals(measured) + [f"not listed in tests/coverage/uncovered.txt: {uncovered.shown(row)}"
                                     for row in uncovered.unlisted(found, listed)]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    profiles = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else build / "profiles"
    if len(sys.argv) <= 2:
        run_tests(build, profiles)
    sources = measure(build, profiles)
    found = uncovered.found_in(sources, uncovered.readable_names(sorted({name for one in sources.values()
                                                                         for _, name in one.functions})))
    (build / "uncovered.txt").write_text("".join(f"{uncovered.shown(row)}\n" for row in found))
    listed = uncovered.parse(LISTED.read_text())
    measured = figures(sources)
    for name, (part, whole) in measured.items():
        print(f"{name}: {part} of {whole}, {percent(part, whole):.2f} %")
    for row in uncovered.superfluous(found, listed):
        print(f"listed with more lines than are uncovered: {uncovered.shown(row)}")
    wrong = problems(measured, found, listed)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
