"""The tables of docs/reliability.md: the promises, and what `./dev prove` has searched and measured."""

import re
import tomllib


def cells(header, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows])


def listed(names):
    return ", ".join(f"`{name}`" for name in names)


def promises(project):
    """From the broken variants. Those of one promise share a row."""
    variants = tomllib.loads((project / "tests/mutants/promises.toml").read_text())
    by_promise = {}
    for name, variant in variants.items():
        by_promise.setdefault((variant["area"], variant["promise"]), []).append((name, variant))
    rows = []
    for (area, promise), found in by_promise.items():
        tests = dict.fromkeys(test for _, variant in found for test in variant["tests"])
        rows.append([area, promise, listed(tests), listed(name for name, _ in found)])
    return cells(["about", "promise", "test suites", "broken variant"], rows)


def rows_of(file):
    if not file.exists():
        return []
    return [line.split() for line in file.read_text().splitlines() if line and not line.startswith("#")]


def total(rows, column):
    return f"{sum(int(row[column]) for row in rows):,}"


def mutants(file):
    ends = re.findall(r"^\d+  (\w+)  ", file.read_text(), re.M) if file.exists() else []
    caught, later, gone, survive, equivalent = (ends.count(end) for end in ("caught", "later", "gone", "survived", "equivalent"))
    made = caught + later + gone + survive + equivalent
    return f"{made:,} mutants", (f"{caught} caught, {later} caught by later tests, {gone} in code that has changed since, "
                                f"{survive} survive, {equivalent} equivalent")


def searches(project):
    tests = project / "tests"
    schedules, calls, inputs, simulation = (rows_of(tests / name / "totals.txt")
                                            for name in ("interleavings", "failing_calls", "fuzz", "simulation"))
    made, survived = mutants(tests / "mutants/results.txt")
    return cells(["search", "has run", "goal", "totals"], [
        ["`interleavings`", f"{total(schedules, 1)} schedules of {len(schedules)} scenarios", "1,000,000", "`tests/interleavings/totals.txt`"],
        ["`failing-calls`", f"{total(calls, 2)} runs of {len(calls)} scenarios, {total(calls, 3)} wrong", "each call of each scenario",
         "`tests/failing_calls/totals.txt`"],
        ["`inputs`", f"{total(inputs, 1)} inputs of {len(inputs)} targets; problems found: {total(inputs, 2)}", "200,000,000", "`tests/fuzz/totals.txt`"],
        ["`simulation`", f"{total(simulation, 1)} calls; problems found: {total(simulation, 4)}", "10,000,000", "`tests/simulation/totals.txt`"],
        ["`mutants`", f"{made}: {survived}", "1,000, of which 95 % are caught", "`tests/mutants/results.txt`"],
    ])


def hostile(project):
    """How the memory of a client grows, as hostile_memory_test.py has measured it."""
    text = (project / "tests/sdk/curl/hostile_memory.txt").read_text()
    grown = {}
    for name, calls, limit, growth in re.findall(r"^(\S.*\S)  (\d+)  (\d+)  (\d+)$", text, re.M):
        grown.setdefault(name, {})[f"{calls} in flight, {limit} MiB each"] = f"{growth} MiB"
    columns = list(dict.fromkeys(column for row in grown.values() for column in row))
    return cells(["servers that", *columns], [[name, *(row.get(column, "") for column in columns)] for name, row in grown.items()])
