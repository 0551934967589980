#!/usr/bin/python3
"""Feeds inputs to the targets of tests/fuzz: run.py BUILD SECONDS [--jobs N] [TARGET...].

BUILD is the folder of the preset fuzz. For SECONDS, each of N jobs runs one target after the other, those below their goals first, for
some minutes and with a new seed. By default, there is a job for each processor. Targets begin from the committed corpus and from what
earlier runs have kept in BUILD/corpus. Adds to the totals in tests/fuzz/totals.txt after each run, also if interrupted. Prints the
command that repeats what breaks a target, no longer runs that target, and fails in the end."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
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

GOAL = 10_000_000
SLOW_GOALS = dict.fromkeys(("client_fake", "comparison", "journal", "journal_file"), 1_000_000)

LONGEST_RUN = 180  # seconds
MERGED_EVERY = 8  # runs
THOROUGH_EVERY = 4  # runs
INTERRUPTED = 72  # the status of libFuzzer after SIGINT

# Without what makes targets several times slower: stacks of allocations, which a repetition shows, memory that is not reused while it is
# in the cache, and weights of inputs. Only thorough runs look for uses of variables after their functions have returned.
SANITIZER = "malloc_context_size=0:max_malloc_fill_size=64:quarantine_size_mb=8:thread_local_quarantine_size_kb=512"
FAST = ":detect_stack_use_after_return=0"
FASTER = ["-entropic=0", "-print_funcs=0"]


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


def is_broken(status):
    return status not in (0, INTERRUPTED)


def run_in(log, status, seed):
    """What a run of libFuzzer adds. One that was killed has no final figures."""
    runs = last(r"^stat::number_of_executed_units: +(\d+)", log) or last(r"^#(\d+)\b", log)
    return Total(runs, int(is_broken(status)), last(r"\bcov: (\d+)", log), seed)


def problem_in(log):
    """The invariant, or what a sanitizer says."""
    found = re.search(r"^(Broken: .*|.*runtime error: .*|SUMMARY: .*)$", log, re.M)
    return found.group(1) if found else "no reason is known"


def repetition_in(log, program):
    """The command that repeats it."""
    found = re.search(r"Test unit written to (\S+)", log)
    return f"{program} {found.group(1)}" if found else f"{program}, which wrote no input"


def next_of(targets, totals, turns):
    """The target that is to run next. Those below their goals run first, one after the other."""
    def order(target):
        part = totals.get(target, Total()).runs / SLOW_GOALS.get(target, GOAL)
        return part >= 1, turns[target], part
    return min(targets, key=order)


def is_thorough(seed):
    return seed % THOROUGH_EVERY == 0


def longest_input(target, seed):
    """Other runs than thorough ones have inputs that are at most as long as the committed ones, since these are faster."""
    committed = max(file.stat().st_size for file in (FOLDER / "corpus" / target).iterdir())
    return max(4096, 2 * committed) if is_thorough(seed) else max(256, committed)


def sanitizer_options(seed):
    return SANITIZER + ("" if is_thorough(seed) else FAST)


class Search:
    """What the jobs share."""

    def __init__(self, build, seconds, targets, scratch):
        self.build = build
        self.end = time.monotonic() + seconds
        self.free = set(targets)
        self.turns = collections.Counter()
        self.scratch = scratch
        self.totals = files.read(TOTALS, Total)
        self.processes = set()
        self.broken = []
        self.lock = threading.Lock()

    def work(self):
        """A job: one run after the other."""
        while target := self.take():
            seed = self.totals.get(target, Total()).seed + 1
            if seed % MERGED_EVERY == 0:
                self.merge(target, seed)
            status, log = self.call(target, seed, self.arguments(target, seed))
            self.add(target, run_in(log, status, seed), is_broken(status) and self.explanation(target, log))

    def take(self):
        with self.lock:
            if not self.free or self.end - time.monotonic() < 1:
                return None
            target = next_of(sorted(self.free), self.totals, self.turns)
            self.turns[target] += 1
            self.free.remove(target)
            return target

    def add(self, target, run, wrong):
        with self.lock:
            self.totals[target] = self.totals.get(target, Total()).plus(run)
            TOTALS.write_text(files.text_of(ABOUT, "target", self.totals, Total))
            print(wrong or f"{target}: {run.runs} runs, {run.edges} edges", flush=True)
            if wrong:
                self.broken.append(target)
            else:
                self.free.add(target)

    def stop(self):
        with self.lock:
            self.end = 0
            for process in self.processes:
                process.send_signal(signal.SIGINT)

    def call(self, target, seed, arguments):
        """Returns the status and the output of the program."""
        with self.lock:
            if self.end == 0:
                return INTERRUPTED, ""
            process = subprocess.Popen([self.program(target), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                       env=os.environ | {"ASAN_OPTIONS": sanitizer_options(seed), "TMPDIR": self.scratch})
            self.processes.add(process)
        log = process.communicate()[0].decode(errors="replace")
        with self.lock:
            self.processes.remove(process)
        return process.returncode, log

    def program(self, target):
        return self.build / "tests/fuzz" / f"fuzz_{target}"

    def folder(self, kind, target):
        folder = self.build / kind / target
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def arguments(self, target, seed):
        dictionary = FOLDER / "dictionaries" / f"{target}.dict"
        seconds = max(1, int(min(self.end - time.monotonic(), LONGEST_RUN)))
        return [self.folder("corpus", target), FOLDER / "corpus" / target, f"-artifact_prefix={self.folder('broken', target)}/",
                f"-max_total_time={seconds}", f"-max_len={longest_input(target, seed)}", f"-seed={seed}", *FASTER, "-timeout=25",
                "-rss_limit_mb=4096", "-print_final_stats=1", *([f"-dict={dictionary}"] if dictionary.exists() else [])]

    def merge(self, target, seed):
        """Keeps only inputs that cover more than smaller ones do."""
        kept, merged = self.folder("corpus", target), self.folder("merged", target)
        status, _ = self.call(target, seed, ["-merge=1", "-timeout=25", merged, kept])
        if status == 0:
            shutil.rmtree(kept)
            merged.rename(kept)
        else:
            shutil.rmtree(merged)

    def explanation(self, target, log):
        return f"{target}: {problem_in(log)}\n  {repetition_in(log, self.program(target))}"


def parsed(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("seconds", type=int)
    parser.add_argument("targets", nargs="*", default=sorted(folder.name for folder in (FOLDER / "corpus").iterdir()))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args(arguments)


def main():
    options = parsed(sys.argv[1:])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as scratch:
        search = Search(options.build, options.seconds, options.targets, scratch)
        # A join() that is interrupted would forget its thread, so the pool waits.
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            jobs = [pool.submit(search.work) for _ in range(options.jobs)]
            try:
                for job in jobs:
                    job.result()
            except KeyboardInterrupt:
                search.stop()
    sys.exit(f"Broken: {', '.join(search.broken)}" if search.broken else 0)


if __name__ == "__main__":
    main()
