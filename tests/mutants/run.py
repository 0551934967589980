#!/usr/bin/python3
"""Changes one place of the hand-written code after the other, and runs the tests that cover it.

run.py TREE COUNT    makes COUNT mutants more, and adds them to tests/mutants/results.txt
run.py TREE again    runs the survivors of the results again
run.py TREE promises runs the variants of tests/mutants/promises.toml, each of which must be caught

TREE is a copy of the project with a build of the preset coverage. Its sources change while this runs."""

import pathlib
import random
import re
import signal
import subprocess
import sys

import covering
import lcov
import promises
import results
import scanner
import trial

FOLDER = pathlib.Path(__file__).resolve().parent
RESULTS = FOLDER / "results.txt"
# A header that more compilations read is not changed: each mutant of it would take minutes.
WIDEST = 12


class Place:
    """A place of a source in the tree."""

    def __init__(self, source, text, place):
        self.source, self.text, self.place = source, text, place
        self.line = place.line(text)
        self.change = place.shown(text)


def texts_of(tree):
    """The hand-written sources."""
    paths = sorted(path for folder in lcov.FOLDERS for path in (tree / folder).rglob("*"))
    names = (path.relative_to(tree) for path in paths)
    return {str(name): (tree / name).read_text() for name in names if lcov.is_hand_written(name)}


def all_places(texts):
    """The sources with their places, those of one token together: each token is drawn as often as another."""
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
    """Makes mutants in a tree."""

    def __init__(self, tree):
        self.tree, self.build = tree, tree / "build/coverage"
        self.covering = covering.load(self.build, tree)
        self.readers = dependents(self.build)
        if not trial.builds(self.build, sorted({program for unit in self.covering.units for program in unit["programs"]})):
            sys.exit("The tree does not build unchanged")

    def outcome(self, place):
        """What becomes of a mutant."""
        units = [self.covering.units[index] for index in self.covering.of(place.source, place.line, place.text)]
        if not units or not self.covering.runs(place.source, place.line, place.text):
            return trial.Outcome("survived", "no test runs it")
        path = self.tree / place.source
        if self.readers.get(str(path), 0) > WIDEST:
            return trial.Outcome("wide", "-")
        with trial.changed(path, place.place.applied(place.text)):
            return trial.try_change(self.build, units)

    def more(self, count):
        """Makes mutants with the next seeds."""
        texts = texts_of(self.tree)
        places = all_places(texts)
        rows = read()
        known = {(row.source, row.change) for row in rows}
        seed = max((row.seed for row in rows), default=0)
        while count > 0:
            seed += 1
            place = drawn(seed, places, texts)
            if (place.source, place.change) in known:
                continue
            row = self.row(seed, place)
            rows.append(row)
            known.add((row.source, row.change))
            write(rows)
            count -= row.status in results.COUNTED

    def again(self):
        """Runs the survivors again, where they are now."""
        texts = texts_of(self.tree)
        rows = read()
        for index, row in enumerate(rows):
            if row.status == "survived":
                place = found_again(row, texts)
                if place is not None:
                    rows[index] = self.row(row.seed, place)
                    write(rows)
                else:
                    print(f"{row.seed}: no longer in {row.source}: {row.change}", flush=True)

    def row(self, seed, place):
        outcome = self.outcome(place)
        print(f"{seed}: {outcome.status} by {outcome.by}: {place.source}:{place.line}: {place.change}", flush=True)
        return results.Row(seed, outcome.status, place.source, place.line, place.change, outcome.by)

    def promises(self):
        """Runs the broken variants, and returns the names of those that nothing caught."""
        kept = []
        for variant in promises.load(FOLDER / "promises.toml"):
            outcome = self.broken(variant)
            print(f"{variant.name}: {outcome.status} by {outcome.by}", flush=True)
            if outcome.status != "caught":
                kept.append(variant.name)
        return kept

    def broken(self, variant):
        units = [unit for unit in self.covering.units if variant.names(unit["suite"] or unit["test"])]
        if not units:
            return trial.Outcome("survived", "no test has this name")
        path = self.tree / variant.file
        with trial.changed(path, variant.applied(path.read_text())):
            return trial.try_change(self.build, units)


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
