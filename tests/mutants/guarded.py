"""Writes both versions of a place into the text, so that one program can contain many mutants: switch.h chooses one at run time.

A statement becomes a block, a constant or a condition becomes `(on(n) ? new : old)`, and an operator is written out with the whole
expression around it, if both versions have the same type. Each line keeps its number."""

import bisect
from typing import NamedTuple

import scanner

ON = "::tally_mutants::on({})"
BETWEEN = "::tally_mutants::onBetween<decltype({}), decltype({})>({})"
ASSIGNMENTS = scanner.ASSIGNMENTS
# What an expression follows, apart from brackets.
BEFORE = {",", ";", "?", ":", "return", "co_return", "co_yield", "throw", "else", "do", "case"} | ASSIGNMENTS
AFTER = {",", ";", "?", ":"} | ASSIGNMENTS
HEADERS = {"if", "while", "for", "switch", "catch"}
# A brace that one of these follows belongs to an expression.
CONTINUES = {".", "->", ",", ")", "]", "(", "[", ";", "?", ":"} | set(scanner.SPACED) | {"<<", ">>", "%", "|", "&", "^"}


class Edit(NamedTuple):
    """A change of the text from start to end."""
    start: int
    end: int
    new: str

    def lines(self, text):
        """The numbers of the lines that it touches."""
        return range(text.count("\n", 0, self.start) + 1, text.count("\n", 0, self.end) + 2)


def one_line(text):
    """The code as one line, so that the lines after it keep their numbers. None if it contains a string of several lines."""
    parts, end = [], 0
    for token in scanner.tokens(text):
        if "\n" in token.text:
            return None
        parts += [" " if text[end:token.start] else "", token.text]
        end = token.end
    return "".join(parts).strip()


class Guard:
    """Guards the places of one text."""

    def __init__(self, text):
        self.text = text
        self.scan = scanner.Scan(text)
        self.tokens = self.scan.tokens
        self.starts = [token.start for token in self.tokens]

    def edit(self, place, number):
        """The edit that contains both versions; None if there is no such form."""
        first = bisect.bisect_left(self.starts, place.start)
        old, on = self.text[place.start:place.end], ON.format(number)
        if place.kind == "constant":
            return Edit(place.start, place.end, f"({on} ? {place.new} : {old})")
        if place.kind == "condition":
            new = one_line(place.new)
            return new and Edit(place.start, place.end, f"({on} ? {new} : static_cast<bool>({old}))")
        if place.kind == "return":
            keyword = self.tokens[first - 1]
            return self._block(keyword.start, place.end, f"if ({on}) {keyword.text} {{}};")
        if place.kind == "statement":
            return Edit(place.start, place.end + 1, f"{{ if (!{on}) {{ {old}; }} }}")
        if old == "continue":
            return self._block(place.start, place.end, f"if ({on}) break;")
        if old in ("true", "false"):
            return Edit(place.start, place.end, f"({on} ? {place.new} : {old})")
        return self._expression(place, first, number)

    def _block(self, start, end, before):
        """A statement with another one before it."""
        return Edit(start, end + 1, f"{{ {before} {self.text[start:end]}; }}")

    def _expression(self, place, first, number):
        first -= place.kind == "alternatives"
        begin, end = self._begin(first), self._end(bisect.bisect_left(self.starts, place.end))
        start, stop = self.tokens[begin].start, self.tokens[end - 1].end
        old, new = self.text[start:stop], one_line(self.text[start:place.start] + place.new + self.text[place.end:stop])
        return new and Edit(start, stop, f"({BETWEEN.format(new, one_line(old), number)} ? ({new}) : ({old}))")

    def _word(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def _begin(self, index):
        """The index of the first token of the surrounding expression."""
        while index > 0:
            before = self._word(index - 1)
            if before in BEFORE or before in scanner.OPENING:
                break
            if before in scanner.CLOSING:
                opening = self.scan.pairs.get(index - 1)
                if opening is None or self._ends_before(index, opening):
                    break
                index = opening
            elif before in (">", ">>") and not self._is_spaced(index - 1):
                index = self._before_arguments(index - 1)
            else:
                index -= 1
        return index

    def _ends_before(self, index, opening):
        """Whether what the bracket closes is not part of the expression: a block, or the header of a statement."""
        if self._word(index - 1) == "}":
            return self._word(index) not in CONTINUES
        return self._word(opening - 1) in HEADERS

    def _before_arguments(self, index):
        """The index of the template's name, given that of the bracket that closes its arguments."""
        depth = 0
        while index > 0:
            depth += {">": 1, ">>": 2, "<": -1}.get(self._word(index), 0)
            if depth <= 0:
                break
            index -= 1
        return index

    def _end(self, index):
        """The index after the last token of the surrounding expression."""
        while index < len(self.tokens):
            text = self._word(index)
            if text in AFTER or text in scanner.CLOSING:
                break
            if text in scanner.OPENING:
                index = self.scan.pairs.get(index, index)
            elif text == "<" and not self._is_spaced(index):
                index = self.scan.after_arguments(index, len(self.tokens)) - 1
            index += 1
        return index

    def _is_spaced(self, index):
        return self.scan.is_spaced(self.tokens[index])
