"""The committed results, tests/mutants/results.txt: one line for each mutant."""

import re
from collections import Counter
from typing import NamedTuple

HEADER = """\
# The mutants that `./dev prove mutants` has made: the seed, how it ended, the line at that time, the change, and what caught it.
#
# caught        a test failed or, after "timeout", did not end
# survived      every suite that reaches the place passed
# later         it survived, and has been caught since
# gone          it survived, and the code has changed since
# equivalent    no program can detect the change; the reason is after it
# uncompilable  the compiler refused it; not counted
# wide          too many sources include the header; not run, not counted
#
"""
COUNTED = ("caught", "later", "gone", "survived", "equivalent")


class Row(NamedTuple):
    seed: int
    status: str
    source: str
    line: int
    change: str
    by: str


def parse(text):
    rows = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            seed, status, place, change, by = re.fullmatch(r"(\d+)  (\w+)  (\S+)  (.*?)  (.*)", line).groups()
            source, _, number = place.rpartition(":")
            rows.append(Row(int(seed), status, source, int(number), change, by))
    return rows


def shown(rows):
    lines = (f"{row.seed}  {row.status}  {row.source}:{row.line}  {row.change}  {row.by}\n" for row in sorted(rows))
    return HEADER + "".join(lines)


def summary(rows):
    """The counts, and the percentages of the counted ones."""
    counts = Counter(row.status for row in rows)
    whole = sum(counts[status] for status in COUNTED)
    if whole == 0:
        return "No mutant has run"
    shares = ", ".join(f"{counts[status]} {status} ({100.0 * counts[status] / whole:.1f} %)" for status in COUNTED)
    return f"{whole} mutants: {shares}; {counts['uncompilable']} uncompilable, {counts['wide']} wide"
