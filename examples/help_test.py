"""Asks each program for --help, and gives it an argument that it does not know."""

import os
import subprocess
import sys


def run(program, argument):
    command = [sys.executable] if program.endswith(".py") else []
    return subprocess.run([*command, program, argument], capture_output=True, text=True, timeout=60)


def problems(program):
    name = os.path.basename(program)
    helped = run(program, "--help")
    usage, _, about = helped.stdout.partition("\n\n")
    if helped.returncode != 0 or helped.stderr:
        yield f"--help: status {helped.returncode}, {helped.stderr!r} on standard error"
    if not usage.startswith("usage: " + name):
        yield f"--help does not name the program: {usage!r}"
    if not about.strip().endswith(".") and not program.endswith(".py"):
        yield f"--help does not say what the program does: {about!r}"
    refused = run(program, "--nonsense")
    if refused.returncode != 2 or refused.stdout:
        yield f"--nonsense: status {refused.returncode}, {refused.stdout!r} on standard output"
    if "--nonsense" not in refused.stderr:
        yield f"--nonsense: the message does not name it: {refused.stderr!r}"


PROGRAMS = sys.argv[1:]
FOUND = [f"{program}: {problem}" for program in PROGRAMS for problem in problems(program)]
print("\n".join(FOUND) or f"{len(PROGRAMS)} programs help, and refuse an unknown argument")
sys.exit(1 if FOUND else 0)
