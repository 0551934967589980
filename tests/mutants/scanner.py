"""Finds the places of a C++ text where one change makes a mutant.

Reads tokens, not the grammar, and relies on the layout that clang-format gives: binary operators have spaces around
them, and brackets of templates do not. The compiler finds what does not compile."""

import re
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<directive>(?<![^\n])[ \t]*\#(?:\\\n|[^\n])*)
      | (?P<string>(?:u8|u|U|L)?R"(?P<delimiter>[^(\s]*)\(.*?\)(?P=delimiter)"|(?:u8|u|U|L)?"(?:\\.|[^"\\])*")
      | (?P<number>\.?\d(?:'?[\w.]|(?<=[eE])[+-])*)
      | (?P<character>'(?:\\.|[^'\\])+')
      | (?P<word>[A-Za-z_]\w*)
      | (?P<sign><=>|<<=|>>=|->\*|\.\.\.|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%|&^]=|.)
    """, re.X | re.S)

SPACED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
          "*": "/", "/": "*", "+=": "-=", "-=": "+="}
WORDS = {"true": "false", "false": "true", "min": "max", "max": "min", "continue": "break"}
OPENING, CLOSING = "([{", ")]}"
# The compiler decides these, or only a broken program does.
NOT_RUN = {"static_assert", "assert", "noexcept", "decltype", "sizeof", "alignas", "alignof", "requires"}
# A statement that begins with one of these is more than a call or an assignment.
KEYWORDS = {"return", "co_return", "co_yield", "throw", "if", "else", "for", "while", "do", "switch", "case", "default",
            "using", "namespace", "template", "class", "struct", "enum", "public", "private", "protected", "friend", "typedef",
            "goto", "break", "continue", "try", "catch", "static_assert", "assert", "delete", "new", "operator", "const", "auto",
            "constexpr", "static", "inline", "explicit", "virtual", "extern", "mutable", "unsigned", "int", "bool", "char", "double"}
UNARY = {"*", "++", "--"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="}
NOTHING = {"", "{}", "std::nullopt", "nullptr", "false", "true", "0"}


class Token(NamedTuple):
    kind: str
    text: str
    start: int

    @property
    def end(self):
        return self.start + len(self.text)


class Place(NamedTuple):
    """A change of the text from start to end."""
    kind: str
    start: int
    end: int
    new: str

    def applied(self, text):
        return text[:self.start] + self.new + text[self.end:]

    def line(self, text):
        return text.count("\n", 0, self.start) + 1

    def shown(self, text):
        """The changed lines, joined into one, with both versions of what changes in them."""
        begin = text.rfind("\n", 0, self.start) + 1
        end = text.find("\n", self.end)
        shown = f"{text[begin:self.start]}[{text[self.start:self.end]} → {self.new}]{text[self.end:end if end >= 0 else None]}"
        return " ".join(shown.split())


def tokens(text):
    """What the compiler reads, without comments and directives."""
    found = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup != "delimiter" else "string"
        if kind not in ("space", "comment", "directive"):
            found.append(Token(kind, match.group(), match.start()))
    return found


def partners(found):
    """The index of the closing bracket for that of each opening one, and the reverse."""
    pairs, stack = {}, []
    for index, token in enumerate(found):
        if token.kind == "sign" and token.text in OPENING:
            stack.append(index)
        elif token.kind == "sign" and token.text in CLOSING and stack:
            opening = stack.pop()
            pairs[opening], pairs[index] = index, opening
    return pairs


class Scan:
    """The places of one text."""

    def __init__(self, text):
        self.text = text
        self.tokens = tokens(text)
        self.pairs = partners(self.tokens)
        self.skipped = self._skipped()

    def places(self):
        found = [place for index in range(len(self.tokens)) if index not in self.skipped for place in self._at(index)]
        return sorted(found, key=lambda place: (place.start, place.end, place.new))

    def _skipped(self):
        """The indices of tokens that never run."""
        skipped = set()
        for index, token in enumerate(self.tokens):
            after = self._word(index + 1)
            if token.text in NOT_RUN and after == "(":
                skipped.update(range(index, self.pairs.get(index + 1, index) + 1))
            elif token.text == "[" and after == "[":
                skipped.update(range(index, self.pairs.get(index, index) + 1))
            elif token.text in ("template", "concept", "using", "requires", "friend"):
                skipped.update(self._declaration(index))
        return skipped

    def _declaration(self, index):
        """The parameters of a template with its constraint, or a declaration to its end."""
        end = index
        while self._word(end) not in (";", "{", ""):
            if self.tokens[index].text == "template" and self._word(end) == ">" and self._word(end + 1) != "requires":
                break
            end += 1
        return range(index, end)

    def _word(self, index):
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def _at(self, index):
        token = self.tokens[index]
        if token.kind == "sign":
            yield from self._sign(index, token)
            if token.text in (";", "{", "}"):
                yield from self._statement(index + 1)
        elif token.kind == "number":
            yield from self._number(index, token)
        elif token.kind == "word":
            yield from self._in_words(index, token)

    def _sign(self, index, token):
        if token.text in SPACED and self.is_spaced(token) and not self._is_declarator(index) and not self._joins_text(index):
            yield Place("operator", token.start, token.end, SPACED[token.text])
        elif token.text in ("++", "--"):
            yield Place("operator", token.start, token.end, "--" if token.text == "++" else "++")
        elif token.text == "!":
            yield Place("negation", token.start, token.end, "")
        elif token.text == "?":
            yield from self._alternatives(index)

    def is_spaced(self, token):
        return self.text[token.start - 1:token.start].isspace() and self.text[token.end:token.end + 1].isspace()

    def _is_declarator(self, index):
        """Whether an operator belongs to a declaration: a member function for rvalues, or parameters of a template."""
        return self._word(index - 1) in ("template", "operator", "requires") or (
            self.tokens[index].text == "&&" and self._word(index + 1) in ("{", ";", "noexcept", "override", "->", "="))

    def _joins_text(self, index):
        """Whether the operator is the + or += of strings, for which there is no - ."""
        sides = [self.tokens[side].kind for side in (index - 1, index + 1) if 0 <= side < len(self.tokens)]
        return self._word(index) in ("+", "+=") and ("string" in sides or "character" in sides)

    def _alternatives(self, index):
        colon = self._end_of(index + 1, {":"})
        end = self._end_of(colon + 1, {",", ";", ")", "]", "}", ":"})
        if self._word(colon) == ":" and self._word(end):
            first = self._between(index + 1, colon)
            second = self._between(colon + 1, end)
            yield Place("alternatives", self.tokens[index + 1].start, self.tokens[end - 1].end, f"{second} : {first}")

    def _end_of(self, index, ends):
        """The index of the first token outside of brackets that is one of the ends or closes the surrounding bracket."""
        depth = 0
        while index < len(self.tokens):
            text = self.tokens[index].text
            if text == "?" and ":" in ends:
                depth += 1
            elif text == ":" and depth > 0:
                depth -= 1
            elif depth == 0 and (text in ends or text in CLOSING):
                return index
            index = self.pairs.get(index, index) + 1 if text in OPENING else index + 1
        return index

    def _between(self, first, end):
        """The text of the tokens before the end."""
        return self.text[self.tokens[first].start:self.tokens[end - 1].end] if first < end else ""

    def _number(self, index, token):
        digits = re.match(r"\d[\d']*", token.text)
        is_pure = self._word(index - 1) == "=" and self._word(index - 2) in (")", "const", "noexcept", "override")
        if not digits or token.text.lower().startswith("0x") or "." in token.text or is_pure:
            return
        value = int(digits.group().replace("'", ""))
        rest = token.text[digits.end():]
        yield Place("constant", token.start, token.end, f"{value + 1}{rest}")
        if value > 0:
            yield Place("constant", token.start, token.end, f"{value - 1}{rest}")

    def _in_words(self, index, token):
        if token.text in ("min", "max"):
            if self._word(index - 1) == "::" and self._word(index - 2) in ("std", "ranges"):
                yield Place("word", token.start, token.end, WORDS[token.text])
        elif token.text in WORDS:
            yield Place("word", token.start, token.end, WORDS[token.text])
        elif token.text in ("if", "while") and self._word(index + 1) == "(":
            yield from self._condition(token, index + 1)
        elif token.text in ("return", "co_return"):
            yield from self._returned(index, token)

    def _condition(self, token, opening):
        closing = self.pairs.get(opening)
        if closing is None:
            return
        first = opening + 1
        while (semicolon := self._end_of(first, {";"})) < closing:
            first = semicolon + 1
        condition = self._between(first, closing)
        if condition and self._end_of(first, {"="}) == closing and not re.match(r"(const )?auto\b", condition):
            start, end = self.tokens[first].start, self.tokens[closing].start
            yield Place("condition", start, end, f"!({condition})")
            if token.text == "if":
                yield Place("condition", start, end, "true")
            yield Place("condition", start, end, "false")

    def _returned(self, index, token):
        end = self._end_of(index + 1, {";"})
        value = self._between(index + 1, end)
        if value not in NOTHING and self._word(end) == ";":
            yield Place("return", self.tokens[index + 1].start, self.tokens[end].start, "{}")

    def _statement(self, first):
        """Removes a call or an assignment."""
        begins = first < len(self.tokens) and (self._word(first) in UNARY or self.tokens[first].kind == "word")
        if not begins or self._word(first) in KEYWORDS:
            return
        end = self._end_of(first, {";"})
        if self._word(end) == ";" and self._is_effect(first, end):
            yield Place("statement", self.tokens[first].start, self.tokens[end].start, "")

    def _is_effect(self, first, end):
        """Whether the tokens are a name with its members and calls, which is called or assigned to."""
        called = self._word(first) in ("++", "--")
        index = first
        while index < end:
            text = self._word(index)
            if text in ASSIGNMENTS or text in ("++", "--"):
                return True
            if text == "<" and not self.is_spaced(self.tokens[index]):
                index = self.after_arguments(index, end)
                continue
            if text in ("(", "["):
                called = text == "("
                index = self.pairs.get(index, end)
            elif not self._continues(index, first):
                return False
            index += 1
        return called

    def _continues(self, index, first):
        """Whether a name continues with this token: two words in a row would be a declaration."""
        text = self._word(index)
        if self.tokens[index].kind == "word":
            return index == first or self._word(index - 1) in ("::", ".", "->", "*", "co_await", "template")
        return text in ("::", ".", "->") or (text == "*" and index == first)

    def after_arguments(self, index, end):
        """The index after the arguments of a template."""
        depth = 0
        while index < end:
            text = self._word(index)
            depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
            index += 1
            if depth <= 0:
                break
        return index


def places(text):
    return Scan(text).places()
