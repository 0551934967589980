"""Prints how long the web page of tally-fake takes with 1,000 and with 100,000 logged requests, in headless Chromium, and
how many requests per second the server responds to with the page closed and open. Prints nothing without Chromium.

web_page.py TALLY_FAKE
"""

import os
import re
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../fake/server/support"))
from browser import Browser, find_chromium  # noqa: E402
from served_fake import ServedFake  # noqa: E402

FEW, MANY = 1_000, 100_000
PATHS = ("/v1/payment_records?limit=1", "/v1/payouts?limit=2", "/v1/payment_records/pr_none")


def send_many(fake, count):
    """Sends requests over one connection, each once the one before has its response."""
    host, port = fake.url.removeprefix("http://").split(":")
    requests = [f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {fake.key}\r\n\r\n".encode() for path in PATHS]
    with socket.create_connection((host, int(port))) as connection, connection.makefile("rb") as responses:
        for number in range(count):
            connection.sendall(requests[number % len(requests)])
            length = 0
            while (line := responses.readline()) != b"\r\n":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            responses.read(length)


# From the choice of a filter until the first rows that pass it are drawn; and back.
FILTER = """(async () => {
  const {applyFilters} = await import('/_fake/page/filters.js');
  const shown = () => new Promise((done) => {
    const observer = new PerformanceObserver((list) => {
      if (!list.getEntriesByName('filter shown').length) return;
      observer.disconnect();
      done();
    });
    observer.observe({entryTypes: ['mark']});
  });
  const measure = async (change) => {
    const start = performance.now();
    const drawn = shown();
    const all = applyFilters(change);
    await drawn;
    const took = performance.now() - start;
    await all;  // the summary, which follows
    return took;
  };
  const took = await measure({operation: 'payouts.list'});
  await measure({operation: ''});
  return took;
})()"""

# The processor time of one more request: to load it, to draw it, and to lay out the page.
ROW = """(async () => {
  const {receive} = await import('/_fake/page/requests.js');
  await receive();
  return document.body.getBoundingClientRect().width;
})()"""


def processor_time(browser):
    """Of the page's main thread, in seconds: other programs on the machine don't distort it."""
    metrics = browser.call("Performance.getMetrics")["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "TaskDuration")


def first_paint(browser, fake):
    browser.open("about:blank")
    browser.open(f"{fake.url}/_fake/")
    return browser.wait("performance.getEntriesByName('log shown')[0].startTime")


def measure(browser, fake, paints, filters):
    paints.append(first_paint(browser, fake))
    browser.wait("document.getElementById('shown').innerText.includes('requests')")
    filters.append(browser.run(FILTER))


def one_more(browser, fake):
    """The processor time of one more request, in milliseconds."""
    count = 100
    first_paint(browser, fake)
    browser.wait("document.getElementById('shown').innerText.includes('requests')")
    before = processor_time(browser)
    for _ in range(count):
        fake.send("GET", PATHS[0])
        browser.run(ROW)
    return (processor_time(browser) - before) / count * 1000


def compare_lengths(program):
    """By turns, so that what else the machine does distorts both alike. The least is what the page itself takes."""
    options = ("--records", "1", "--no-limits", "--request-log", str(MANY), "--request-log-mib", "1024")
    with ServedFake(program, *options) as few, ServedFake(program, *options) as many:
        send_many(few, FEW)
        send_many(many, MANY)
        paints, filters = {few: [], many: []}, {few: [], many: []}
        browser = Browser(find_chromium())
        try:
            browser.size(1280, 800)
            for _ in range(15):
                for fake in (few, many):
                    measure(browser, fake, paints[fake], filters[fake])
            browser.call("Performance.enable", timeDomain="threadTicks")
            more = {fake: [one_more(browser, fake)] for fake in (few, many)}
        finally:
            browser.close()
    for what, times in (("first paint", paints), ("filter", filters), ("one more request", more)):
        print(f"{what} with {FEW} requests: {min(times[few]):.1f} ms; with {MANY}: {min(times[many]):.1f} ms")


def rate(fake):
    """Requests per second, measured by wrk."""
    printed = subprocess.run(["wrk", "-t1", "-d2s", "-c8", "-H", f"Authorization: Bearer {fake.key}", fake.url + PATHS[0]],
                             stdout=subprocess.PIPE, text=True, check=True).stdout
    assert "Non-2xx" not in printed, printed
    return float(re.search(r"Requests/sec: +([0-9.]+)", printed)[1])


def compare_throughput(program):
    with ServedFake(program, "--records", "1", "--no-limits") as fake:
        browser = Browser(find_chromium())
        try:
            browser.size(1280, 800)
            pairs = []
            for _ in range(7):
                browser.open("about:blank")
                closed = rate(fake)
                first_paint(browser, fake)
                browser.wait("document.getElementById('link-state').innerText === 'Connected'")
                pairs.append((rate(fake), closed))
        finally:
            browser.close()
    opened, closed = sorted(pairs, key=lambda pair: pair[0] / pair[1])[len(pairs) // 2]
    print(f"requests per second with the page open: {opened:.0f}; closed: {closed:.0f}")


def main():
    if find_chromium() is None:
        return
    compare_lengths(sys.argv[1])
    compare_throughput(sys.argv[1])


main()
