"""Prints how long the web page of tally-fake takes with 10,000 logged requests, in headless Chromium. Prints
nothing if there is no Chromium.

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


# The cost of one more request: to add it, to draw it, and to lay out the page.
NEW_REQUEST = """(() => {
  const last = log.entries[log.entries.length - 1];
  const times = [];
  for (let i = 1; i <= 200; ++i) {
    const entry = {...last, number: last.number + i};
    const start = performance.now();
    receive([entry]);
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return [times[0], times[100]];
})()"""

# What depends on all requests is drawn at most four times a second.
SUMMARY = """(() => {
  const start = performance.now();
  drawStrip();
  drawFilters();
  document.body.getBoundingClientRect();
  return performance.now() - start;
})()"""

RENDER = """(() => {
  const start = performance.now();
  applyFilters();
  document.body.getBoundingClientRect();
  return performance.now() - start;
})()"""


def processor_time(browser):
    """Of the page's main thread, in seconds: other programs on the machine don't distort it."""
    metrics = browser.call("Performance.getMetrics")["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "TaskDuration")


def main():
    if find_chromium() is None:
        return
    with ServedFake(sys.argv[1], "--records", "1", "--no-limits") as fake:
        send_many(fake)
        browser = Browser(find_chromium())
        try:
            browser.size(1280, 800)
            browser.call("Performance.enable", timeDomain="threadTicks")
            browser.open(f"{fake.url}/_fake/")
            loaded = browser.wait("performance.getEntriesByName('log shown')[0].startTime")
            assert browser.run("log.entries.length") == REQUESTS
            rendered = browser.run(RENDER)
            before = processor_time(browser)
            least, median = browser.run(NEW_REQUEST)
            each = (processor_time(browser) - before) / 200 * 1000
            summary = min(browser.run(SUMMARY) for _ in range(20))
        finally:
            browser.close()
    print(f"from navigation until {REQUESTS} requests are shown: {loaded:.0f} ms")
    print(f"to render them: {rendered:.1f} ms (goal: 500 ms)")
    print(f"for one more request: {each:.1f} ms of processor time (goal: 16 ms); least {least:.1f} ms, median {median:.1f} ms")
    print(f"for the summary, at most four times a second: {summary:.1f} ms")


main()
