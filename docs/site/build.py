#!/usr/bin/python3
"""Builds the documentation site: build.py OUTPUT. Needs doxygen and mkdocs with its Material theme.

The pages are those of docs, the reference that cpp_reference.py makes of the public headers, and every file of the project that
a page links to. All of them are copied to a folder of their own, with links adapted, and mkdocs turns that folder into the site.
"""

import json
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys

import cpp_reference
import markdown_text
import yaml

PROJECT = pathlib.Path(__file__).resolve().parents[2]
DOCS = PROJECT / "docs"
LANGUAGES = {".cpp": "cpp", ".h": "cpp", ".py": "python", ".json": "json", ".sh": "sh", ".yaml": "yaml", ".cmake": "cmake"}


class Pages:
    """The sources of the pages, by their path in the project."""

    def __init__(self, folder):
        self.folder = folder
        self.places = {}  # the path in the project -> the path in the folder
        self.pending = []

    def place(self, path):
        """Where a file or folder of the project lies among the pages; adds it if it is new."""
        if path not in self.places:
            if page := cpp_reference.page_of_file(path):
                self.places[path] = page
                return page
            if path.startswith("docs/"):
                self.places[path] = path.removeprefix("docs/")
            elif (PROJECT / path).is_dir():
                self.places[path] = f"source/{path}/index.md"
            else:
                self.places[path] = f"source/{path}" + ("" if path.endswith(".md") else ".md")
            self.pending.append(path)
        return self.places[path]

    def write(self):
        while self.pending:
            path = self.pending.pop()
            target = self.folder / self.places[path]
            target.parent.mkdir(parents=True, exist_ok=True)
            if (PROJECT / path).is_dir():
                target.write_text(self.listing(path))
            elif path.endswith(".md"):
                target.write_text(self.adapted(path, (PROJECT / path).read_text()))
            elif path.startswith("docs/"):
                shutil.copy(PROJECT / path, target)
            else:
                target.write_text(quoted(path))

    def listing(self, path):
        lines = [f"# {path}", ""]
        for file in sorted((PROJECT / path).iterdir()):
            if file.name == "README.md":
                lines[1:1] = ["", self.adapted(path + "/README.md", re.sub("^# .*\n", "", file.read_text()), path)]
            else:
                lines.append(f"- [{file.name}]({self.link(path, file.name, path)})")
        return "\n".join(lines) + "\n"

    def adapted(self, path, text, base=None):
        folder = base or posixpath.dirname(path)
        text = markdown_text.replace_links(text, lambda link: self.link(folder, link, base or path))
        text = markdown_text.replace_outside_code(text, lambda prose: self.with_spec(prose, path))
        return markdown_text.inline_diagrams(text, PROJECT / folder)

    def link(self, folder, link, path):
        target, _, anchor = link.partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return link
        wanted = posixpath.normpath(posixpath.join(folder, target))
        if not (PROJECT / wanted).exists():
            sys.exit(f"{path}: {link} does not exist")
        if wanted == "docs/decisions":
            wanted = "docs/decisions/README.md"
        return relative(self.place(wanted), self.places[path]) + (f"#{anchor}" if anchor else "")

    def with_spec(self, prose, path):
        specification = relative("reference/specification.md", self.places.get(path, "source/" + path))
        return markdown_text.link_spec(prose, lambda anchor: f"{specification}#{anchor}")


def relative(target, source):
    return posixpath.relpath(target, posixpath.dirname(source) or ".")


def quoted(path):
    language = LANGUAGES.get(posixpath.splitext(path)[1], "")
    return f"# {path}\n\n````{language}\n{(PROJECT / path).read_text()}````\n"


def titled(folder, pattern):
    """The pages of a folder as navigation, by their titles."""
    return [{markdown_text.title(page.read_text()): str(page.relative_to(folder))} for page in sorted(folder.glob(pattern))]


def operations():
    """The pages of the generator that have the operations of a resource."""
    pages = {page.name: page.read_text() for page in sorted((DOCS / "reference").glob("*.md"))}
    return [{markdown_text.title(text): f"reference/{name}"} for name, text in pages.items()
            if text.startswith("<!-- Generated") and name not in ("assumptions.md", "index.md")]


def navigation(folder, api):
    return [
        {"Recipes": ["recipes.md", *titled(folder, "recipes/*.md")]},
        {"Reference": [
            {"Operations": ["reference/index.md", *operations()]},
            {"C++": ["cpp/index.md", *api]},
            {"Options": "reference/options.md"},
            {"Kinds of errors": "reference/errors.md"},
            {"Events and metrics": "reference/metrics.md"},
            {"Checks of reports": "reference/report-checks.md"},
            {"tally-outbox": "tally-outbox.md"},
            {"The control API": "reference/control-api.md"},
            {"Printing": "reference/printing.md"},
            {"Documented and assumed": "reference/assumptions.md"},
            {"Specification": "reference/specification.md"},
            {"Glossary": "reference/glossary.md"}]},
        {"Inside": [
            {"Architecture": "architecture.md"},
            {"Reliability": "reliability.md"},
            {"Versions and support": "policy.md"},
            {"Security": "SECURITY.md"},
            {"Decisions": ["decisions/README.md", *titled(folder, "decisions/0*.md")]},
            {"Contributing": "source/CONTRIBUTING.md"},
            {"Changes": "source/CHANGELOG.md"},
            {"The generator": "source/codegen/README.md"},
            {"Tests": "source/tests/README.md"}]},
    ]


def write_configuration(folder, config, site, api):
    shared = yaml.safe_load((DOCS / "site/mkdocs.yml").read_text())
    shared["nav"] += navigation(folder, api)
    shared["docs_dir"] = str(folder)
    shared["site_dir"] = str(site)
    shared["theme"]["custom_dir"] = str(DOCS / "site/theme")
    config.write_text(json.dumps(shared))


def write_pages(folder):
    pages = Pages(folder)
    for page in sorted(DOCS.rglob("*.md")):
        pages.place(str(page.relative_to(PROJECT)))
    for page in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "codegen/README.md", "tests/README.md"):
        pages.place(page)
    pages.write()
    shutil.copytree(DOCS / "site/assets", folder / "assets")
    return pages


def only_names(documents, sources):
    """Sources are found by their names alone, so that pages rank above them."""
    for document in documents:
        page, _, anchor = document["location"].partition("#")
        path = sources.get(page)
        if path is None:
            yield document
        elif not anchor:
            yield document | {"text": f"{posixpath.basename(path)} {posixpath.splitext(posixpath.basename(path))[0]}"}


def write_search_index(site, pages):
    file = site / "search/search_index.json"
    index = json.loads(file.read_text())
    sources = {posixpath.splitext(place)[0] + ".html": path for path, place in pages.places.items()
               if place.startswith("source/") and not path.endswith(".md")}
    index["docs"] = list(only_names(index["docs"], sources))
    file.write_text(json.dumps(index))
    (site / "search/search_index.js").write_text(f"searchIndexLoaded({json.dumps(index)});\n")


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    work = site.with_name(site.name + "-work")
    shutil.rmtree(work, ignore_errors=True)
    folder = work / "pages"
    folder.mkdir(parents=True)
    pages = write_pages(folder)
    api = cpp_reference.write(PROJECT, work, folder)
    write_configuration(folder, work / "mkdocs.yml", site, api)
    subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--clean", "--config-file", work / "mkdocs.yml"], check=True)
    write_search_index(site, pages)


if __name__ == "__main__":
    main()
