"""Turns the public headers into pages: one per header, from the XML of doxygen."""

import html
import posixpath
import re
import subprocess
import xml.etree.ElementTree as ET

import markdown_text

INCLUDES = ("sdk/include", "sdk/generated/include", "sdk/bulk/include", "sdk/outbox/include", "fake/include", "fake/server/include", "fake/testing/include",
            "fake/generated/include")
DOXYFILE = r"""
INPUT = {inputs}
RECURSIVE = YES
FILE_PATTERNS = *.h
EXTRACT_ALL = YES
GENERATE_XML = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
XML_PROGRAMLISTING = NO
OUTPUT_DIRECTORY = {output}
STRIP_FROM_PATH = {strip}
EXCLUDE_SYMBOLS = *::detail *::detail::* *::internal *::internal::*
MACRO_EXPANSION = YES
PREDEFINED = "MOCK_METHOD(result, name, arguments)=result name arguments"
# Otherwise, a comment behind a member continues with the comment before the next one.
INPUT_FILTER = "sed 's|///<\(.*\)|/**<\1 */|'"
WARN_IF_UNDOCUMENTED = NO
QUIET = YES
WARN_AS_ERROR = NO
"""
KINDS = {"struct": "Structs", "class": "Classes", "enum": "Enumerations", "function": "Functions", "typedef": "Types",
         "variable": "Constants", "concept": "Concepts"}


def run_doxygen(project, work):
    inputs = " ".join(str(project / each) for each in INCLUDES if (project / each).exists())
    settings = DOXYFILE.format(inputs=inputs, output=work / "doxygen",
                               strip=" ".join(str(project / each) for each in INCLUDES))
    (work / "doxygen").mkdir()
    (work / "Doxyfile").write_text(settings)
    with open(work / "doxygen.log", "w") as log:
        subprocess.run(["doxygen", work / "Doxyfile"], check=True, stdout=log, stderr=log)
    return [ET.parse(file).getroot()[0] for file in sorted((work / "doxygen/xml").glob("*.xml"))
            if re.match("(struct|class|union|namespace|concept)", file.name)]


def hidden(name):
    return bool(re.search(r"\bdetail\b|\binternal\b|@", name)) or "<" in name.split("operator")[0]


def escaped(text):
    """Text for HTML within Markdown."""
    for sign in "[]*_`|":
        text = text.replace(sign, f"\0{ord(sign)};")
    return html.escape(text, quote=False).replace("\0", "&#")


class Entry:
    """A public name, or a member of a class."""

    def __init__(self, node, name, kind, owner=None):
        self.node, self.name, self.kind, self.owner = node, name, kind, owner
        self.page = self.anchor = None
        self.members = []

    @property
    def short(self):
        return self.name.rsplit("::", 1)[-1] if "operator" not in self.name else self.name[self.name.index("operator"):]


class Reference:
    def __init__(self, compounds):
        self.pages = {}  # header -> entries
        self.by_id = {}
        for compound in compounds:
            self.read(compound)
        for header, entries in self.pages.items():
            self.number(header, entries)

    def read(self, compound):
        name = compound.findtext("compoundname")
        kind = compound.get("kind")
        if hidden(name):
            return
        if kind in ("struct", "class", "union", "concept"):
            entry = Entry(compound, name, kind)
            self.by_id[compound.get("id")] = entry
            for member in compound.iter("memberdef"):
                if member.get("prot") == "public" or member.get("kind") == "friend":
                    self.add_member(entry, member)
            self.add(entry)
        elif kind == "namespace":
            for member in compound.iter("memberdef"):
                member_name = f"{name}::{member.findtext('name')}"
                if not hidden(member_name):
                    entry = Entry(member, member_name, member.get("kind"))
                    self.by_id[member.get("id")] = entry
                    self.add(entry)

    def add_member(self, owner, member):
        name = member.findtext("name")
        if hidden(name) or (member.get("kind") == "friend" and "(" not in (member.findtext("argsstring") or "")):
            return
        entry = Entry(member, name, "function" if member.get("kind") == "friend" else member.get("kind"), owner)
        self.by_id[member.get("id")] = entry
        owner.members.append(entry)

    def add(self, entry):
        header = entry.node.find("location").get("file")
        self.pages.setdefault(header, []).append(entry)

    def number(self, header, entries):
        taken = set()
        for entry in entries:
            for each in [entry, *entry.members]:
                names = [part for part in (each.owner.short if each.owner else "", each.short) if part]
                base = re.sub(r"[^\w~]+", "-", "-".join(names).replace("operator", "operator-")).strip("-") or "operator"
                base = re.sub("^~|-~", "-destroy-", base) if "~" in base else base
                number = 1
                while (name := base if number == 1 else f"{base}-{number}") in taken:
                    number += 1
                taken.add(name)
                each.page, each.anchor = page_of(header), name


def page_of(header):
    """tally/fake/service.h -> cpp/fake-service."""
    return "cpp/" + header.removeprefix("tally/").removesuffix(".h").replace("/", "-")


