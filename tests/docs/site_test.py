#!/usr/bin/python3
"""Visits the site that ./dev docs builds, over file:// in headless Chromium: site_test.py SITE [SCREENSHOTS].

Every link and anchor exists, no page has a console error, requests anything from outside or is wider than a phone, the search finds
public names, and the colours follow the system."""

import html.parser
import pathlib
import sys
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fake/server/support"))

from browser import Browser, find_chromium  # noqa: E402

DESKTOP, PHONE = (1280, 900), (390, 844)
SEARCHES = {"resolveReport": "resolveReport", "ClientOptions": "ClientOptions", "sliding window": "sliding"}


class Page(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value and not (tag == "link" and dict(attributes).get("rel") == "canonical"):
                self.links.append(value)
            elif name in ("id", "name") and tag != "meta":
                self.anchors.add(value)


def dead_links(site):
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        if path.name == "404.html":  # its links begin at the root of a server
            continue
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme in ("data", "mailto"):
                continue
            if url.scheme or url.netloc:
                if url.scheme not in ("http", "https"):
                    yield path, link
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            anchor = urllib.parse.unquote(url.fragment)
            if not target.is_file() or (target in pages and anchor not in pages[target].anchors and not anchor.startswith("__")):
                yield path, link


def visit(browser, page):
    browser.open(page.as_uri())
    browser.wait("document.readyState === 'complete' && document.querySelector('article')", f"{page.name} is loaded")


def search(browser, site, text, expected):
    visit(browser, site / "index.html")
    browser.run("document.querySelector('.md-search__input').focus()")
    browser.call("Input.insertText", text=text)
    browser.wait(f"[...document.querySelectorAll('.md-search-result__item')].some((each) => each.textContent.includes({expected!r}))",
                 f"the search finds {text!r}")


def too_wide(browser):
    """The elements that make a page scroll sideways. Tables and code scroll by themselves."""
    return browser.run("""((width) => document.documentElement.scrollWidth <= width ? [] :
      [...document.querySelectorAll('article *')].filter((each) => each.getBoundingClientRect().right > width &&
        !each.closest('.md-typeset__scrollwrap, pre')).map((each) => each.outerHTML.slice(0, 200)))(
      document.documentElement.clientWidth)""")


def background(browser):
    return browser.run("getComputedStyle(document.body).backgroundColor")


def colours_follow_the_system(browser, site):
    seen = []
    for scheme in ("light", "dark"):
        browser.run("localStorage.clear()")  # the theme remembers the first scheme
        browser.scheme(scheme)
        visit(browser, site / "diagrams.html")
        seen.append((background(browser), browser.run("getComputedStyle(document.querySelector('figure text')).fill")))
    assert seen[0][0] != seen[1][0] and seen[0][1] != seen[1][1], seen


def take_screenshots(browser, site, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        browser.run("localStorage.clear()")
        browser.scheme(scheme)
        for size, (width, height) in {"desktop": DESKTOP, "phone": PHONE}.items():
            browser.size(width, height)
            for name in ("index", "tutorial", "options", "observing", "diagrams", "reference/payment_records", "cpp/options", "specification"):
                visit(browser, site / f"{name}.html")
                browser.picture(str(folder / f"{name.replace('/', '-')}-{scheme}-{size}.png"))


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    dead = list(dead_links(site))
    assert not dead, "\n".join(f"{path.relative_to(site)}: dead link {link}" for path, link in dead)
    browser = Browser(find_chromium())
    try:
        pages = [page for page in sorted(site.rglob("*.html")) if page.name != "404.html"]
        browser.size(*PHONE)
        for page in pages:
            visit(browser, page)
            assert not browser.errors, f"{page}: {browser.errors}"
            assert not (wide := too_wide(browser)), f"{page}: {wide}"
        browser.size(*DESKTOP)
        for text, expected in SEARCHES.items():
            search(browser, site, text, expected)
        colours_follow_the_system(browser, site)
        assert not browser.errors, browser.errors
        if len(sys.argv) > 2:
            take_screenshots(browser, site, pathlib.Path(sys.argv[2]))
    finally:
        browser.close()
    print(f"{len(pages)} pages without a dead link or a console error")


if __name__ == "__main__":
    main()
