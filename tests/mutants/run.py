#!/usr/bin/python3
"""Changes single places of the hand-written code, and runs the tests that reach each.

run.py TREE COUNT    makes COUNT more mutants, and adds them to tests/mutants/results.txt
run.py TREE again    runs the survivors of the results again
run.py TREE promises runs the variants of tests/mutants/promises.toml, each of which must be caught

TREE is a copy of the project, configured with the preset mutants. One build contains all mutants that compile together; each of the
others is built separately. An interrupted batch continues if the committed code is still the same."""

import concurrent.futures
import io
import itertools
import json
import os
import pathlib
import random
import re
import signal
import shutil
import subprocess
import sys
import tarfile
import threading

import promises
import results
import scanner
import suites
import trial
from batch import Batch
from suites import lcov

FOLDER = pathlib.Path(__file__).resolve().parent
RESULTS = FOLDER / "results.txt"
# A header that more compilations read is not changed: each mutant of it would take minutes.
WIDEST = 12
# Seconds that a suite named by a variant may take, in addition to the time that any suite may take.
NAMED = 30


class Place:
    """A place of a source in the tree."""

    def __init__(self, source, text, place):
        self.source, self.text, self.place = source, text, place
        self.line = place.line(text)
        self.change = place.shown(text)


def texts_of(tree):
    """The committed hand-written sources. Those in the tree may contain mutants."""
    archive = subprocess.run(["git", "-C", tree, "archive", "HEAD", *lcov.FOLDERS], check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        return {entry.name: files.extractfile(entry).read().decode() for entry in files
                if entry.isfile() and lcov.is_hand_written(pathlib.Path(entry.name))}


def all_places(texts):
    """The sources with their places, those of one token together: each token is drawn as often as any other."""
    found = []
    for source, text in texts.items():
        tokens = {}
        for place in scanner.places(text):
            tokens.setdefault((place.kind, place.start), []).append(place)
        found += [(source, variants) for variants in tokens.values()]
    return found


def drawn(seed, places, texts):
    """The place of a seed."""
    source_of_chance = random.Random(seed)
    source, variants = source_of_chance.choice(places)
    return Place(source, texts[source], source_of_chance.choice(variants))


def dependents(build):
    """How many compilations read each file."""
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], check=True, stdout=subprocess.PIPE).stdout.decode()
    counts = {}
    for path in re.findall(r"^    (\S+)$", listing, re.M):
        counts[path] = counts.get(path, 0) + 1
    return counts


