#!/usr/bin/python3
"""Feeds inputs to the targets of tests/fuzz: run.py BUILD SECONDS [TARGET...].

BUILD is the folder of the preset fuzz. Each target runs for SECONDS, from the committed corpus and from what earlier runs have
kept in BUILD/corpus. Adds to the totals in tests/fuzz/totals.txt. Prints the command that repeats what breaks a target, and then
fails."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

FOLDER = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(FOLDER.parent / "support"))

import totals as files  # noqa: E402

TOTALS = FOLDER / "totals.txt"

ABOUT = """\
# The runs of the targets of tests/fuzz in total, how many of them broke a target, the edges covered last, and the last seed.
# `./dev prove inputs` adds to them.
"""


class Total(NamedTuple):
    runs: int = 0
    found: int = 0
    edges: int = 0
    seed: int = 0

    def plus(self, run):
        return Total(self.runs + run.runs, self.found + run.found, run.edges or self.edges, run.seed)


def last(pattern, log):
    found = re.findall(pattern, log, re.M)
    return int(found[-1]) if found else 0


def run_in(log, status, seed):
    """What a run of libFuzzer adds. One that was interrupted has no final figures."""
    runs = last(r"^stat::number_of_executed_units: +(\d+)", log) or last(r"^#(\d+)\b", log)
    return Total(runs, int(status != 0), last(r"\bcov: (\d+)", log), seed)


def problem_in(log):
    """The invariant, or what a sanitizer says."""
    found = re.search(r"^(Broken: .*|.*runtime error: .*|SUMMARY: .*)$", log, re.M)
    return found.group(1) if found else "no reason is known"


def repetition_in(log, program):
    """The command that repeats it."""
    found = re.search(r"Test unit written to (\S+)", log)
    return f"{program} {found.group(1)}" if found else f"{program}, which wrote no input"


def run(build, target, seconds, seed):
    """Returns what is added, and what is wrong; empty if nothing is."""
    program = build / "tests/fuzz" / f"fuzz_{target}"
    kept, broken = build / "corpus" / target, build / "broken" / target
    for folder in (kept, broken):
        folder.mkdir(parents=True, exist_ok=True)
    dictionary = FOLDER / "dictionaries" / f"{target}.dict"
    arguments = [f"-max_total_time={seconds}", f"-seed={seed}", "-timeout=25", "-rss_limit_mb=4096", "-print_final_stats=1",
                 f"-artifact_prefix={broken}/", *([f"-dict={dictionary}"] if dictionary.exists() else [])]
    done = subprocess.run([program, *arguments, kept, FOLDER / "corpus" / target], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    log = done.stdout.decode(errors="replace")
    wrong = f"{target}: {problem_in(log)}\n  {repetition_in(log, program)}" if done.returncode else ""
    return run_in(log, done.returncode, seed), wrong


def main():
    build, seconds, *targets = sys.argv[1:]
    totals = files.read(TOTALS, Total)
    targets = targets or sorted(folder.name for folder in (FOLDER / "corpus").iterdir())
    found = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(run, pathlib.Path(build), target, seconds, totals.get(target, Total()).seed + 1): target
                for target in targets}
        for ended in concurrent.futures.as_completed(runs):
            added, wrong = ended.result()
            target = runs[ended]
            totals[target] = totals.get(target, Total()).plus(added)
            TOTALS.write_text(files.text_of(ABOUT, "target", totals, Total))
            print(wrong or f"{target}: {added.runs} runs, {added.edges} edges", flush=True)
            found += [target] if wrong else []
    sys.exit(f"Broken: {', '.join(found)}" if found else 0)


if __name__ == "__main__":
    main()
