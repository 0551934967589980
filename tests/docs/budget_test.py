#!/usr/bin/python3
"""Measures the pages: budget_test.py PROJECT. Pages and sentences stay short enough to be read, and a search for what users
look for finds the right page. With --report, prints the figures."""

import pathlib
import re
import sys

PROJECT = pathlib.Path(sys.argv[1]).resolve()
DOCS = PROJECT / "docs"
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROJECT / "docs/site"))

import markdown_text  # noqa: E402
import ranking  # noqa: E402
import searches  # noqa: E402

ALL_WORDS, PAGE_WORDS, README_WORDS = 28_000, 1_800, 450
TUTORIAL_STEPS, TUTORIAL_WORDS = 7, range(400, 701)
RECIPES, RECIPE_WORDS = 25, 320
HOW_TOS, CODE_LINES = 14, 15
SENTENCE_WORDS, LONG_SENTENCES = 30, 0.02
FOUND_AMONG = 3

TABLE = re.compile(r"<!-- table .*?<!-- end -->", re.S)
LOOKED_UP = ("reference/", "decisions/")  # folders whose pages nobody reads from beginning to end


def pages():
    """The pages of docs, by their paths there without an extension."""
    return {str(page.relative_to(DOCS).with_suffix("")): page.read_text() for page in sorted(DOCS.rglob("*.md"))}


def count(text):
    return len(text.split())


def prose(text):
    return "".join("".join(lines) for is_code, _, lines in markdown_text.parts(text) if not is_code)


def sentences(text):
    """The sentences of paragraphs and lists. Cells of tables, headings and pictures do not count."""
    lines = [line for line in prose(text).splitlines() if not re.match(r"[|#!<]", line)]
    blocks = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", "\n".join(lines))
    for block in blocks:
        block = markdown_text.CODE_SPAN.sub("code", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", block))
        yield from (each for each in re.split(r"(?<=[.!?])\s+", block) if count(each) > 1)


def is_generated(text):
    return text.startswith("<!-- Generated")


def how_tos():
    group = re.search(r"^  - How-tos:\n((?:      .*\n)+)", (DOCS / "site/mkdocs.yml").read_text(), re.M)
    return re.findall(r": (\S+\.md)$", group[1], re.M)


def of_length(found):
    read = {name: count(TABLE.sub("", text)) for name, text in found.items() if not name.startswith(LOOKED_UP)}
    print(f"{sum(read.values())} words outside of reference, decisions and generated tables")
    if sum(read.values()) > ALL_WORDS:
        yield f"the pages have {sum(read.values())} words, more than {ALL_WORDS}"
    for name, text in found.items():
        words = count(TABLE.sub("", text))
        if words > PAGE_WORDS and not is_generated(text) and name != "reference/specification":
            yield f"docs/{name}.md has {words} words, more than {PAGE_WORDS}"
    words = count(prose((PROJECT / "README.md").read_text()))
    if words > README_WORDS:
        yield f"README.md has {words} words outside of code, more than {README_WORDS}"


def of_groups(found):
    steps = {name: count(text) for name, text in found.items() if re.match(r"tutorial/\d", name)}
    if len(steps) != TUTORIAL_STEPS:
        yield f"the tutorial has {len(steps)} steps, not {TUTORIAL_STEPS}"
    for name, words in steps.items():
        if words not in TUTORIAL_WORDS:
            yield f"docs/{name}.md has {words} words, not {TUTORIAL_WORDS[0]} to {TUTORIAL_WORDS[-1]}"
    recipes = {name: count(text) for name, text in found.items() if name.startswith("recipes/")}
    if len(recipes) < RECIPES:
        yield f"there are {len(recipes)} recipes, fewer than {RECIPES}"
    for name, words in recipes.items():
        if words > RECIPE_WORDS:
            yield f"docs/{name}.md has {words} words: it does not fit on a screen"
    if len(how_tos()) > HOW_TOS:
        yield f"there are {len(how_tos())} how-tos, more than {HOW_TOS}"
    for page in how_tos():
        for language, code in markdown_text.code_blocks((DOCS / page).read_text()):
            if language == "cpp" and code.count("\n") > CODE_LINES:
                yield f"docs/{page}: {code.count(chr(10))} lines of code, more than {CODE_LINES}: link to the program"


def of_sentences(found):
    told = [sentence for text in found.values() if not is_generated(text) for sentence in sentences(TABLE.sub("", text))]
    long = [sentence for sentence in told if count(sentence) > SENTENCE_WORDS]
    print(f"{len(long)} of {len(told)} sentences have more than {SENTENCE_WORDS} words")
    if "--report" in sys.argv:
        print("\n".join(" ".join(sentence.split()) for sentence in long))
    if len(long) > LONG_SENTENCES * len(told):
        yield f"{len(long)} of {len(told)} sentences have more than {SENTENCE_WORDS} words; the longest: {max(long, key=count)}"


def of_searches(found):
    headers = {f"<{header.relative_to(folder)}>": header.read_text()
               for folder in sorted(PROJECT.glob("*/include")) + sorted(PROJECT.glob("*/*/include")) for header in folder.rglob("*.h")}
    ranks = ranking.Ranking(found | {name: f"# {name}\n{text.replace('#', '')}" for name, text in headers.items()})
    for query, expected in searches.SEARCHES.items():
        first = ranks.search(query)[:FOUND_AMONG]
        if not set(first) & set(expected):
            yield f"a search for {query!r} does not find {expected[0]}, but {', '.join(first)}"
        if "--report" in sys.argv:
            print(f"{query}: {', '.join(first)}")


def main():
    found = pages()
    if "--report" in sys.argv:
        for name, text in sorted(found.items(), key=lambda page: -count(page[1])):
            print(f"{count(text):6} {name}")
    problems = [*of_length(found), *of_groups(found), *of_sentences(found), *of_searches(found)]
    print("\n".join(problems) or f"{len(found)} pages are within their limits")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
