#!/usr/bin/python3
"""Simulates seeds until CALLS more calls have been made: run.py PROGRAM CALLS.

PROGRAM is simulation_runs. Runs on all cores, and begins with the seed after the last one of earlier runs. Adds to the totals in
tests/simulation/totals.txt. Prints what breaks a rule, and then fails."""

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
NAME = "everything"
ABOUT = """\
# What `./dev prove simulation` has run in total, how many seeds broke a rule, and the last seed.
"""


class Total(NamedTuple):
    calls: int = 0
    requests: int = 0
    steps: int = 0
    found: int = 0
    seed: int = 0

    def plus(self, run):
        return Total(*(a + b for a, b in zip(self[:4], run[:4])), max(self.seed, run.seed))


def run_in(log, seed):
    """What a run of the program adds, and what it says about broken rules."""
    found = re.search(r"^calls (\d+) requests (\d+) steps (\d+) found (\d+)$", log, re.M)
    if not found:
        return Total(found=1, seed=seed), log  # it crashed
    total = Total(*map(int, found.groups()), seed)
    return total, log[:found.start()] if total.found else ""


def run(program, seed):
    done = subprocess.run([program, "--seeds", f"{seed}..{seed}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return run_in(done.stdout.decode(errors="replace"), seed)


def main():
    program, calls = sys.argv[1], int(sys.argv[2])
    total = files.read(TOTALS, Total).get(NAME, Total())
    begun, next_seed, running, broken = total.calls, total.seed + 1, set(), False
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        while running or total.calls - begun < calls:
            while len(running) < os.cpu_count() and total.calls - begun < calls:
                running.add(pool.submit(run, program, next_seed))
                next_seed += 1
            ended, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for one in ended:
                added, wrong = one.result()
                total = total.plus(added)
                TOTALS.write_text(files.text_of(ABOUT, "simulation", {NAME: total}, Total))
                broken = broken or bool(wrong)
                print(wrong or f"seed {added.seed}: {added.calls} calls", flush=True)
    print(f"{total.calls} calls in total, {total.calls - begun} of them in this run")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
