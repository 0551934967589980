#!/usr/bin/python3
"""Checks the generated tables in the pages: tables.py PROJECT FACTS TALLY_FAKE [--write]. Compares them with their sources, or with
--write, writes them. FACTS is the program docs_facts.

A page contains a table between <!-- table NAME --> and <!-- end -->. NAME is a struct of options, an enumeration, `metrics`, `cmake`
for the options of the build, or `promises`, `searches` or `hostile` for those of reliability.md. The
meanings are the first paragraphs of the comments in the public headers, which are read strictly: a line that is not understood, or a
member without a comment, is an error."""

import collections
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import reliability  # noqa: E402

PROJECT, FACTS, TALLY_FAKE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
HEADERS = ("sdk/include", "sdk/bulk/include", "fake/include", "fake/server/include")
# Options without a table, each with its reason.
WITHOUT_TABLE = {
    "ReportCheckOptions",  # of a resource; the page about checks of reports has them
}

TABLE = re.compile(r"<!-- table ([\w:]+) -->\n.*?<!-- end -->", re.S)
MEMBER = re.compile(r"  (?P<type>[\w:<>*, ()&]+?) (?P<name>\w+)(?: = (?P<value>[^;]+)|\{(?P<braced>[^;]*)\});(?: +///< (?P<comment>.*))?$")
ENUMERATOR = re.compile(r"  (?P<name>\w+),(?: +///< (?P<comment>.*))?$")
NOT_DATA = re.compile(r"  (// |bool operator==|operator |friend |(\[\[nodiscard\]\] )?static )|$")

Row = collections.namedtuple("Row", "name type value comment")


class Source:
    """The structs and enumerations of the public headers, by name."""

    def __init__(self):
        self.bodies = {}
        for header in sorted(header for folder in HEADERS for header in (PROJECT / folder).rglob("*.h")):
            for _, name, body in re.findall(r"^(struct|enum class) (\w+)[^;\n]*\{\n(.*?)^\};$", header.read_text(), re.M | re.S):
                self.bodies[name.removeprefix("Basic")] = body
                for nested, inside in re.findall(r"^  enum class (\w+)[^;\n]*\{\n(.*?)^  \};$", body, re.M | re.S):
                    self.bodies[f"{name}::{nested}"] = re.sub("^  ", "", inside, flags=re.M)

    def options(self):
        return {name for name in self.bodies if name.endswith("Options")} - WITHOUT_TABLE

    def rows(self, name, pattern):
        comment = []
        for line in self.bodies[name].splitlines():
            if line.startswith("  ///"):
                comment.append(line[5:].strip())
            elif found := pattern.fullmatch(line):
                row = collections.defaultdict(lambda: None, found.groupdict())
                yield Row(row["name"], re.sub(r"^Held<O, (.*)>$", r"\1", row["type"] or ""), row["value"] or row["braced"] or "", first_paragraph(name, found, comment))
                comment = []
            elif not NOT_DATA.match(line):
                sys.exit(f"tables.py does not understand this line of {name}: {line}")


def first_paragraph(owner, member, comment):
    text = " ".join([*comment, member["comment"] or ""]) if "" not in comment else " ".join(comment[:comment.index("")])
    if not text.strip():
        sys.exit(f"{owner}::{member['name']} has no comment")
    return text.strip()


def prose(comment):
    """The comment as Markdown: names that are recognized by their form are set as code."""
    parts = re.split(r"(`[^`]*`)", comment.replace("|", "\\|"))
    code = re.compile(r"<tally/\w+\.h>|\b\w+(?:::\w+)+(?:\(\))?|\b\w+\(\)|\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b")
    return "".join(part if part.startswith("`") else code.sub(lambda name: f"`{name[0]}`", part) for part in parts)


def plain(cpp):
    return "`" + re.sub(r"\bstd::(chrono::)?", "", cpp).replace("|", "\\|") + "`" if cpp else ""


def table(header, rows):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, ["---"] * len(header), *rows]).replace("|  |", "| |")


def options_table(rows):
    return table(["option", "type and default", "meaning"],
                 [[f"`{row.name}`", f"{plain(row.type)} {plain(row.value)}".strip(), prose(row.comment)] for row in rows])


def enumeration_table(rows):
    return table(["value", "meaning"], [[f"`{row.name}`", prose(row.comment)] for row in rows])


def error_table(rows, verdicts):
    return table(["kind", "printed", "meaning", "again, with effect `none`"],
                 [[f"`{row.name}`", printed, prose(row.comment), verdict] for row, (verdict, printed) in zip(rows, verdicts, strict=True)])


