"""What the site and its tests read in Markdown: titles, anchors, links, code blocks and references to the specification."""

import html
import re

FENCE = re.compile(r"^ {0,3}(```+|~~~+)(.*)$")
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s]+)(\))")
CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.S)
SPEC = re.compile(r'Spec: "[^"\n]+"(?:(?:,| and|, and) "[^"\n]+")*')
SVG_STYLE = re.compile(r"<style>.*?</style>\s*", re.S)


def parts(text):
    """(is code, its language, lines) for each block of code and of prose."""
    fence, language, lines = None, "", []
    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line)
        if fence is None and mark:
            yield False, "", lines
            fence, language, lines = mark[1], mark[2].strip(), [line]
        elif fence is not None and mark and mark[1].startswith(fence) and not mark[2].strip():
            yield True, language, lines + [line]
            fence, lines = None, []
        else:
            lines.append(line)
    yield fence is not None, language, lines


def replace_outside_code(text, replace):
    return "".join("".join(lines) if code else replace("".join(lines)) for code, _, lines in parts(text))


def outside_spans(prose, replace):
    """Applies `replace` to what is not within backticks."""
    result, at = [], 0
    for span in CODE_SPAN.finditer(prose):
        result += [replace(prose[at:span.start()]), span[0]]
        at = span.end()
    return "".join(result + [replace(prose[at:])])


def code_blocks(text):
    """(language, code) of each block."""
    return [(language, "".join(lines[1:-1])) for code, language, lines in parts(text) if code]


def links(text):
    found = []
    replace_outside_code(text, lambda prose: found.extend(link[2] for link in LINK.finditer(prose)) or prose)
    return found


def replace_links(text, replace):
    return replace_outside_code(text, lambda prose: LINK.sub(lambda link: link[1] + replace(link[2]) + link[3], prose))


def anchor(heading):
    """The anchor that mkdocs gives a heading. GitHub's is the same, except that it keeps repeated hyphens."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    text = re.sub(r"[^\w\s-]", "", text.encode("ascii", "ignore").decode()).strip().lower()
    return re.sub(r"[-\s]+", "-", text)


def headings(text):
    found = []
    replace_outside_code(text, lambda prose: found.extend(re.findall(r"^#{1,6} (.+?)\s*$", prose, re.M)) or prose)
    return found


def anchors(text):
    """The anchors of a page, with the numbers of repeated ones."""
    result = set(re.findall(r'<a id="([^"]+)"', text))
    for heading in headings(text):
        name, number = anchor(heading), 0
        while (unique := f"{name}_{number}" if number else name) in result:
            number += 1
        result.add(unique)
    return result


def title(text):
    return headings(text)[0].replace("`", "")


def link_spec(text, address, as_html=False):
    """Links the section names after `Spec:`. `address` maps an anchor of the specification to a link."""

    def section(name):
        target = address(anchor(html.unescape(name[1])))
        return f'"<a href="{target}">{name[1]}</a>"' if as_html else f'"[{name[1]}]({target})"'

    return SPEC.sub(lambda found: re.sub(r'"([^"]+)"', section, found[0]), text)


def inline_diagrams(text, folder):
    """Replaces images of SVG files by the SVG itself, so that the colors follow the theme."""

    def inlined(image):
        svg = SVG_STYLE.sub("", (folder / image[2]).read_text())
        svg = svg[svg.index("<svg"):]
        return f'<figure class="diagram" markdown="0">\n{re.sub(chr(10) + "+", chr(10), svg)}</figure>'

    return re.sub(r"^!\[([^\]]*)\]\(([^)]+\.svg)\)$", inlined, text, flags=re.M)
