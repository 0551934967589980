"""A tree that contains many mutants at once, of which the environment chooses one. See guarded.py and switch.h."""

import os
import re
import sys

import guarded
import trial

# How many failures end a build: one mutant in a header that doesn't compile would fail almost everything.
MOST_FAILURES = 8


class Batch:
    """Some places of the sources with their numbers, without those that can't be guarded, overlap or don't compile."""

    def __init__(self, tree, build, places):
        self.tree, self.build = tree, build
        self.texts = {place.source: place.text for place in places.values()}
        self.edits = {source: edits_of(text, numbered(places, source)) for source, text in self.texts.items()}

    def numbers(self, source=None):
        """The numbers of the mutants that the programs contain, those of one source or all."""
        edits = [self.edits.get(source, {})] if source else self.edits.values()
        return {number for some in edits for number in some}

    def write(self):
        """Writes the sources. One that already has its text keeps its modification time."""
        for source, edits in self.edits.items():
            path, text = self.tree / source, applied(self.texts[source], edits.values())
            if path.read_text() != text:
                path.write_text(text)

    def make(self):
        """Builds everything, without the mutants that don't compile."""
        self.write()
        while log := trial.build_log(self.build, [], MOST_FAILURES):
            found = self.blamed(log)
            if not found:
                sys.exit(f"The tree does not build:\n{log[-8000:]}")
            print(f"{len(found)} mutants do not compile together with others", flush=True)
            for edits in self.edits.values():
                for number in found & edits.keys():
                    del edits[number]
            self.write()

    def blamed(self, log):
        """The mutants in the lines of errors; if there are none, those in lines that notes name."""
        return self.at(log, "(?:fatal )?error") or self.at(log, "note")

    def at(self, log, kind):
        found = set()
        for path, line in re.findall(rf"^(\S+?):(\d+):\d+: {kind}:", log, re.M):
            whole = os.path.normpath(self.build / path)  # ccache makes paths relative
            for source in self.edits:
                if whole == str(self.tree / source):
                    edits = self.edits[source]
                    found |= {number for number, edit in edits.items() if int(line) in edit.lines(self.texts[source])}
        return found


def numbered(places, source):
    return {number: place.place for number, place in places.items() if place.source == source}


def edits_of(text, places):
    """The edits of a text by their numbers. Of those that overlap, the first."""
    guard = guarded.Guard(text)
    edits = {}
    for number, place in sorted(places.items()):
        edit = guard.edit(place, number)
        if edit and all(edit.end <= other.start or other.end <= edit.start for other in edits.values()):
            edits[number] = edit
    return edits


def applied(text, edits):
    for edit in sorted(edits, reverse=True):
        text = text[:edit.start] + edit.new + text[edit.end:]
    return text
