"""Broken variants of the code, one or more for each promise to users: tests/mutants/promises.toml."""

import fnmatch
import pathlib
import re
import sys
import tomllib
from typing import NamedTuple


class Variant(NamedTuple):
    name: str
    area: str
    promise: str
    file: str
    old: str
    new: str
    tests: list

    def applied(self, text):
        return text.replace(self.old, self.new, 1)

    def names(self, suite):
        """Whether it must be caught by this suite or other test of ctest."""
        return any(fnmatch.fnmatchcase(suite, pattern) for pattern in self.tests)


def load(path):
    return [Variant(name=name, **entry) for name, entry in tomllib.loads(path.read_text()).items()]


def suites(root):
    """The suites of the sources, without the names of instances."""
    sources = (root / "tests").rglob("*.cpp")
    return {suite for source in sources for suite in re.findall(r"^\w*TEST\w*\((\w+),", source.read_text(), re.M)}


def unknown_suites(variants, root):
    """The variants that name a suite which no source has."""
    known = suites(root)
    return [f"{variant.name}: no suite is named {name}" for variant in variants for name in variant.tests
            if not fnmatch.filter(known, name.rpartition("/")[2])]


def problems(variants, root):
    """The variants whose text does not occur exactly once in its file."""
    found = []
    for variant in variants:
        path = root / variant.file
        count = path.read_text().count(variant.old) if path.exists() else 0
        if count != 1 or variant.old == variant.new:
            found.append(f"{variant.name}: its old text occurs {count} times in {variant.file}")
    return found


def main():
    folder = pathlib.Path(__file__).resolve().parent
    variants, root = load(folder / "promises.toml"), folder.parents[1]
    sys.exit("\n".join(problems(variants, root) + unknown_suites(variants, root)) or 0)


if __name__ == "__main__":
    main()