def page_of_file(path):
    """The page of a public header, by its path in the project; nothing for another file."""
    for folder in INCLUDES:
        if path.startswith(folder + "/") and path.endswith(".h") and "/detail/" not in path:
            return page_of(path.removeprefix(folder + "/")) + ".md"
    return None


class Writer:
    """Writes a page. Signatures and descriptions are HTML, since links within code are not possible in Markdown."""

    def __init__(self, reference, header, assumptions):
        self.reference, self.header, self.page, self.assumptions = reference, header, page_of(header), assumptions

    def address(self, entry):
        file = "" if entry.page == self.page else posixpath.relpath(entry.page, "cpp") + ".html"
        return f"{file}#{entry.anchor}"

    def inline(self, node):
        """The content of a node as HTML."""
        if node is None:
            return ""
        return escaped(node.text or "") + "".join(self.element(child) + escaped(child.tail or "") for child in node)

    def element(self, node):
        inside = self.inline(node)
        tag = node.tag
        if tag == "ref":
            entry = self.reference.by_id.get(node.get("refid"))
            return f'<a href="{self.address(entry)}">{inside}</a>' if entry else inside
        if tag in ("computeroutput", "bold", "emphasis"):
            return "<{0}>{1}</{0}>".format({"computeroutput": "code", "bold": "b", "emphasis": "em"}[tag], inside)
        if tag == "para":
            return inside + ("\n\n" if inside.strip() else "")
        if tag in ("itemizedlist", "orderedlist"):
            return f"<ul>{inside}</ul>"
        if tag == "listitem":
            return f"<li>{inside.strip()}</li>"
        if tag in ("programlisting", "verbatim", "preformatted"):
            return f"<pre><code>{inside}</code></pre>"
        if tag == "codeline":
            return inside + "\n"
        if tag == "sp":
            return " "
        if tag == "ndash":
            return "–"
        if tag == "mdash":
            return "—"
        if tag == "nonbreakablespace":
            return " "
        if tag == "ulink":
            url = node.get("url")  # Doxygen also takes a scheme alone, such as `file:`, for a link
            return f'<a href="{url}">{inside}</a>' if url.startswith("http") else inside
        if tag == "simplesect":
            return {"return": "Returns ", "note": "Note: "}.get(node.get("kind"), "") + inside
        return inside

    def described(self, node):
        """The description of a member or class, in paragraphs of HTML."""
        text = self.inline(node.find("briefdescription")) + self.inline(node.find("detaileddescription"))
        paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
        return [self.linked(part) for part in paragraphs]

    def linked(self, text):
        text = markdown_text.link_spec(text, lambda anchor: f"../reference/specification.html#{anchor}", as_html=True)
        for point, anchor in self.assumptions:
            text = text.replace(f"Assumed (not specified): {point}.",
                                f'Assumed (not specified): <a href="../reference/assumptions.html#{anchor}">{point}</a>.')
        return text

    def paragraphs(self, node):
        return "\n\n".join(f"<p>{part}</p>" if not part.startswith(("<ul", "<pre")) else part for part in self.described(node))

    def cell(self, node):
        return "<br>".join(self.described(node)).replace("\n", " ")

    def type(self, node):
        return self.inline(node.find("type")).strip()

    def template(self, node):
        params = node.find("templateparamlist")
        if params is None:
            return ""
        inside = ", ".join(" ".join(filter(None, [self.type(each), html.escape(each.findtext("declname") or "")])) +
                           (f" = {self.inline(each.find('defval'))}" if each.find("defval") is not None else "")
                           for each in params.findall("param"))
        return f"template &lt;{inside}&gt;\n"

    def function(self, entry):
        node = entry.node
        params = []
        for each in node.findall("param"):
            kind, array = self.type(each), html.escape(each.findtext("array") or "")
            text = " ".join(filter(None, [kind, html.escape(each.findtext("declname") or "")])) + array
            if each.find("defval") is not None:
                text += f" = {self.inline(each.find('defval'))}"
            params.append(text)
        suffix = html.escape((node.findtext("argsstring") or "").rpartition(")")[2]).strip()
        words = [word for word in ("static", "explicit", "virtual") if node.get({"virtual": "virt"}.get(word, word)) in ("yes", "virtual", "pure-virtual")]
        head = " ".join(filter(None, [*words, self.type(node)]))
        arguments = ", ".join(params)
        if len(re.sub("<[^>]+>", "", arguments)) > 70:
            arguments = "\n    " + ",\n    ".join(params)
        return f"{self.template(node)}{head} {html.escape(entry.short)}({arguments}) {suffix}".strip()

    def signature(self, entry):
        node = entry.node
        if entry.kind == "function":
            return self.function(entry)
        if entry.kind == "typedef":
            return f"{self.template(node)}using {entry.short} = {self.type(node)}"
        if entry.kind == "variable":
            return f"{self.template(node)}{self.type(node)} {entry.short} {self.inline(node.find('initializer'))}".strip()
        if entry.kind == "concept":
            return self.inline(node.find("initializer"))
        bases = ", ".join(self.inline(wrapped(each)) for each in node.findall("basecompoundref"))
        return f"{self.template(node)}{entry.kind} {html.escape(entry.name)}" + (f" : {bases}" if bases else "")

    def heading(self, level, entry, text):
        return f"{'#' * level} `{text}` {{#{entry.anchor}}}"

    def code(self, text):
        return f'<div class="signature" markdown="0"><code>{text.replace(chr(10), "<br>")}</code></div>'

    def values(self, entry):
        lines = ["| Value | Meaning |", "|---|---|"]
        for value in entry.node.findall("enumvalue"):
            lines.append(f"| `{value.findtext('name')}` | {self.cell(value)} |")
        return "\n".join(lines)

    def fields(self, fields):
        lines = ["| Member | Type | Default | Meaning |", "|---|---|---|---|"]
        for each in fields:
            default = self.inline(each.node.find("initializer")).strip().removeprefix("=").strip()
            default = f"<code>{default}</code>" if default else ""
            kind = self.type(each.node)
            lines.append(f'| <a id="{each.anchor}"></a>`{each.short}` | <code>{kind}</code> | {default} | {self.cell(each.node)} |')
        return "\n".join(lines)

    def entry(self, entry):
        if entry.kind == "enum":
            return [self.heading(2, entry, "enum " + entry.short), self.paragraphs(entry.node), self.values(entry)]
        if entry.kind not in ("struct", "class", "union"):
            return [self.heading(2, entry, entry.short), self.code(self.signature(entry)), self.paragraphs(entry.node)]
        blocks = [self.heading(2, entry, f"{entry.kind} {entry.short}"), self.code(self.signature(entry)),
                  self.paragraphs(entry.node)]
        fields = [each for each in entry.members if each.kind == "variable"]
        if fields:
            blocks.append(self.fields(fields))
        for each in entry.members:
            if each.kind == "enum":
                blocks += [self.heading(3, each, "enum " + each.short), self.paragraphs(each.node), self.values(each)]
            elif each.kind != "variable":
                blocks += [self.heading(3, each, each.short), self.code(self.signature(each)), self.paragraphs(each.node)]
        return blocks

    def text(self, entries):
        order = list(KINDS)
        entries = sorted(entries, key=lambda each: (each.kind == "function", each.kind not in order))
        blocks = [f"# `<{self.header}>`"]
        for each in entries:
            blocks += self.entry(each)
        return "\n\n".join(block for block in blocks if block) + "\n"


