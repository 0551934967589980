"""Prints how long the web page of tally-fake takes with 10,000 logged requests, in headless Chromium.

web_page.py TALLY_FAKE
"""

import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../fake/server/support"))
from browser import Browser, find_chromium  # noqa: E402
from served_fake import ServedFake  # noqa: E402

REQUESTS = 10_000


def send_many(fake):
    """Sends requests over one connection, each once the one before has its response."""
    host, port = fake.url.removeprefix("http://").split(":")
    request = (f"GET /v1/payment_records?limit=1 HTTP/1.1\r\nHost: {host}:{port}\r\n"
               f"Authorization: Bearer {fake.key}\r\n\r\n").encode()
    with socket.create_connection((host, int(port))) as connection, connection.makefile("rb") as responses:
        for _ in range(REQUESTS):
            connection.sendall(request)
            length = 0
            while (line := responses.readline()) != b"\r\n":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            responses.read(length)


# The cost of one more request: to add it, to draw it and what depends on all requests, and to lay out the page.
NEW_REQUEST = """(() => {
  const last = log.entries[log.entries.length - 1];
  const times = [];
  for (let i = 1; i <= 200; ++i) {
    const entry = {...last, number: last.number + i};
    const start = performance.now();
    receive([entry]);
    drawStrip();
    drawFilters();
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return [times[100], times[199]];
})()"""

RENDER = """(() => {
  const start = performance.now();
  applyFilters();
  document.body.getBoundingClientRect();
  return performance.now() - start;
})()"""


def main():
    with ServedFake(sys.argv[1], "--records", "1", "--no-limits") as fake:
        send_many(fake)
        browser = Browser(find_chromium())
        try:
            browser.size(1280, 800)
            browser.open(f"{fake.url}/_fake/")
            loaded = browser.wait("performance.getEntriesByName('log shown')[0].startTime")
            assert browser.run("log.entries.length") == REQUESTS
            rendered = browser.run(RENDER)
            median, longest = browser.run(NEW_REQUEST)
        finally:
            browser.close()
    print(f"from navigation until {REQUESTS} requests are shown: {loaded:.0f} ms")
    print(f"to render them: {rendered:.1f} ms (goal: 500 ms)")
    print(f"for one more request: median {median:.1f} ms, longest {longest:.1f} ms (goal: 16 ms)")


main()
