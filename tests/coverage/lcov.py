"""Reads what llvm-cov exports in the format of lcov."""

import pathlib
import re
import subprocess
from typing import NamedTuple

LLVM = 19
FOLDERS = ("codegen", "fake", "sdk")


class Source(NamedTuple):
    """One source: how often each line ran, where its functions begin, and how many branches were taken."""
    lines: dict
    functions: list
    branches: int
    taken: int

    def uncovered(self):
        return [line for line, count in self.lines.items() if count == 0]


def is_hand_written(path):
    return path.parts[0] in FOLDERS and "generated" not in path.parts and path.suffix in (".cpp", ".h")


def parse(text, root):
    """The hand-written sources by their paths below the root."""
    sources = {}
    for record in text.split("end_of_record"):
        path = re.search(r"^SF:(.*)$", record, re.M)
        if path is None or not pathlib.Path(path.group(1)).is_relative_to(root):
            continue
        name = pathlib.Path(path.group(1)).relative_to(root)
        if is_hand_written(name):
            sources[str(name)] = source_in(record)
    return sources


def source_in(record):
    lines = {int(line): int(count) for line, count in re.findall(r"^DA:(\d+),(\d+)", record, re.M)}
    functions = sorted({(int(line), name) for line, name in re.findall(r"^FN:(\d+),(.*)$", record, re.M)})
    return Source(lines, functions, number("BRF", record), number("BRH", record))


def number(key, record):
    found = re.search(rf"^{key}:(\d+)$", record, re.M)
    return int(found.group(1)) if found else 0


def is_program(path):
    if not path.is_file() or path.suffix or not path.stat().st_mode & 0o100:
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def programs(build):
    """The programs of a build that contain the libraries."""
    return sorted(path for folder in ("codegen", "fake", "sdk", "tests") for path in (build / folder).rglob("*") if is_program(path))


def merge(profiles, to):
    """Merges raw profiles. Those of processes that were killed may be cut off."""
    listed = to.with_suffix(".list")
    listed.write_text("".join(f"{path}\n" for path in profiles))
    subprocess.run([f"llvm-profdata-{LLVM}", "merge", "-sparse", "-failure-mode=all", "-f", listed, "-o", to], check=True,
                   stderr=subprocess.DEVNULL)


def export(build, root, merged, objects):
    """The coverage of these programs as text."""
    first, *others = objects
    command = [f"llvm-cov-{LLVM}", "export", "-format=lcov", f"-instr-profile={merged}", "-num-threads=2",
               f"-ignore-filename-regex=^/usr/|^{build}/|^{root}/(tests|examples)/|/generated/", first,
               *(f"-object={path}" for path in others)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
