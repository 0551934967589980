#!/usr/bin/python3
"""Fails if the printer of a public struct leaves out a member: printed_members.py PROJECT. Checks the printers that use
ValueLine, which name each member. docs/reference/printing.md"""

import pathlib
import re
import sys

PROJECT = pathlib.Path(sys.argv[1])
HEADERS = ("sdk/include", "sdk/bulk/include", "fake/include", "fake/server/include")
SOURCES = ("sdk/src", "fake/src", "fake/server/src")

STRUCT = re.compile(r"^struct (\w+) \{\n(.*?)^\};", re.M | re.S)
MEMBER = re.compile(r"^  (?!static |friend |using |return )\w(?:[\w:<>, *&]|\([^()]*\))*[ *&](\w+)(?: = [^;]*|\{[^;]*\})?;", re.M)
PRINTER = re.compile(r"^\S[^\n]*const (?:\w+::)*(\w+)& \w+\) \{\n(.*?)^\}", re.M | re.S)
NAMED = re.compile(r'\.add(?:Set|Size|Address)?\(\s*"(\w+)"')


def texts(folders, pattern):
    for folder in folders:
        for file in sorted((PROJECT / folder).rglob(pattern)):
            yield file.read_text()


def printed_members():
    printed = {}
    for source in texts(SOURCES, "*.cpp"):
        for name, body in PRINTER.findall(source):
            if "ValueLine" in body:
                printed.setdefault(name, set()).update(NAMED.findall(body))
    return printed


def problems(printed):
    for header in texts(HEADERS, "*.h"):
        for name, body in STRUCT.findall(header):
            for member in MEMBER.findall(body) if name in printed else ():
                if member not in printed[name]:
                    yield f"{name}::{member} is not printed"


printed = printed_members()
found = list(problems(printed))
if not {"ClientOptions", "RequestOptions", "CurlTransportOptions"} <= printed.keys():
    found.append(f"found only the printers of {sorted(printed)}")
print("\n".join(found))
sys.exit(bool(found))
