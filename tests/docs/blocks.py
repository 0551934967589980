#!/usr/bin/python3
"""The code blocks of the pages in the repository, and how each is checked:

- A block that quotes a whole file is checked there: other tests run that file, and check that a page quotes it.
- Any other block of C++ is compiled as the body of a function, with the names of fragments.h. It may begin with a function of its own.
- Any other block of CMake is a part of a project that uses the installed package.
- The tests run the commands of docs/tally-fake.md and docs/reference/control-api.md; commands of other pages are only parsed. So are JSON
  and Python.
- A block without a language is output. Other languages are not allowed.

blocks.py PROJECT QUOTED OUTPUT writes the fragments of C++ and CMake to the folder OUTPUT. QUOTED is a list of quoted files."""

import dataclasses
import json
import pathlib
import re
import subprocess
import sys

FOLDERS = ("sdk", "fake", "codegen", "docs", "tests", "examples")
GENERATED = re.compile(r"/golden/|/build/")
FUNCTION = re.compile(r"[\w:<>]+ \w+\([^;{]*\) \{\n.*?^\}\n", re.M | re.S)
RUN_BY_TESTS = {("docs/tally-fake.md", "js")}


def pages(project):
    found = [*project.glob("*.md"), *(page for folder in FOLDERS for page in (project / folder).rglob("*.md"))]
    return sorted(page for page in found if not GENERATED.search(str(page)))


@dataclasses.dataclass
class Block:
    page: pathlib.Path
    name: str  # of the page, in the project
    line: int  # of the code's first line
    language: str
    code: str


def blocks(project, quoted):
    """The blocks that are not one of these files."""
    import markdown_text

    texts = {pathlib.Path(file).read_text() for file in quoted.read_text().splitlines()}
    for page in pages(project):
        line = 1
        for is_code, language, lines in markdown_text.parts(page.read_text()):
            code = "".join(lines[1:-1])
            if is_code and code not in texts:
                yield Block(page, str(page.relative_to(project)), line + 1, language, code)
            line += len(lines)


def parse_json(code):
    is_member = code.startswith('"')
    json.loads("{" + code + "}" if is_member else code)


def parse_shell(code):
    subprocess.run(["bash", "-n"], input=code, text=True, check=True, stderr=subprocess.PIPE)


PARSERS = {"json": parse_json, "sh": parse_shell, "python": lambda code: compile(code, "", "exec")}


def problem(block):
    """What is wrong with a block, as far as that shows without a compiler."""
    if block.language in ("", "cpp", "cmake") or (block.name, block.language) in RUN_BY_TESTS:
        return None
    if block.language not in PARSERS:
        return f"no test checks a block of {block.language}"
    try:
        PARSERS[block.language](block.code)
    except (ValueError, SyntaxError) as error:
        return str(error)
    except subprocess.CalledProcessError as error:
        return error.stderr.strip()


def function(block):
    """The block as a function. A function that it begins with precedes it."""
    name = re.sub(r"\W", "_", block.name)
    defined = FUNCTION.match(block.code)
    before = defined[0] if defined else ""
    body = block.code.removeprefix(before)
    coroutine = "co_await" in body
    result, end = ("tally::Task<>", "co_return;") if coroutine else ("tally::Result<void>", "return boost::outcome_v2::success();")
    return (f'namespace {name}_{block.line} {{\n#line {block.line} "{block.page}"\n{before}{result} fragment() {{\n'
            f'#line {block.line + before.count(chr(10))} "{block.page}"\n{body}{end}\n}}\n}}\n')


def write(output, found):
    functions = "\n".join(function(block) for block in found if block.language == "cpp")
    output.mkdir(parents=True, exist_ok=True)
    (output / "fragments.cpp").write_text(f'#include "fragments.h"\n\nnamespace fragments {{\n\n{functions}\n}}\n')
    (output / "fragments.cmake").write_text("".join(block.code for block in found if block.language == "cmake"))


def main():
    project, quoted, output = (pathlib.Path(argument) for argument in sys.argv[1:])
    sys.path.insert(0, str(project / "docs/site"))
    sys.dont_write_bytecode = True
    write(output, list(blocks(project, quoted)))


if __name__ == "__main__":
    main()
