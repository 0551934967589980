#!/usr/bin/python3
"""Visits the site that ./dev docs builds, over file:// in headless Chromium: site_test.py SITE [SCREENSHOTS].

Every link and anchor exists. Each page has a title of its own. No page has a console error, requests anything from outside, is wider
than a phone, or cuts off a table or a line of code on a desktop. The search finds public names, and what users search for among its
first results. The colors follow the system until the reader chooses."""

import html.parser
import pathlib
import re
import sys
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fake/server/support"))

import searches  # noqa: E402
from browser import Browser, find_chromium  # noqa: E402

DESKTOP, PHONE = (1280, 900), (390, 844)
PUBLIC_NAMES = {"resolveReport": "resolveReport", "ClientOptions": "ClientOptions", "sliding window": "sliding"}
# They only include others.
HEADERS_WITHOUT_A_PAGE = ("tally/asio.h", "tally/async.h", "tally/tally.h", "tally/testing/testing.h")


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


def untitled(site):
    """The pages whose title names only the site."""
    for path in sorted(site.rglob("*.html")):
        title = re.search(r"<title>(.*?)</title>", path.read_text(), re.S)[1]
        if path.name not in ("404.html", "index.html") and not title.removesuffix(" - tally").strip():
            yield path


def unlisted_headers(site):
    listed = (site / "cpp/index.html").read_text()
    return (header for header in HEADERS_WITHOUT_A_PAGE if header not in listed)


def search(browser, site, text):
    """The titles and the pages of the results, in their order."""
    visit(browser, site / "index.html")
    browser.run("document.querySelector('.md-search__input').focus()")
    browser.call("Input.insertText", text=text)
    # The number of results is shown once they are complete.
    browser.wait("/\\d/.test(document.querySelector('.md-search-result__meta').textContent) || "
                 "document.querySelector('.md-search-result__item')", f"the search for {text!r} has ended")
    return browser.run("""[...document.querySelectorAll('.md-search-result__item')].map((each) =>
      [each.textContent, decodeURI(each.querySelector('a').href.split(/[#?]/)[0])])""")


def searches_find(browser, site):
    for text, expected in PUBLIC_NAMES.items():
        assert any(expected in told for told, _ in search(browser, site, text)), f"the search does not find {text!r}"
    for text, expected in searches.SEARCHES.items():
        found = [page.removeprefix(site.as_uri() + "/").removesuffix(".html") for _, page in search(browser, site, text)]
        assert set(found[:3]) & set(expected), f"the search for {text!r} finds {found[:3]} first, not {expected}"


def cut_off(browser):
    """The tables and blocks of code that scroll sideways."""
    return browser.run("""[...document.querySelectorAll('article .md-typeset__scrollwrap, article pre > code')].filter((each) =>
      each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent.slice(0, 80))""")


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
        browser.scheme(scheme)
        visit(browser, site / "errors.html")
        seen.append((background(browser), browser.run("getComputedStyle(document.querySelector('figure text')).fill")))
        visit(browser, site / "pacing.html")  # without a choice, another page has the same colors
        assert background(browser) == seen[-1][0], seen
    assert seen[0][0] != seen[1][0] and seen[0][1] != seen[1][1], seen


def take_screenshots(browser, site, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        browser.run("localStorage.clear()")
        browser.scheme(scheme)
        for size, (width, height) in {"desktop": DESKTOP, "phone": PHONE}.items():
            browser.size(width, height)
            for name in ("index", "tutorial/1-first-call", "errors", "recipes/csv", "reference/options", "reference/payment_records", "cpp/options"):
                visit(browser, site / f"{name}.html")
                browser.picture(str(folder / f"{name.replace('/', '-')}-{scheme}-{size}.png"))
            search(browser, site, "lock timeout")
            browser.picture(str(folder / f"search-{scheme}-{size}.png"))


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    dead = list(dead_links(site))
    assert not dead, "\n".join(f"{path.relative_to(site)}: dead link {link}" for path, link in dead)
    assert not (nameless := list(untitled(site))), nameless
    assert not (unlisted := list(unlisted_headers(site))), unlisted
    browser = Browser(find_chromium())
    try:
        pages = [page for page in sorted(site.rglob("*.html")) if page.name != "404.html"]
        browser.size(*PHONE)
        for page in pages:
            visit(browser, page)
            assert not browser.errors, f"{page}: {browser.errors}"
            assert not (wide := too_wide(browser)), f"{page}: {wide}"
        browser.size(*DESKTOP)
        for page in pages:
            if "source" not in page.relative_to(site).parts:
                visit(browser, page)
                assert not (cut := cut_off(browser)), f"{page}: {cut}"
        searches_find(browser, site)
        colours_follow_the_system(browser, site)
        assert not browser.errors, browser.errors
        if len(sys.argv) > 2:
            take_screenshots(browser, site, pathlib.Path(sys.argv[2]))
    finally:
        browser.close()
    print(f"{len(pages)} pages without a dead link or a console error")


if __name__ == "__main__":
    main()
