"""Broken variants of the code, one or more for each promise to users: tests/mutants/promises.toml."""

import fnmatch
import pathlib
import sys
import tomllib
from typing import NamedTuple


class Variant(NamedTuple):
    name: str
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
    sys.exit("\n".join(problems(load(folder / "promises.toml"), folder.parents[1])) or 0)


if __name__ == "__main__":
    main()
