"""Builds a changed tree, and runs tests on it until one of them fails."""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import uuid
from typing import NamedTuple

import suites

# Seconds that the tests of one mutant may take in all, as they were measured; suites that would exceed it are left out.
BUDGET = 90


class Outcome(NamedTuple):
    status: str
    by: str


@contextlib.contextmanager
def changed(path, text):
    """The file has this text until the end of the block."""
    before = path.read_text()
    path.write_text(text)
    try:
        yield
    finally:
        path.write_text(before)


def build_log(build, programs, most=0):
    """What building the programs, all of them if none is given, prints; empty if it succeeds. Ends after so many failures; 0: never."""
    targets = [os.path.relpath(program, build) for program in programs]
    done = subprocess.run(["ninja", "-C", build, "-k", str(most), *targets], check=False, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout if done.returncode != 0 else ""


def chosen(units, budget):
    """The units that take the least time, as long as the budget lasts, by test; and how many are left out."""
    groups, spent, left_out = {}, 0, 0
    for unit in sorted(units, key=lambda unit: unit["seconds"]):
        spent += unit["seconds"]
        if spent <= budget or not groups:
            groups.setdefault(unit["test"], []).append(unit)
        else:
            left_out += 1
    return sorted(groups.values(), key=seconds), left_out


def seconds(units):
    return sum(unit["seconds"] for unit in units)


def end(mark):
    """Ends every process that has the mark in its environment, such as a server that a test started.

    A process shows no environment while it begins to run another program, so this looks until it finds none twice."""
    idle = 0
    while idle < 2:
        idle = 0 if end_marked(mark) else idle + 1


def end_marked(mark):
    """Returns how many of them were found."""
    found = 0
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (path / "environ").read_bytes():
                os.kill(int(path.name), signal.SIGKILL)
                found += 1
    return found


def failure(units, timeout, number=0):
    """The name of the first test that fails while this mutant is on; empty if all pass."""
    command = suites.command_of(units)
    options = ["--gtest_fail_fast"] if units[0]["suite"] else []
    mark = f"TALLY_MUTANT_TRIAL={uuid.uuid4()}"
    environment = os.environ | units[0]["environment"] | suites.FEWER_TRIALS | dict([mark.split("=")]) | {"TALLY_MUTANT": str(number)}
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([*command, *options], cwd=units[0]["folder"], env=environment, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT, preexec_fn=suites.limit_resources)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            return "timeout"
        finally:
            process.kill()
            process.wait()
            end(mark)
        output.seek(0)
        return "" if status == 0 else failed_in(output.read(1 << 24).decode(errors="replace"))


def failed_in(output):
    """The test that failed, or the one that was running when the program ended."""
    failed = re.findall(r"^\[  FAILED  \] ([\w/.]+)", output, re.M) or re.findall(r"^\[ RUN      \] ([\w/.]+)", output, re.M)[-1:]
    return failed[0] if failed else "failure"


def caught(units, number):
    """What detects the mutant among the units of a test; empty if nothing does. A test must fail twice, the second time with twice
    the time, since other load may slow down the first run."""
    timeout = 20 + 4 * seconds(units)
    first = failure(units, timeout, number)
    return first if first and failure(units, 2 * timeout, number) else ""


def try_units(units, number=0, build=None, budget=BUDGET, failing=0):
    """The outcome of a mutant: the one that is on, or the change of the tree, for which the build renews the programs.

    The outcome of a survivor says how many suites fail without it, since they might have detected it."""
    groups, left_out = chosen(units, budget)
    for group in groups:
        if build and build_log(build, sorted({program for unit in group for program in unit["programs"]})):
            return Outcome("uncompilable", "-")
        by = caught(group, number)
        if by:
            return Outcome("caught", f"{group[0]['test']} {by}")
    return Outcome("survived", f"{len(units) - left_out} suites" + (f", {left_out} left out" if left_out else "") +
                   (f", {failing} fail without it" if failing else ""))
