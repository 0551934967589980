"""Builds a changed tree, and runs tests on it until one of them notices."""

import contextlib
import os
import re
import signal
import subprocess
from typing import NamedTuple

import covering

# Seconds that the tests of one change may take in all, as they were measured; programs that would exceed it are left out.
BUDGET = 180


class Outcome(NamedTuple):
    status: str
    by: str


@contextlib.contextmanager
def changed(path, text):
    """The file has this text meanwhile."""
    before = path.read_text()
    path.write_text(text)
    try:
        yield
    finally:
        path.write_text(before)


def builds(build, programs):
    """Whether the programs are up to date now."""
    targets = [os.path.relpath(program, build) for program in programs]
    return subprocess.run(["ninja", "-C", build, "-j2", *targets], check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def seconds(units):
    return sum(unit["seconds"] for unit in units)


def by_test(units):
    """The units of each test, those first that take the least time, as long as the budget lasts."""
    groups = {}
    for unit in units:
        groups.setdefault(unit["test"], []).append(unit)
    kept, spent = [], 0
    for group in sorted(groups.values(), key=seconds):
        spent += seconds(group)
        if not kept or spent <= BUDGET:
            kept.append(group)
    return kept, len(groups) - len(kept)


def end(process):
    """Ends a process and those that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def failure(units, timeout):
    """The name of the first test that fails; empty if all pass."""
    command = covering.command_of(units)
    options = ["--gtest_fail_fast"] if units[0]["suite"] else []
    with subprocess.Popen([*command, *options], cwd=units[0]["folder"], start_new_session=True, text=True, errors="replace",
                          env=os.environ | units[0]["environment"] | covering.FEWER_TRIALS | {"LLVM_PROFILE_FILE": "/dev/null"},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            output = process.communicate(timeout=timeout)[0]
        except subprocess.TimeoutExpired:
            return "timeout"
        finally:
            end(process)
    return "" if process.returncode == 0 else failed_in(output)


def failed_in(output):
    """The test that failed, or the one that was running when the program ended."""
    failed = re.findall(r"^\[  FAILED  \] ([\w/.]+)", output, re.M) or re.findall(r"^\[ RUN      \] ([\w/.]+)", output, re.M)[-1:]
    return failed[0] if failed else "failure"


def caught(units):
    """What notices the change among the units of a test; empty if nothing does. A test must fail twice."""
    timeout = 20 + 4 * seconds(units)
    first = failure(units, timeout)
    if not first:
        return ""
    return first if first == "timeout" or failure(units, timeout) else ""


def try_change(build, units):
    """How the tests take the tree as it is now."""
    groups, left_out = by_test(units)
    for group in groups:
        if not builds(build, group[0]["programs"]):
            return Outcome("uncompilable", "-")
        by = caught(group)
        if by:
            return Outcome("caught", f"{group[0]['test']} {by}")
    return Outcome("survived", f"{len(groups)} programs" + (f", {left_out} left out" if left_out else ""))
