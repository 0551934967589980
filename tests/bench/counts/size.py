#!/usr/bin/python3
"""Checks the size of a program with one call: size.py PROGRAM. Fails if it is larger than LIMIT without its symbols.

The build that counts instructions compiles in batches, and nothing for size, so an installed library gives much less: see
docs/decisions/0040-the-size-of-a-program.md. A call that links more than it needs makes both larger."""

import pathlib
import subprocess
import sys
import tempfile

LIMIT = 700_000  # bytes


def stripped_size(program):
    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder) / "stripped"
        subprocess.run(["strip", "-o", stripped, program], check=True)
        return stripped.stat().st_size


def main(program):
    size = stripped_size(program)
    print(f"a program with one call: {size:,} bytes, at most {LIMIT:,}")
    if size > LIMIT:
        sys.exit(f"{program} is too large: `nm --size-sort --reverse-sort --demangle` shows what it links")


if __name__ == "__main__":
    main(*sys.argv[1:])