class Mutants:
    """Makes mutants in a tree, and records their outcomes."""

    def __init__(self, tree):
        self.tree, self.build = tree, tree / "build/mutants"
        self.rows = read()
        self.writing = threading.Lock()

    def more(self, count):
        """Makes mutants with the next seeds, or continues with those of a batch that was interrupted."""
        texts = texts_of(self.tree)
        places = all_places(texts)
        recorded = {row.seed for row in self.rows}
        batch = self.kept() if set(self.kept()) - recorded else next_seeds(recorded, count)
        self.run({seed: drawn(seed, places, texts) for seed in batch}, set(batch) - recorded)

    def again(self):
        """Runs the survivors again, where they are now."""
        texts = texts_of(self.tree)
        survivors = [row for row in self.rows if row.status == "survived"]
        places = {row.seed: found_again(row, texts) for row in survivors}
        for row in survivors:
            if places[row.seed] is None:
                self.record(row._replace(status="gone", by="-"))
        found = {seed: place for seed, place in places.items() if place is not None}
        self.run(found, set(found))

    def kept(self):
        """The seeds of the batch that the tree contains; none if other sources are committed now."""
        path = self.build / "batch.json"
        found = json.loads(path.read_text()) if path.exists() else {"commit": ""}
        return found["seeds"] if found["commit"] == commit(self.tree) else []

    def keep(self, seeds):
        if self.kept() != seeds:
            shutil.rmtree(self.build / "suites", ignore_errors=True)
            (self.build / "batch.json").write_text(json.dumps({"commit": commit(self.tree), "seeds": seeds}))

    def run(self, places, pending):
        """Makes a batch of these mutants and runs the pending ones. Then runs those that the batch can't contain, one by one."""
        batch = Batch(self.tree, self.build, places)
        batch.make()
        self.keep(sorted(places))
        units, failing = suites.measured(self.build, max(places, default=0))
        together = {seed for seed in pending & batch.numbers() if reaching(units, {seed})}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda seed: self.end(seed, places[seed], trial.try_units(reaching(units, {seed}), seed, failing=failing)),
                          sorted(together)))
        readers = dependents(self.build)
        for seed in sorted(pending - together):
            place = places[seed]
            self.end(seed, place, self.alone(place, nearest(units, batch.numbers(place.source)), readers, failing))

    def end(self, seed, place, outcome):
        survived = any(row.seed == seed and row.status == "survived" for row in self.rows)
        status = "later" if survived and outcome.status == "caught" else outcome.status
        self.record(results.Row(seed, status, place.source, place.line, place.change, outcome.by))

    def record(self, row):
        with self.writing:
            print(f"{row.seed}: {row.status} ({row.by}): {row.source}:{row.line}: {row.change}", flush=True)
            self.rows = [other for other in self.rows if other.seed != row.seed] + [row]
            write(self.rows)

    def alone(self, place, units, readers, failing):
        """The outcome of a mutant that is built separately, such as one in a constant that the compiler evaluates."""
        if not units:
            return trial.Outcome("survived", "no test runs it")
        path = self.tree / place.source
        if readers.get(str(path), 0) > WIDEST:
            return trial.Outcome("wide", "-")
        with trial.changed(path, place.place.applied(place.text)):
            return trial.try_units(units, build=self.build, failing=failing)

    def promises(self):
        """Runs the broken variants, and returns the names of those that nothing caught."""
        Batch(self.tree, self.build, {}).make()
        units, texts, kept = suites.units(self.build), texts_of(self.tree), []
        for variant in promises.load(FOLDER / "promises.toml"):
            outcome = self.broken(variant, texts[variant.file], units)
            print(f"{variant.name}: {outcome.status} ({outcome.by})", flush=True)
            if outcome.status != "caught":
                kept.append(variant.name)
        return kept

    def broken(self, variant, text, units):
        named = [unit | {"seconds": NAMED} for unit in units if variant.names(unit["suite"] or unit["test"])]
        if not named:
            return trial.Outcome("survived", "no test has this name")
        with trial.changed(self.tree / variant.file, variant.applied(text)):
            return trial.try_units(named, build=self.build, budget=len(named) * NAMED)


def reaching(units, numbers):
    return [unit for unit in units if not numbers.isdisjoint(unit["reached"])]


def nearest(units, numbers):
    """The units that may reach a mutant which no program contains: those that reach others of its source, or all if there are none."""
    return reaching(units, numbers) or units


def next_seeds(recorded, count):
    """The first seeds that no result has."""
    return list(itertools.islice((seed for seed in itertools.count(1) if seed not in recorded), count))


def commit(tree):
    return subprocess.run(["git", "-C", tree, "rev-parse", "HEAD"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def found_again(row, texts):
    """The place of an earlier result: the same change, as near as possible to the same line."""
    text = texts.get(row.source, "")
    places = [Place(row.source, text, place) for place in scanner.places(text)]
    same = [place for place in places if place.change == row.change]
    return min(same, key=lambda place: abs(place.line - row.line), default=None)


def read():
    return results.parse(RESULTS.read_text()) if RESULTS.exists() else []


def write(rows):
    RESULTS.write_text(results.shown(rows))


def main():
    tree, task = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    # So that the tree is as before when this is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    mutants = Mutants(tree)
    if task == "promises":
        kept = mutants.promises()
        sys.exit(f"Nothing caught {', '.join(kept)}" if kept else 0)
    if task == "again":
        mutants.again()
    else:
        mutants.more(int(task))
    print(results.summary(read()))


if __name__ == "__main__":
    main()