def wrapped(node):
    """A base class as a reference."""
    holder = ET.Element("type")
    if node.get("refid"):
        ET.SubElement(holder, "ref", refid=node.get("refid")).text = node.text
    else:
        holder.text = node.text
    return holder


def including_headers(project, reference):
    """A line for each public header that only makes the names of others available. Its comment says so; headers without a page and
    without a comment have internal names only."""
    for folder in INCLUDES:
        for file in sorted((project / folder).rglob("*.h")):
            header, text = str(file.relative_to(project / folder)), file.read_text()
            comment = re.search(r"^(// .*\n)+", text, re.M)
            if header in reference.pages or "/detail/" in header or not comment:
                continue
            about = " ".join(line.removeprefix("// ") for line in comment[0].splitlines())
            included = re.findall("^#include <(tally/(?!detail/).*)>", text, re.M)
            yield f"- `<{header}>`: {linked_headers(about, reference)} Includes {', '.join(link_of(each, reference) for each in included)}."


def link_of(header, reference):
    """A public header as a link, if it has a page."""
    name = f"`<{header}>`"
    return f"[{name}]({posixpath.relpath(page_of(header), 'cpp')}.md)" if header in reference.pages else name


def linked_headers(text, reference):
    return re.sub("<(tally/[^>]+)>", lambda found: link_of(found[1], reference), text)


def index(project, reference):
    lines = ["# C++ reference", "", "One page per public header that declares something. The search finds every public name.", ""]
    for header, entries in sorted(reference.pages.items()):
        names = {each.short: each for each in entries if each.kind != "function"}
        named = ", ".join(f"[`{name}`]({posixpath.relpath(each.page, 'cpp')}.md#{each.anchor})" for name, each in sorted(names.items()))
        lines.append(f"- [`<{header}>`]({posixpath.relpath(page_of(header), 'cpp')}.md)" + (f": {named}" if named else ""))
    lines += ["", "## Headers that include others", "", *including_headers(project, reference)]
    return "\n".join(lines) + "\n"


def assumptions(project):
    text = (project / "docs/reference/assumptions.md").read_text()
    return [(re.sub("`([^`]*)`", lambda code: f"<code>{escaped(code[1])}</code>", heading), markdown_text.anchor(heading))
            for heading in markdown_text.headings(text)]


def write(project, work, folder):
    """Writes the pages to `folder`, and returns their navigation."""
    reference = Reference(run_doxygen(project, work))
    (folder / "cpp").mkdir()
    points = assumptions(project)
    for header, entries in reference.pages.items():
        (folder / (page_of(header) + ".md")).write_text(Writer(reference, header, points).text(entries))
    (folder / "cpp/index.md").write_text(index(project, reference))
    return [{header: page_of(header) + ".md"} for header in sorted(reference.pages)]