def metrics_table(exposition):
    rows = []
    for name, text, kind in re.findall(r"^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$", exposition, re.M):
        labels = collections.defaultdict(dict)
        for sample in re.findall(rf"^{name}(?:_sum|_count)?\{{(.*)\}}", exposition, re.M):
            for label, value in re.findall(r'(\w+)="([^"]*)"', sample):
                labels[label][value] = True
        labels.pop("operation")
        cells = [f"`{label}`" + (": " + ", ".join(f"`{value}`" for value in values) if len(values) < 5 else "")
                 for label, values in labels.items()]
        rows.append([f"`{name}`", kind, "; ".join(cells), text])
    return table(["metric", "type", "labels besides `operation`", "meaning"], rows)


def cmake_table(project):
    defaults = {"ON": "on", "OFF": "off", "${PROJECT_IS_TOP_LEVEL}": "on, for developers",
                "${TALLY_DEFAULT_EVENTS}": "epoll on Linux, else poll"}
    text = project.read_text()
    options = re.findall(r'^option\((\w+) "(.*)" (\S+)\)$', text, re.M)
    options += [(name, meaning, default)
                for name, default, meaning in re.findall(r'^set\((\w+) (\S+) CACHE STRING "(.*)"\)$', text, re.M)]
    return table(["option", "default", "meaning"],
                 [[f"`{name}`", defaults[default], prose(meaning)] for name, meaning, default in options])


class Tables:
    def __init__(self):
        self.source = Source()
        facts = subprocess.run([FACTS], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.verdicts = re.findall(r"^error (\w+) (.*)$", facts, re.M)
        self.metrics = metrics_table(facts)

    def named(self, name):
        if name in ("promises", "searches", "hostile"):
            return getattr(reliability, name)(PROJECT)
        if name == "metrics":
            return self.metrics
        if name == "cmake":
            return cmake_table(PROJECT / "CMakeLists.txt")
        if name not in self.source.bodies:
            sys.exit(f"the pages have a table of {name}, which the headers do not have")
        if name.endswith("Options") or name in ("Backoff", "RetryBudget", "MutationQueue"):
            return options_table(self.source.rows(name, MEMBER))
        rows = list(self.source.rows(name, ENUMERATOR))
        return error_table(rows, self.verdicts) if name == "ErrorKind" else enumeration_table(rows)


def options_of_tally_fake():
    """The table of docs/tally-fake.md says more than --help, but nothing that differs."""
    page = (PROJECT / "docs/tally-fake.md").read_text().replace(",", "")
    usage = subprocess.run([TALLY_FAKE, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    usage = {option: text for option, text in re.findall(r"^  (--.+?)  +(.*)$", usage, re.M) if option not in ("--help", "--version")}
    rows = {option: row for row in re.findall(r"^\| `--.*$", page, re.M) for option in re.findall(r"`(--[^`]+)`", row.split("|")[1])}
    for option in sorted(usage.keys() ^ rows.keys()):
        yield f"docs/tally-fake.md and tally-fake --help do not both have {option}"
    for option in usage.keys() & rows.keys():
        for number in re.findall(r"\((?:default|maximum): ([^)]+)\)", usage[option]):
            if number not in rows[option]:
                yield f"docs/tally-fake.md: the row of {option} does not have {number}, as tally-fake --help does"


def verdicts_of_kinds(verdicts):
    """The verdicts in docs/errors.md are those of the program."""
    page = (PROJECT / "docs/errors.md").read_text()
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (later|never|neither) \|", page, re.M)
    told = {kind: verdict for kinds, verdict in rows for kind in re.findall(r"`(\w+)`", kinds)}
    for kind in sorted(verdicts.keys() | told.keys()):
        if verdicts.get(kind) != told.get(kind):
            yield f"docs/errors.md: {kind} is {told.get(kind)}, but the program says {verdicts.get(kind)}"


def main():
    tables, shown, problems = Tables(), set(), list(options_of_tally_fake())
    kinds = [row.name for row in tables.source.rows("ErrorKind", ENUMERATOR)]
    problems += verdicts_of_kinds({kind: verdict for kind, (verdict, _) in zip(kinds, tables.verdicts, strict=True)})
    for page in sorted((PROJECT / "docs").rglob("*.md")):
        old = page.read_text()
        shown.update(TABLE.findall(old))
        new = TABLE.sub(lambda found: f"<!-- table {found[1]} -->\n\n{tables.named(found[1])}\n\n<!-- end -->", old)
        if new != old and sys.argv[-1] == "--write":
            page.write_text(new)
        elif new != old:
            problems.append(f"{page.relative_to(PROJECT)}: the tables differ from their sources; build update_docs to write them")
    problems += [f"no page has a table of {name}" for name in sorted({*tables.source.options(), "ErrorKind", "EventKind", "cmake", "metrics", "promises", "searches"} - shown)]
    print("\n".join(problems) or f"{len(shown)} tables")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
