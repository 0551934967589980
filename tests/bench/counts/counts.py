#!/usr/bin/python3
"""Counts instructions and allocations of tally's own code: counts.py check PROGRAM, or counts.py write PROGRAM [REASON].

PROGRAM is tally_counts. `check` fails if a count exceeds the one in tests/bench/counts.txt by more than 2 %, or if the last change of
that file let one grow without a new reason. `write` updates the rows that changed by more; REASON says why rows grew."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

FILE = pathlib.Path(__file__).resolve().parents[1] / "counts.txt"
OPERATIONS = 512  # a multiple of the simulated callers
TOLERANCE = 1.02

HEADER = """\
# Instructions and allocations of one operation, in tally's own code; see docs/decisions/0029-counts.md.
# `./dev counts` writes this file; `./dev check counts` compares it. Compiled by {compiler}.
#
# path            instructions  allocations  why it last grew
"""


class Row(NamedTuple):
    instructions: float
    allocations: float
    reason: str = ""

    def growth_from(self, old):
        """Describes each count that has grown too much."""
        for name, was, now in zip(self._fields, old[:2], self[:2]):
            if now > TOLERANCE * was:
                yield f"{name} grew from {shown(was)} to {shown(now)}" + (f" (+{now / was - 1:.1%})" if was else "")

    def grew_from(self, old):
        return any(self.growth_from(old))

    def shrank_from(self, old):
        return old.grew_from(self)


def shown(count):
    return f"{count:.0f}" if count > 999 else f"{count:.2f}"


def parse(text):
    """The rows of the file, by path."""
    rows = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            try:
                path, instructions, allocations, *reason = line.split(None, 3)
                rows[path] = Row(float(instructions), float(allocations), "".join(reason))
            except ValueError:
                sys.exit(f"Not a path and two counts in {FILE.name}: {line}")
    return rows


def written(rows, compiler):
    """The text of the file."""
    lines = (f"{path:<17} {row.instructions:>12.0f} {row.allocations:>12.2f}  {row.reason}".rstrip() for path, row in rows.items())
    return HEADER.format(compiler=compiler) + "\n".join(lines) + "\n"


def own_instructions(profile, program):
    """The instructions that a profile of callgrind attributes to the program itself, and not to a shared library."""
    names, own, total, inclusive = {}, False, 0, False
    for line in profile.splitlines():
        if found := re.fullmatch(r"c?ob=(\(\d+\))?(?: ?(.+))?", line):
            number, name = found.groups()
            name = names.setdefault(number, name) if number else name
            own = name == program if line.startswith("ob") else own
        elif line.startswith("calls="):
            inclusive = True  # the next line is the cost of the callee
        elif re.match(r"[\d+*-]", line):
            cost = line.split()[1:]
            total += int(cost[0]) if own and cost and not inclusive else 0
            inclusive = False
    return total


def measure(program, path):
    """In an environment of its own, since names of folders and locales come from there."""
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile"
        command = ["valgrind", "--tool=callgrind", "--collect-atstart=no", f"--callgrind-out-file={profile}", program, path]
        ran = subprocess.run([*command, str(OPERATIONS)], capture_output=True, text=True, env={"LC_ALL": "C"})
        if ran.returncode != 0:
            sys.exit(f"{path} failed:\n{ran.stderr}")
        return Row(own_instructions(profile.read_text(), program) / OPERATIONS, int(ran.stdout) / OPERATIONS)


def measure_all(program):
    """The compiler, and what is measured."""
    program = str(pathlib.Path(program).resolve())
    compiler, *paths = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return compiler, dict(zip(paths, pool.map(lambda path: measure(program, path), paths)))


def table(old, new):
    """Old and new counts, and their ratios."""
    lines = [f"{'':<17} {'instructions':^28} {'allocations':^28}", f"{'path':<17}" + f" {'file':>10} {'now':>10} {'ratio':>6}" * 2]
    for path in [*new, *(path for path in old if path not in new)]:
        line = f"{path:<17}"
        for was, now in zip(*(rows.get(path, Row(None, None))[:2] for rows in (old, new))):
            line += "".join(f" {'-' if count is None else shown(count):>10}" for count in (was, now))
            line += f" {now / was:>6.3f}" if was and now is not None else f" {'-':>6}"
        lines.append(line)
    return "\n".join(lines)


def problems(old, new):
    """What `check` finds: each a count that grew, or a row that is missing or unknown."""
    for path, row in new.items():
        if path not in old:
            yield f"{path} is missing from the file"
        else:
            yield from (f"{path}: {growth}" for growth in row.growth_from(old[path]))
    yield from (f"{path} is in the file, but no such path is measured" for path in old if path not in new)


def shrunk(old, new):
    return [path for path, row in new.items() if path in old and row.shrank_from(old[path])]


def unexplained(before, after):
    """The paths that a change of the file let grow without a new reason."""
    return [path for path, row in after.items() if path in before and row.grew_from(before[path]) and row.reason in ("", before[path].reason)]


def updated(old, new, reason):
    """The rows to write. A row that grew gets the reason. One that is nearly the same stays, so that it cannot grow unnoticed in small steps."""
    rows = {}
    for path, row in new.items():
        was = old.get(path)
        if was is None:
            rows[path] = row
        elif row.grew_from(was):
            rows[path] = row._replace(reason=reason)
        else:
            rows[path] = row._replace(reason=was.reason) if row.shrank_from(was) else was
    return rows


def git(*arguments):
    """What git prints; nothing without a history."""
    return subprocess.run(["git", "-C", FILE.parent, *arguments], capture_output=True, text=True).stdout


def version_before(text):
    """The file before the change that made it this text: as committed, or before the last commit that changed it."""
    committed = git("show", f"HEAD:./{FILE.name}")
    if text != committed:
        return committed
    last = git("log", "-1", "--format=%H", "--", FILE.name).strip()
    return git("show", f"{last}~:./{FILE.name}")


def check(program):
    text = FILE.read_text()
    old = parse(text)
    compiler, new = measure_all(program)
    print(table(old, new))
    if smaller := shrunk(old, new):
        print(f"\nSmaller by more than 2 %: {', '.join(smaller)}. To keep the gain, run ./dev counts, and commit tests/bench/{FILE.name}.")
    found = list(problems(old, new))
    found += [f"{path}: grew in the last change of {FILE.name}, which gives no new reason" for path in unexplained(parse(version_before(text)), old)]
    if not found:
        return
    print("\nThe limit is 2 %:", *found, sep="\n  ")
    print(f"Avoid the growth, or say what it is for: run ./dev counts 'REASON', and commit tests/bench/{FILE.name} with the change.")
    if compiler not in text:
        print(f"The counts in the file are from another compiler than this one, {compiler}.")
    sys.exit(1)


def write(program, reason=""):
    old = parse(FILE.read_text()) if FILE.exists() else {}
    compiler, new = measure_all(program)
    print(table(old, new))
    rows = updated(old, new, reason.strip())
    if silent := unexplained(old, rows):
        sys.exit(f"\n{', '.join(silent)} grew by more than 2 %. Say why: ./dev counts 'REASON'")
    FILE.write_text(written(rows, compiler))


if __name__ == "__main__":
    commands = {"check": check, "write": write}
    if len(sys.argv) < 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])
