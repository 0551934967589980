"""The list of lines that no test runs, tests/coverage/uncovered.txt, and its comparison with what ran.

A paragraph is a reason after `#`, and below it the functions to which it applies, each with the number of its lines."""

import bisect
import re
import subprocess
from collections import Counter
from typing import NamedTuple

import lcov


class Row(NamedTuple):
    source: str
    function: str
    lines: int


def parse(text):
    """The rows, and the number of lines by source and function."""
    rows = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            source, function, lines = re.fullmatch(r"(\S+)  +(.+?)  +(\d+)", line).groups()
            rows.append(Row(source, function, int(lines)))
    return rows


def found_in(sources, readable):
    """The functions of these sources with lines that did not run. `readable` maps the names of the linker to those of the list."""
    counts = Counter()
    for source, one in sources.items():
        starts = [line for line, _ in one.functions]
        for line in one.uncovered():
            at = bisect.bisect_right(starts, line) - 1
            counts[source, readable.get(one.functions[at][1], one.functions[at][1]) if at >= 0 else "-"] += 1
    return [Row(source, function, lines) for (source, function), lines in sorted(counts.items())]


def unlisted(found, listed):
    """What did not run and is not listed, or not with that many lines."""
    known = {(row.source, row.function): row.lines for row in listed}
    return [row for row in found if row.lines > known.get((row.source, row.function), 0)]


def superfluous(found, listed):
    """What is listed with more lines than did not run."""
    left = {(row.source, row.function): row.lines for row in found}
    return [row for row in listed if row.lines > left.get((row.source, row.function), 0)]


def shown(row):
    return f"{row.source}  {row.function}  {row.lines}"


# Operators whose names contain brackets, and their temporary replacements.
OPERATORS = {f"operator{sign}": f"operator#{index}" for index, sign in
             enumerate(("<=>", "<<", ">>", "<=", ">=", "->*", "->", "()", "<", ">"))}


def short(name):
    """A function and its class, without namespaces, parameters and arguments of templates. A lambda is part of its function."""
    for sign, meanwhile in OPERATORS.items():
        name = name.replace(sign, meanwhile)
    outer = re.split(r"::(?:'lambda|\$_)", re.sub(r"\[abi:\w+\]|\(anonymous namespace\)::", "", name))[0]
    outer = re.sub(r"( const)?( &&?)?$", "", outer)
    pointer = re.match(r".*?\(\*(.+?)\(", outer)
    plain = without_brackets(pointer.group(1) if pointer else outer)
    before, conversion, to = plain.partition("operator ")
    parts = (before.split(" ")[-1] + (conversion + to.split("::")[-1] if conversion else "")).split("::")
    kept = parts[-2:] if len(parts) > 1 and parts[-2][:1].isupper() else parts[-1:]
    short_name = "::".join(kept)
    for sign, meanwhile in OPERATORS.items():
        short_name = short_name.replace(meanwhile, sign)
    return short_name


def without_brackets(name):
    """The name without the text in < > or ( )."""
    depth, kept = 0, ""
    for sign in name:
        depth -= sign in ">)"
        if depth == 0 and sign not in ">)":
            kept += "" if sign in "<(" else sign
        depth += sign in "<("
    return kept


def readable_names(names):
    """The names in the list, by the linker's names. A function that is local to a source has the source as a prefix."""
    plain = [name.rsplit(":", 1)[-1].rsplit(";", 1)[-1] for name in names]
    done = subprocess.run([f"llvm-cxxfilt-{lcov.LLVM}", "-p"], input="\n".join(plain), check=True, stdout=subprocess.PIPE, text=True)
    return {name: short(text) for name, text in zip(names, done.stdout.splitlines(), strict=True)}
