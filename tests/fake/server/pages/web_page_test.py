"""Clicks through the web page of tally-fake in headless Chromium.

web_page_test.py TALLY_FAKE
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from browser import Browser, find_chromium  # noqa: E402
from served_fake import ServedFake  # noqa: E402

ATTACK = "<script>window.wasRun = true</script><img src=x onerror='window.wasRun = true'>"
REPORT = "payment_records.report_failed"


def report_of(record):
    return f"/v1/payment_records/{record}/report_payment_attempt_failed"


class Walk:
    """One user's walk through the page. Each step starts where the one before ended."""

    def __init__(self, fake, browser):
        self.fake, self.page = fake, browser
        objects = fake.control("GET", "objects?resource=payment_record")["objects"]
        self.records = [each["id"] for each in objects]

    def rows(self):
        return self.page.run("log.shown.length")

    def view(self, name):
        self.page.click(".tabs a[data-view=%s]" % name)
        self.page.wait(f"!document.getElementById('view-{name}').hidden")

    def send_form(self):
        self.page.click("dialog button[type=submit]")

    def expect_closed(self):
        self.page.wait("!document.getElementById('dialog').open", "a closed dialog")

    def select(self, name, value):
        self.page.fill(f"dialog [name={name}]", value)

    # Steps, in order.

    def shows_why_a_request_was_refused(self):
        self.fake.control("POST", "limits", {"limit": "endpoint_rate", "operation": "payouts.list", "value": 0})
        self.fake.send("GET", "/v1/payment_records")
        self.fake.send("GET", "/v1/payouts")
        self.fake.send("GET", "/v1/payment_records/pr_none")
        self.page.open(f"{self.fake.url}/_fake/")
        self.page.wait("log.entries.length === 3", "three requests")
        self.page.click(".row", None)
        self.page.see("resource_missing", "#detail")
        self.page.click(".row:has(.chip.limited)")
        self.page.see("The limit endpoint_rate refused it.", "#detail")
        assert "#/requests/2" in self.page.run("location.hash")
        self.page.wait("document.querySelector('#legend').textContent.includes('Limit or lock 1')")
        self.page.wait("document.querySelector('#strip rect.limited')", "the outcome in the strip")

    def lists_new_requests_at_once_and_tells_screen_readers(self):
        self.fake.send("GET", "/v1/payouts")
        self.page.wait("log.entries.length === 4")
        self.page.wait("document.getElementById('announcer').textContent.startsWith('New request: payouts.list, status 429')")
        self.page.see("attempt 2", "#list")
        self.page.see("Attempts of this request (2)", "#detail")

    def shows_metadata_only_when_revealed_and_as_text(self):
        self.fake.send("POST", report_of(self.records[0]), {"failed_at": 5, "metadata[order]": ATTACK})
        self.page.wait("log.entries.length === 5")
        self.page.click(".row")
        self.page.see("metadata[order]", "#detail")
        assert ATTACK not in self.page.run("document.body.innerText")
        assert "wasRun" not in self.page.run("document.getElementById('detail').innerHTML")
        self.page.click("#detail button", "Reveal keys and metadata")
        self.page.see(ATTACK, "#detail")
        assert self.page.run("document.activeElement.dataset.key") == "reveal", "the focus stays on the button"
        self.page.click("#detail button", "Hide keys and metadata")
        assert ATTACK not in self.page.run("document.body.innerText")
        assert self.page.run("window.wasRun") is None
        assert self.fake.key not in self.page.run("document.documentElement.outerHTML")

    def filters(self):
        for field, value, count in (("operation", "payouts.list", 2), ("outcome", "limited", 2), ("outcome", "404", 1),
                                    ("account", self.fake.account, 5), ("text", "PR_NONE", 1), ("text", "nothing like it", 0)):
            self.page.fill(f"#filter-{field}", value)
            self.page.wait(f"log.shown.length === {count}", f"{count} requests with {field} {value}")
            if count == 0:
                self.page.click("#empty button", "Remove the filters")
            else:
                self.page.fill(f"#filter-{field}", "")
            self.page.wait("log.shown.length === 5")

    def makes_the_next_report_time_out(self):
        self.view("requests")
        self.page.click("#view-requests button", "Inject a fault…")
        self.page.click("dialog button", "Time out")
        self.select("operation", REPORT)
        self.send_form()
        self.expect_closed()
        self.fake.send("POST", report_of(self.records[1]), {"failed_at": 5}, expected="timeout")
        self.page.wait("log.entries.length === 6")
        self.page.click(".row")
        self.page.see("It delayed the response by 2 min", "#detail")
        self.view("faults")
        self.page.see("Request 6, payment_records.report_failed", "#hits")
        self.page.see("2 min later", "#hits")
        self.page.see("No fault is armed.", "#faults")

    def removes_a_fault(self):
        self.page.click("#view-faults button", "Inject a fault…")
        self.page.click("dialog button", "Lose the response")
        self.send_form()
        self.page.see("response lost", "#faults")
        self.page.see("armed", "#faults")
        assert self.page.run("document.getElementById('count-faults').textContent") == "1"
        self.page.click("#faults button", "Remove")
        self.page.see("No fault is armed.", "#faults")
        assert self.fake.control("GET", "faults")["faults"] == []

    def explains_what_is_wrong_with_a_form(self):
        self.page.click("#view-faults button", "Inject a fault…")
        self.select("latency_ms", "soon")
        self.send_form()
        self.page.see("Enter a number.", "dialog")
        assert self.page.run("document.activeElement.name") == "latency_ms", "the focus moves to the problem"
        self.select("latency_ms", "-1")
        self.send_form()
        self.page.see("latency_ms: expected", "dialog")
        self.page.press("Escape")
        self.expect_closed()
        assert self.fake.control("GET", "faults")["faults"] == []

    def holds_and_releases_a_lock(self):
        self.page.click("#view-faults button", "Hold a lock…")
        self.select("object", self.records[2])
        self.send_form()
        self.page.see(f"lock of {self.records[2]}", "#holds")
        assert self.fake.control("GET", "holds")["holds"][0]["object"] == self.records[2]
        self.page.click("#holds button", "Release")
        self.page.see("Nothing is held.", "#holds")

    def moves_freezes_and_thaws_the_clock(self):
        before = self.fake.control("GET", "clock")["now"]
        self.page.click("button[data-advance='86400000']")
        self.page.see("The clock is 1 day later", "#toasts")
        after = self.fake.control("GET", "clock")["now"]
        assert after[:10] > before[:10], (before, after)
        self.page.wait(f"document.getElementById('now').textContent.startsWith('{after[:10]}')")
        self.page.click("#freeze")
        self.page.wait("document.getElementById('clock-state').textContent === 'frozen'")
        assert self.fake.control("GET", "clock")["frozen"]
        self.page.click("#freeze", "Thaw")
        self.page.wait("document.getElementById('clock-state').textContent === 'real time'")

    def shows_limits_as_gauges_and_changes_one(self):
        self.view("limits")
        gauge = "[role=meter][aria-label=global_rate]"
        self.page.wait(f"document.querySelector('{gauge}').getAttribute('aria-valuetext').includes('25 left')")
        self.page.click("button[data-key='change global_rate']")
        self.select("value", "0")
        self.send_form()
        self.expect_closed()
        self.page.see("Refuses every request.", "#limits")
        self.page.wait("document.activeElement.dataset.key === 'change global_rate'", "the focus back on the button")
        refused = self.fake.send("GET", "/v1/payouts")
        assert refused["error"]["code"] == "rate_limit", refused
        self.page.click("button[data-key='change global_rate']")
        self.select("value", "25")
        self.send_form()
        self.page.wait(f"document.querySelector('{gauge}').getAttribute('aria-valuemax') === '25'")
        self.page.wait("document.querySelector('#allocation svg.chart[role=img]').getAttribute('aria-label').includes('of 10000 reads used')")

    def inserts_objects_and_draws_their_states(self):
        self.view("objects")
        self.page.click("#view-objects button", "Insert objects…")
        for name, value in (("resource", "payment_record"), ("count", "3"), ("state", "guaranteed"),
                            ("fields", '{"description":"from the page"}')):
            self.select(name, value)
        self.send_form()
        self.page.see("ids", "dialog")
        self.page.press("Escape")
        self.page.wait("document.querySelector('.machine [data-key=\"state guaranteed\"]').textContent.includes('3 objects')")
        assert self.page.run("document.querySelectorAll('.machine .edge').length") >= 9
        self.page.click(".machine [data-key='state guaranteed']")
        self.page.wait("document.querySelectorAll('#objects tbody tr').length === 3")
        self.page.click("#objects button", "Show")
        self.page.see("from the page", "#objects pre")
        self.page.wait("document.querySelector('.machine').textContent.includes('this one')")
        self.page.fill("#object-state", "")
        self.page.fill("#object-text", self.records[0])
        self.page.wait(f"document.querySelectorAll('#objects td.id').length === 1")
        self.page.fill("#object-text", "")

    def takes_and_restores_a_snapshot(self):
        self.view("service")
        self.page.click("#snapshot")
        self.page.see("Snapshot ", "#snapshots")
        self.fake.control("POST", "records", {"resource": "payment_record", "count": 5})
        count = len(self.fake.control("GET", "objects?resource=payment_record")["objects"])
        self.page.click("#snapshots button", "Restore")
        self.page.see("restored", "#toasts")
        assert len(self.fake.control("GET", "objects?resource=payment_record")["objects"]) == count - 5

    def deletes_a_snapshot(self):
        self.page.click("#snapshots button", "Delete")
        self.page.see("No snapshot yet.", "#snapshots")
        assert self.fake.control("GET", "snapshots")["snapshots"] == []

    def creates_and_deletes_an_account(self):
        self.page.click("#view-service button", "Create an account…")
        self.select("virtual_clock", "true")
        self.send_form()
        self.page.press("Escape")
        self.page.wait("document.querySelectorAll('#accounts tbody tr').length === 2")
        self.page.wait("document.querySelectorAll('#account option').length === 2")
        asked = len(self.page.dialogs)
        self.page.click("#accounts tbody tr:nth-child(2) button", "Delete")
        self.page.wait("document.querySelectorAll('#accounts tbody tr').length === 1")
        assert len(self.page.dialogs) == asked + 1, "it asks first"
        self.page.see(f"{self.fake.account} shown", "#accounts")
        assert [each["id"] for each in self.fake.control("GET", "accounts")["accounts"]] == [self.fake.account]

    def shows_another_account_if_the_one_shown_is_deleted(self):
        created = self.fake.control("POST", "accounts", {})["id"]
        self.page.click("#accounts tbody tr:nth-child(2) button", "Show")
        self.page.see(f"{created} shown", "#accounts")
        self.page.click("#accounts tbody tr:nth-child(2) button", "Delete")
        self.page.see(f"{self.fake.account} shown", "#accounts")
        self.page.wait(f"document.getElementById('account').value === '{self.fake.account}'")
        self.page.wait("document.getElementById('link-state').textContent === 'Live'")

    def offers_every_operation(self):
        described = json.loads(self.fake.get("/_fake/control.openapi.json"))["paths"]
        titles = {f"{method.upper()} {path}" for path, methods in described.items() for method in methods}
        offered = set(self.page.run("[...document.querySelectorAll('#operations button')].map((each) => each.title)"))
        assert offered == titles, offered ^ titles
        self.page.click("#operations button[title='POST /_fake/tokens']")
        self.send_form()
        self.page.see("oat_test_", "dialog")
        self.page.press("Escape")

    def verifies_requests(self):
        self.view("requests")
        self.page.click("#view-requests button", "Verify…")
        self.select("operation", REPORT)
        self.select("at_least", "1")
        self.send_form()
        self.page.see("As expected", "dialog")
        self.select("at_least", "")
        self.select("exactly", "1")
        self.select("metadata", "order: A-1")
        self.send_form()
        self.page.see("Not as expected", "dialog")
        self.page.see("Almost", "dialog")
        self.page.see("metadata order", "dialog")
        self.page.press("Escape")
        self.expect_closed()

    def needs_only_a_keyboard(self):
        self.page.open("about:blank")
        self.page.open(f"{self.fake.url}/_fake/")
        self.page.wait("document.querySelectorAll('.row').length > 3")
        self.page.press("Tab")
        assert self.page.run("document.activeElement.id") == "skip"
        self.page.press("Enter")
        assert self.page.run("document.activeElement.id") == "main"
        for _ in range(30):
            self.page.press("Tab")
            outline = self.page.run("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", "no visible focus on " + self.page.run("document.activeElement.outerHTML")
            if self.page.run("document.activeElement.id") == "list":
                break
        self.page.press("ArrowDown")
        self.page.press("ArrowDown")
        newest = self.page.run("log.last")
        self.page.wait(f"log.selected === {newest - 1}")
        assert self.page.run(f"document.getElementById('list').getAttribute('aria-activedescendant')") == f"row-{newest - 1}"
        self.page.press("End")
        self.page.wait("log.selected === 1 && document.getElementById('row-1')")
        self.page.press("Enter")
        assert self.page.run("document.activeElement.id") == "detail-title"
        self.page.press("Escape")
        assert self.page.run("document.activeElement.id") == "list"
        self.page.press("Tab", shift=True)
        self.page.press("Tab", shift=True)
        self.page.press("Enter")
        self.page.wait("document.getElementById('dialog').open")
        assert self.page.run("document.getElementById('dialog').contains(document.activeElement)")
        self.page.press("Escape")
        self.expect_closed()
        assert self.page.run("document.activeElement.dataset.form") == "POST /_fake/faults"

    def links_to_a_request(self):
        self.page.open("about:blank")
        self.page.open(f"{self.fake.url}/_fake/#/requests/2?account={self.fake.account}&mode=sandbox")
        self.page.see("request 2 ", "#detail")

    def names_every_control(self):
        nameless = """[...document.querySelectorAll('button, input, select, textarea, a, [role=button], [role=meter]')]
          .filter((each) => each.checkVisibility() && !(each.textContent.trim() && !each.matches('select')) &&
            !each.getAttribute('aria-label') && !(each.labels && each.labels.length)).map((each) => each.outerHTML)"""
        for view in ("requests", "limits", "objects", "faults", "service"):
            self.view(view)
            assert self.page.run(nameless) == [], view

    def clears_the_log(self):
        self.view("requests")
        self.page.click("#clear-log")
        self.page.see("No requests yet", "#empty")
        assert self.page.dialogs, "it asks first"
        self.fake.send("GET", "/v1/payouts")
        self.page.wait("log.entries.length === 1")

    STEPS = [shows_why_a_request_was_refused, lists_new_requests_at_once_and_tells_screen_readers,
             shows_metadata_only_when_revealed_and_as_text, filters, makes_the_next_report_time_out, removes_a_fault,
             explains_what_is_wrong_with_a_form, holds_and_releases_a_lock, moves_freezes_and_thaws_the_clock,
             shows_limits_as_gauges_and_changes_one, inserts_objects_and_draws_their_states,
             takes_and_restores_a_snapshot, deletes_a_snapshot,
             creates_and_deletes_an_account, shows_another_account_if_the_one_shown_is_deleted, offers_every_operation, verifies_requests, needs_only_a_keyboard,
             links_to_a_request, names_every_control, clears_the_log]


# The contrast of text with the nearest opaque background, as WCAG defines it.
WORST_CONTRAST = """(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const light = (colour) => { const [r, g, b] = rgba(colour).map((part) => part / 255).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (element) => { for (; element; element = element.parentElement) {
    const colour = getComputedStyle(element).backgroundColor; if (rgba(colour)[3] === 255) return colour; } return 'white'; };
  let worst = [21, ''];
  for (const element of document.querySelectorAll('main *, header *, nav *')) {
    if (!element.checkVisibility() || element.closest('svg') || element.matches(':disabled, .hidden, .hidden *')) continue;
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst[0]) worst = [ratio, element.outerHTML.slice(0, 120)];
  }
  return worst;
})()"""


def looks_right(walk):
    """Both colour schemes are legible, the toggle overrides the system, and nothing is cut off on a phone."""
    page = walk.page
    background = "getComputedStyle(document.body).backgroundColor"
    shades = {}
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        shades[scheme] = page.run(background)
        for view in ("requests", "limits", "objects", "faults", "service"):
            walk.view(view)
            ratio, element = page.run(WORST_CONTRAST)
            assert ratio >= 4.5, f"{scheme}, {view}: contrast {ratio:.1f} of {element}"
    assert shades["light"] != shades["dark"]
    page.click("#theme")
    assert page.run(background) == shades["light"], "the first click chooses light"
    page.click("#theme")
    page.scheme("light")
    assert page.run(background) == shades["dark"], "the second click chooses dark"
    page.click("#theme", "Theme: dark")
    page.size(390, 844)
    for view in ("requests", "limits", "objects", "faults", "service"):
        walk.view(view)
        assert page.run("document.documentElement.scrollWidth") <= 390, f"{view} is too wide for a phone"


def outlives_its_account(walk):
    """Without any account, the page offers to create one, and then shows it."""
    page, fake = walk.page, walk.fake
    walk.view("limits")
    fake.control("DELETE", f"accounts/{fake.account}")
    page.see("No account", "#link-state")
    page.see("No account yet.", "#accounts")
    page.click("#view-service button", "Create an account…")
    walk.send_form()
    page.press("Escape")
    page.see(" shown", "#accounts")
    page.wait("document.getElementById('link-state').textContent === 'Live'")


def main():
    chromium = find_chromium()
    if not chromium:
        print("skipped: there is no Chromium; ./dev check page installs it")
        sys.exit(77)
    with ServedFake(sys.argv[1], "--records", "6") as fake:
        browser = Browser(chromium)
        try:
            browser.size(1280, 800)
            browser.scheme("light")
            walk = Walk(fake, browser)
            for step in Walk.STEPS:
                print(step.__name__.replace("_", " "), flush=True)
                step(walk)
            looks_right(walk)
            outlives_its_account(walk)
            # The browser reports the refusal of the bad form, and of the key that is gone.
            errors = [each for each in browser.errors if "400 (Bad Request)" not in each and "401 (Unauthorized)" not in each]
            assert errors == [], errors
        finally:
            browser.close()


main()
