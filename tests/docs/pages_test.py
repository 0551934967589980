#!/usr/bin/python3
"""Checks the pages in the repository: pages_test.py PROJECT QUOTED. Links and anchors exist, and so do the sections of the
specification to which pages, headers and the API description refer. Code blocks are as blocks.py describes; QUOTED is a list of
the files that pages quote. Every folder of public headers has pages in the C++ reference."""

import json
import pathlib
import re
import sys

PROJECT = pathlib.Path(sys.argv[1]).resolve()
QUOTED = pathlib.Path(sys.argv[2])
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROJECT / "docs/site"))

import blocks  # noqa: E402
import cpp_reference  # noqa: E402
import markdown_text  # noqa: E402


def link_problems(page, anchors):
    for link in markdown_text.links(page.read_text()):
        target, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        file = (page.parent / target).resolve() if target else page
        if not file.exists():
            yield f"{link}: no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            yield f"{link}: no such heading"


def spec_problems(text, sections):
    for reference in markdown_text.SPEC.findall(text):
        for name in re.findall('"([^"]+)"', reference):
            if name not in sections:
                yield f"Spec: {name!r} is not a heading of docs/reference/specification.md"


def comments(text):
    """The text of comments, with those that continue on the next line joined."""
    return re.sub(r"\s*\n\s*//[/<!]*\s*", " ", text)


# Tables of pages that must name everything in a source: the source, what names an entry there, and the page. They are written by
# hand, except that of metrics, which tables.py writes; here, it is also compared with metrics that the program never showed.
ENUMERATOR = r"^  (\w+),"
TABLES = (
    ("sdk/include/tally/report_check.h", r"enum class NoResendReason[^{]*\{(.*?)\};", ENUMERATOR, "docs/reference/report-checks.md"),
    ("sdk/include/tally/report_end.h", r"enum class ReportEnd[^{]*\{(.*?)\};", ENUMERATOR, "docs/bulk-reporting.md"),
    ("sdk/include/tally/read_before.h", r"enum class ReadBefore[^{]*\{(.*?)\};", ENUMERATOR, "docs/bulk-reporting.md"),
    ("fake/include/tally/fake/fault_rule.h", r"enum class Fault[^{]*\{\n  none,\n(.*?)\};", ENUMERATOR, "docs/fault-injection.md"),
    ("sdk/src/observability/prometheus_text.cpp", r"constexpr Family families\[\] = \{(.*?)\n\};", r'\{"(\w+)"', "docs/reference/metrics.md"),
)


def table_problems():
    for source, block, entry, page in TABLES:
        entries = re.findall(entry, re.search(block, (PROJECT / source).read_text(), re.S)[1], re.M)
        cells = "\n".join(re.findall(r"^\|([^|]*)\|", (PROJECT / page).read_text(), re.M))
        for name in entries:
            if not re.search(rf"\b{name}`", cells):
                yield f"{page}: no row for {name} of {source}"


def reference_problems():
    for headers in sorted([*(PROJECT / "sdk").rglob("include/tally"), *(PROJECT / "fake").rglob("include/tally")]):
        folder = str(headers.parent.relative_to(PROJECT))
        if folder not in cpp_reference.INCLUDES:
            yield f"docs/site/cpp_reference.py: the C++ reference has no pages for the headers of {folder}"


def unknown_names(commands):
    """The presets, sub-commands and examples in commands that the project does not have."""
    presets = {each["name"] for each in json.loads((PROJECT / "CMakePresets.json").read_text())["configurePresets"]}
    known = {
        r"--preset (\S+)": presets,
        r"\./dev (\w+)": set(re.findall(r"^([a-z]+)_?\(\) \{ ##", (PROJECT / "dev").read_text(), re.M)),
        r"--target example_(\w+)|build/demo/examples/(\w+)": {name for example in (PROJECT / "examples").rglob("*.cpp") for name in (example.stem, example.parent.name)},
    }
    for pattern, names in known.items():
        yield from {found[0] for found in re.finditer(pattern, commands) if found[found.lastindex] not in names}


def block_problems():
    for block in blocks.blocks(PROJECT, QUOTED):
        if problem := blocks.problem(block):
            yield f"{block.name}:{block.line}: {problem}"
        if block.language == "sh":
            for name in unknown_names(block.code):
                yield f"{block.name}:{block.line}: there is no {name}"


def problems():
    yield from table_problems()
    yield from reference_problems()
    yield from block_problems()
    cache = {}

    def anchors(file):
        if file not in cache:
            cache[file] = markdown_text.anchors(file.read_text())
        return cache[file]

    sections = set(markdown_text.headings((PROJECT / "docs/reference/specification.md").read_text()))
    for page in blocks.pages(PROJECT):
        for problem in [*link_problems(page, anchors), *spec_problems(page.read_text(), sections)]:
            yield f"{page.relative_to(PROJECT)}: {problem}"
    for folder in ("sdk", "fake"):
        for source in [*(PROJECT / folder).rglob("*.h"), *(PROJECT / folder).rglob("*.cpp")]:
            for problem in spec_problems(comments(source.read_text()), sections):
                yield f"{source.relative_to(PROJECT)}: {problem}"
    for section in json.loads((PROJECT / "codegen/api/root.json").read_text())["x-sections"]:
        if section not in sections:
            yield f"codegen/api/root.json: the section {section!r} is not a heading of docs/reference/specification.md"


def main():
    found = list(problems())
    print("\n".join(found) or f"{len(blocks.pages(PROJECT))} pages: all links, anchors and sections exist, and all code blocks are as they should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
