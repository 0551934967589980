#!/usr/bin/python3
"""Checks which folders there are, and which sources include which. Each rule prints what breaks it:

folders.py order SOURCES [--below FOLDER[:NAME,...]]... [--generated FOLDER]...
    Sources include only their own folder, those above it in the table of SOURCES/README.md, the folders NAME (or all) below
    another FOLDER, and headers that lie directly in a generated FOLDER. Every folder has a row.
folders.py mirror TESTS SOURCES [--apart NAME,...]
    Tests lie in the folders of their subjects. The folders NAME have no counterpart.
folders.py size ROOT...
    No folder has more than 26 sources. Public and generated ones don't count.
folders.py system ROOT... --only FOLDER
    Only sources below FOLDER include headers of the operating system.
folders.py cycles ROOT...
    No two sources include each other, directly or indirectly. A header and the source of the same name count as one.
"""

import argparse
import pathlib
import re
import sys

MOST_SOURCES = 26
INCLUDE = re.compile(r'^#include ["<]([^">]+)[">]', re.M)
OWN_INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
SYSTEM_INCLUDE = re.compile(
    r"^ *# *include <((?:arpa|bits|linux|mach|net|netinet|sys)/[^>]+|(?:aio|dirent|dlfcn|fcntl|glob|grp|ifaddrs|io|netdb|poll|pthread|pwd|sched|"
    r"semaphore|signal|spawn|strings|syslog|termios|time|unistd|windows|winsock2)\.h)>", re.M)
ROW = re.compile(r"^\| `([a-z_/]+)`", re.M)
NOT_COUNTED = {"include", "generated", "golden"}


def sources_below(folder):
    return sorted(file for file in folder.rglob("*") if file.suffix in (".h", ".cpp"))


class Neighbour:
    """Another tree from which sources may include some or all folders: `FOLDER` or `FOLDER:NAME,...`."""

    def __init__(self, text):
        folder, _, names = text.partition(":")
        self.folder = pathlib.Path(folder)
        self.names = names.split(",") if names else None

    def allows(self, header):
        return (self.folder / header).exists() and (self.names is None or str(header.parent) in self.names)


def order(args):
    root = args.sources
    rows = ROW.findall((root / "README.md").read_text())
    ranks = {name: rank for rank, name in enumerate(rows)}
    for source in sources_below(root):
        folder = str(source.parent.relative_to(root))
        if folder not in ranks:
            yield f"{source.relative_to(root)} lies in {folder}, which has no row in README.md"
            continue
        for include in OWN_INCLUDE.findall(source.read_text()):
            header = pathlib.PurePath(include)
            owner = str(header.parent)
            if owner == ".":
                if not any((generated / header).exists() for generated in args.generated):
                    yield f'{source.relative_to(root)} includes "{include}" without naming its folder'
            elif owner in ranks and (root / header).exists():
                if ranks[owner] > ranks[folder]:
                    yield f'{source.relative_to(root)} includes "{include}", but {owner} is not above {folder}'
            elif not any(neighbor.allows(header) for neighbor in args.below):
                yield f'{source.relative_to(root)} includes "{include}", which is in no folder that it may include'
    for name in rows:
        if not any((root / name).glob("*.cpp")) and not any((root / name).glob("*.h")):
            yield f"README.md has a row for {name}, which has no sources"


def mirror(args):
    for source in sources_below(args.tests):
        folder = source.parent.relative_to(args.tests)
        if folder == pathlib.Path("."):
            yield f"{source.name} belongs in the folder of its subject"
        elif folder.parts[0] not in args.apart and not (args.sources / folder).is_dir():
            yield f"{folder} has no counterpart in {args.sources}"


def size(args):
    for root in args.roots:
        for folder in (root, *sorted(path for path in root.rglob("*") if path.is_dir())):
            count = sum(file.suffix in (".h", ".cpp") for file in folder.iterdir())
            if count > MOST_SOURCES and not NOT_COUNTED & set(folder.parts):
                yield f"{folder} has {count} sources, more than {MOST_SOURCES}: split it by subject"


def system(args):
    for root in args.roots:
        for source in sources_below(root):
            if source.is_relative_to(args.only):
                continue
            for header in SYSTEM_INCLUDE.findall(source.read_text()):
                yield f"{source} includes <{header}>, as only sources in {args.only} may"


def units_of(roots):
    """By name without ending: the sources of that name, with the names that they include."""
    units = {}
    for root in roots:
        for file in sources_below(root):
            units.setdefault(file.with_suffix(""), set())
    for root in roots:
        for file in sources_below(root):
            for include in INCLUDE.findall(file.read_text()):
                found = [path for path in (other / pathlib.Path(include).with_suffix("") for other in (root, *roots)) if path in units]
                units[file.with_suffix("")].update(found[:1])
    return units


def cycles(args):
    """The strongly connected components, by Tarjan's algorithm."""
    units = units_of(args.roots)
    number, low, stack, found = {}, {}, [], []

    def visit(unit):
        number[unit] = low[unit] = len(number)
        stack.append(unit)
        for other in sorted(units[unit]):
            if other not in number:
                visit(other)
                low[unit] = min(low[unit], low[other])
            elif other in stack:
                low[unit] = min(low[unit], number[other])
        if low[unit] == number[unit]:
            at = stack.index(unit)
            found.append(stack[at:])
            del stack[at:]

    sys.setrecursionlimit(10_000)
    for unit in units:
        if unit not in number:
            visit(unit)
    for component in found:
        if len(component) > 1:
            yield "include each other: " + ", ".join(sorted(map(str, component)))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    rules = parser.add_subparsers(required=True)
    rule = rules.add_parser("order")
    rule.add_argument("sources", type=pathlib.Path)
    rule.add_argument("--below", type=Neighbour, action="append", default=[])
    rule.add_argument("--generated", type=pathlib.Path, action="append", default=[])
    rule.set_defaults(rule=order)
    rule = rules.add_parser("mirror")
    rule.add_argument("tests", type=pathlib.Path)
    rule.add_argument("sources", type=pathlib.Path)
    rule.add_argument("--apart", type=lambda text: text.split(","), default=[])
    rule.set_defaults(rule=mirror)
    for name, check in (("size", size), ("system", system), ("cycles", cycles)):
        rule = rules.add_parser(name)
        rule.add_argument("roots", type=pathlib.Path, nargs="+")
        rule.set_defaults(rule=check)
        if check is system:
            rule.add_argument("--only", type=pathlib.Path, required=True)
    args = parser.parse_args()
    for folder in (getattr(args, "roots", None) or [args.sources]):
        if not any(sources_below(folder)):
            sys.exit(f"no sources below {folder}")
    problems = list(args.rule(args))
    print("\n".join(problems))
    sys.exit(bool(problems))


main()
