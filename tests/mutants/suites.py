"""Which tests run which function: measured with one profile for each suite of a test program, and kept in the build folder.

A unit is what runs at once: a suite of a program of GoogleTest, or another test of ctest."""

import bisect
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "coverage"))

import lcov  # noqa: E402

# They test how the project is built and described, or they repeat for minutes what others run.
LEFT_OUT = ("conformance.bodies", "conformance.over_", "docs.", "example", "headers.", "outbox.postgres_connections", "package.",
            "stress.", "structure.")
LONGEST = 600
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


def folder_of(unit, build):
    return build / "suites" / digest(f"{unit['test']} {unit['suite']}")


def measure(unit, build):
    """Runs a unit once, and keeps its profiles. Returns how long it took; null if it failed."""
    folder = folder_of(unit, build)
    kept = folder / "seconds"
    if not kept.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        kept.write_text(json.dumps(time_of(unit, folder)))
    return json.loads(kept.read_text())


def time_of(unit, profiles):
    begin = time.monotonic()
    try:
        done = subprocess.run(command_of([unit]), cwd=unit["folder"], check=False, timeout=LONGEST,
                              env=os.environ | unit["environment"] | FEWER_TRIALS | {"LLVM_PROFILE_FILE": f"{profiles}/%m.profraw"},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    return round(time.monotonic() - begin, 2) if done.returncode == 0 else None


def profiles_of(unit, build):
    return sorted(folder_of(unit, build).glob("*.profraw"))


def functions_run_by(unit, build):
    return set().union(*map(covered_in, profiles_of(unit, build)))


def covered_in(profile):
    """The functions that a profile says have run. None in one that is cut."""
    done = subprocess.run([f"llvm-profdata-{lcov.LLVM}", "show", "--covered", profile], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return {plain(name) for name in done.stdout.splitlines()} if done.returncode == 0 else set()


def plain(name):
    """A function without the file that has it."""
    return name.rsplit(":", 1)[-1].rsplit(";", 1)[-1]


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Covering:
    """The units that run a line."""

    def __init__(self, units, sources):
        self.units = units
        self.sources = sources

    def of(self, source, line, text):
        """The units by their indices. In a text that has changed since, those of the whole source."""
        found = self.sources.get(source)
        if found is None:
            return set()
        functions = found["functions"]
        if found["digest"] == digest(text):
            functions = around(functions, line) or functions
        return set().union(*(units for _, _, units in functions)) if functions else set()

    def runs(self, source, line, text):
        """Whether any test runs the line, as far as is known."""
        found = self.sources.get(source)
        return found is None or found["digest"] != digest(text) or line not in found["idle"]


def around(functions, line):
    """The functions that may contain the line: the last one before it, and lambdas in it."""
    starts = [start for start, _, _ in functions]
    end = bisect.bisect_right(starts, line)
    outer = [start for start, inner, _ in functions[:end] if not inner]
    return [one for one in functions[:end] if outer and one[0] >= outer[-1]]


def is_lambda(name):
    return re.search(r"E\d*_cl", name) is not None


def functions_of(source, ran):
    """The first line of each function, whether it is a lambda, and the units that run it."""
    return [[line, is_lambda(name), sorted(ran.get(plain(name), ()))] for line, name in source.functions]


def derive(build, root, units):
    """Runs all tests, and returns what covers what."""
    print(f"Running {len(units)} suites, each with a profile", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        times = list(pool.map(lambda unit: measure(unit, build), units))
        functions = list(pool.map(lambda unit: functions_run_by(unit, build), units))
    ran, kept = {}, []
    for unit, seconds, names in zip(units, times, functions):
        if seconds is None:
            print(f"left out, since it fails: {unit['test']} {unit['suite']}", flush=True)
        elif names:
            for name in names:
                ran.setdefault(name, set()).add(len(kept))
            kept.append(unit | {"seconds": seconds})
    return {"listing": listing_of(units), "units": kept, "sources": sources_of(build, root, kept, ran)}


def sources_of(build, root, units, ran):
    """The hand-written sources with their functions, and the lines that no unit runs."""
    merged = build / "suites.profdata"
    lcov.merge([path for unit in units for path in profiles_of(unit, build)], merged)
    sources = lcov.parse(lcov.export(build, root, merged, lcov.programs(build)), root)
    return {name: {"digest": digest((root / name).read_text()), "functions": functions_of(source, ran), "idle": source.uncovered()}
            for name, source in sources.items()}


def listing_of(units):
    """What changes if there is another suite."""
    return digest("\n".join(f"{unit['test']} {unit['suite']}" for unit in units))


def load(build, root):
    """The kept result, or a new one if there are other suites."""
    units = [unit for test in tests_of(build) for unit in units_of(test)]
    kept = build / "covering.json"
    found = json.loads(kept.read_text()) if kept.exists() else {"listing": ""}
    if found["listing"] != listing_of(units):
        found = derive(build, root, units)
        written = kept.with_suffix(".new")
        written.write_text(json.dumps(found))
        shutil.move(written, kept)
    return Covering(found["units"], found["sources"])
