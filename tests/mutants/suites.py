"""The suites that can notice a mutant, and which mutants each of them reaches: measured by running it once.

A unit is what runs in one go: a suite of a GoogleTest program, or another test of ctest."""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "coverage"))

import lcov  # noqa: E402

# They test how the project is built and described, or they repeat for minutes what others run.
LEFT_OUT = ("conformance.bodies", "conformance.over_", "docs.", "example", "headers.", "outbox.postgres_connections", "package.",
            "stress.", "structure.")
LONGEST = 600
# How much memory a mutant that never ends may use, in bytes. Suites that need more are left out.
MEMORY, FILE = 8 << 30, 2 << 30
# A fifth of what properties are usually tried with.
FEWER_TRIALS = {"RC_PARAMS": "max_success=20"}


def tests_of(build):
    """The tests of ctest that run more than one test of a program, with what runs them."""
    text = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout
    found = []
    for test in json.loads(text)["tests"]:
        properties = {one["name"]: one["value"] for one in test.get("properties", [])}
        if "command" in test and "single" not in properties.get("LABELS", []) and not test["name"].startswith(LEFT_OUT):
            found.append({"test": test["name"], "command": test["command"],
                          "environment": dict(one.split("=", 1) for one in properties.get("ENVIRONMENT", [])),
                          "folder": properties.get("WORKING_DIRECTORY", str(build)),
                          "programs": programs_in(test["command"], build)})
    return [test for test in found if test["programs"] and all(pathlib.Path(path).exists() for path in test["programs"])]


def programs_in(command, build):
    """What a build must renew for the command."""
    return [part for part in command if pathlib.Path(part).is_relative_to(build) and lcov.is_program(pathlib.Path(part))]


def suites_in(listing):
    """The suites in a list of GoogleTest."""
    return re.findall(r"^(\S+)\.(?: .*)?$", listing, re.M)


def units_of(test):
    """The suites of a test, or the test itself."""
    command = [part for part in test["command"] if part != "--gtest_shuffle"]
    if command == test["command"]:
        return [test | {"suite": ""}]
    filters = [part for part in command if part.startswith("--gtest_filter=")]
    listing = subprocess.run([*command, "--gtest_list_tests"], check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             env=os.environ | test["environment"] | {"LLVM_PROFILE_FILE": "/dev/null"}).stdout
    command = [part for part in command if part not in filters]
    return [test | {"command": command, "suite": suite} for suite in suites_in(listing)]


def command_of(units):
    """Runs some units of one test."""
    suites = [unit["suite"] for unit in units if unit["suite"]]
    filters = [f"--gtest_filter={':'.join(f'{suite}.*' for suite in suites)}"] if suites else []
    return [*units[0]["command"], *filters]


def units(build):
    return [unit for test in tests_of(build) for unit in units_of(test)]


def measured(build, count):
    """The units that pass, each with its seconds and with the numbers of the mutants up to this one that it reaches; and the
    number of units that fail.

    Kept in the build folder, so a measurement that is interrupted goes on."""
    listed = units(build)
    print(f"Running {len(listed)} suites once", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda unit: measure(unit, build, count), listed))
    for unit, result in zip(listed, found):
        if result is None:
            print(f"left out, since it fails: {unit['test']} {unit['suite']}", flush=True)
    return [unit | result for unit, result in zip(listed, found) if result is not None], found.count(None)


def measure(unit, build, count):
    """None if the unit fails twice. That is not kept, since an interruption or other load may be the reason."""
    name = hashlib.sha256(f"{unit['test']} {unit['suite']}".encode()).hexdigest()[:16]
    kept = build / "suites" / f"{name}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    kept.parent.mkdir(exist_ok=True)
    reached = kept.with_suffix(".reached")
    result = run_once(unit, reached, count) or run_once(unit, reached, count)
    if result is not None:
        kept.write_text(json.dumps(result))
    return result


def limit_resources():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))


def run_once(unit, reached, count):
    """How long the unit takes, and what it reaches; None if it fails."""
    reached.write_bytes(bytes(count + 1))
    begin = time.monotonic()
    try:
        done = subprocess.run(command_of([unit]), cwd=unit["folder"], check=False, timeout=LONGEST,
                              env=os.environ | unit["environment"] | FEWER_TRIALS | {"TALLY_MUTANTS_REACHED": str(reached)},
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              preexec_fn=limit_resources)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    return {"seconds": round(time.monotonic() - begin, 2),
            "reached": [number for number, byte in enumerate(reached.read_bytes()) if byte]}
