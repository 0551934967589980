"""Clicks through the web page of tally-fake in headless Chromium.

web_page_test.py TALLY_FAKE
"""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
from browser import Browser, find_chromium  # noqa: E402
from served_fake import ServedFake  # noqa: E402

ATTACK = "<script>window.wasRun = true</script><img src=x onerror='window.wasRun = true'>"
REPORT = "payment_records.report_failed"
PLANTED = "plantedKeyThatNothingShows"


def report_of(record):
    return f"/v1/payment_records/{record}/report_payment_attempt_failed"


ROWS = "[...document.querySelectorAll('#list .row')].filter((each) => each.checkVisibility())"
VIEWS = ("overview", "requests", "limits", "objects", "faults", "service")


class Walk:
    """One user's walk through the page. Each step starts where the one before ended."""

    def __init__(self, fake, browser):
        self.fake, self.page = fake, browser
        objects = fake.control("GET", "objects?resource=payment_record")["objects"]
        self.records = [each["id"] for each in objects]

    def view(self, name):
        self.page.click(".tabs a[data-view=%s]" % name)
        self.page.wait(f"!document.getElementById('view-{name}').hidden")

    def see_rows(self, count):
        """Waits until the list shows so many requests; they must be few enough to be drawn at once."""
        self.page.wait(f"{ROWS}.length === {count}", f"{count} rows")

    def select_newest(self):
        """Clicks the newest request, once the list shows it."""
        newest = self.fake.control("GET", f"requests?limit=1&ending_before={2**53 - 1}")["requests"][0]
        self.page.click(f"#row-{newest['number']}")

    def send_form(self):
        self.page.click("dialog button[type=submit]")

    def send_preset(self, form, preset):
        self.page.click("#view-faults button", form)
        self.page.click("dialog button", preset)
        self.send_form()

    def expect_closed(self):
        self.page.wait("!document.getElementById('dialog').open", "a closed dialog")

    def select(self, name, value):
        self.page.fill(f"dialog [name={name}]", value)

    def advance(self, seconds):
        self.fake.control("POST", "clock/advance", {"milliseconds": seconds * 1000})

    # Steps, in order.

    def selects_the_newest_failure_and_says_why(self):
        self.fake.control("POST", "limits", {"limit": "endpoint_rate", "operation": "payouts.list", "value": 0})
        self.fake.send("GET", "/v1/payment_records?limit=2")
        self.fake.send("GET", "/v1/payouts")
        self.fake.send("GET", "/v1/payment_records?limit=3")
        self.page.open(f"{self.fake.url}/_fake/")
        self.see_rows(3)
        self.page.see("request 2 ", "#detail")
        self.page.see("The limit endpoint_rate refused it.", "#detail")
        self.fake.send("GET", "/v1/payment_records/pr_none")
        self.see_rows(4)
        self.page.see("request 2 ", "#detail")
        self.select_newest()
        self.page.see("resource_missing", "#detail")
        self.page.click("#list .row:has(.chip.limited)")
        self.page.see("The limit endpoint_rate refused it.", "#detail")
        assert "#/requests/2" in self.page.run("location.hash")
        self.page.see("Limit or lock", "#legend")
        self.page.wait("document.querySelector('#strip rect.limited')", "the outcome in the strip")

    def says_that_it_is_connected_without_a_word_for_a_mode(self):
        self.page.see("Connected", "#link-state")
        assert "Live" not in self.page.run("document.getElementById('link-state').innerText")

    def shows_method_path_parameters_and_duration_in_columns(self):
        for heading in ("Status", "Time, took", "Operation, request", "Parameters, reason"):
            self.page.see(heading, "#columns")
        self.fake.send("POST", "/v1/payouts", {"amount": "12500", "currency": "eur", "metadata[order]": "A-1"})
        self.page.see("payouts.create", "#row-5")
        self.page.see("POST /v1/payouts", "#row-5")
        self.page.see("amount 12,500 EUR", "#row-5")
        self.page.see("ms", "#row-5 .when")
        assert "A-1" not in self.page.run("document.getElementById('row-5').innerText"), "metadata are hidden"

    def names_the_date_where_it_changes(self):
        before = self.fake.control("GET", "clock")["now"]
        self.advance(86400)
        self.fake.send("GET", "/v1/payment_records?limit=1")
        self.see_rows(6)
        days = self.page.run("[...document.querySelectorAll('#list .day')].filter((each) => each.checkVisibility()).map((each) => each.innerText)")
        assert len(days) == 1 and days[0].startswith(str(int(before[8:10]))), (days, before)
        self.page.wait(f"document.getElementById('row-5').querySelector('.day').checkVisibility()")
        after = self.fake.control("GET", "clock")["now"]
        self.page.see(f"{int(after[8:10])} ", "#list-day")

    def says_only_that_a_request_is_the_same(self):
        self.advance(61)
        self.fake.send("GET", "/v1/payouts")
        self.page.see("429", "#row-7")
        assert "same as" not in self.page.run("document.getElementById('row-7').innerText"), "the other one is older than a minute"
        # With others, if these are not yet told.
        self.page.wait("/^New request: payouts.list, status 429|new requests, [1-9] of them not successful$/.test(document.getElementById('announcer').textContent)")
        self.fake.send("GET", "/v1/payouts")
        self.page.see("same as #7", "#row-8")
        self.page.click("#row-8")
        self.page.see("Requests that say the same (2)", "#detail")
        self.page.see("at most 60 s before or after this one", "#detail")
        assert "ttempt" not in self.page.run("document.getElementById('row-8').innerText")

    def says_which_attempts_a_client_has_marked(self):
        for attempt in (1, 2):
            self.fake.send("GET", "/v1/payouts", headers={"Tally-Call": f"0123456789abcdef; attempt={attempt}"})
        self.page.see("attempt 2", "#row-10")
        assert "same as" not in self.page.run("document.getElementById('row-10').innerText")
        self.page.click("#row-10")
        self.page.see("Attempts of call 0123456789abcdef (2)", "#detail")
        self.page.see("2 of call 0123456789abcdef", "#detail")

    def pauses_the_list(self):
        self.page.click("#pause", "Pause")
        self.fake.send("GET", "/v1/payment_records?limit=4")
        self.page.see("Resume (1 newer)", "#pause")
        assert not self.page.run("document.getElementById('row-11')")
        self.page.click("#pause")
        self.page.see("limit 4", "#row-11")
        self.page.see("Pause", "#pause")

    def groups_requests_that_match_no_operation(self):
        self.fake.send("GET", "/v1/nowhere")
        self.page.see("no operation", "#row-12")
        self.page.wait("[...document.querySelectorAll('#filter-operation option')].some((each) => each.innerText === 'No operation (1)')")
        self.page.fill("#filter-operation", " none")
        self.see_rows(1)
        self.page.see("1 of 12 requests", "#shown")
        self.page.fill("#filter-operation", "")
        self.see_rows(12)

    def chooses_an_interval_in_the_strip(self):
        day = self.fake.control("GET", "clock")["now"][:10]
        self.page.see(f"{int(day[8:10])} ", "#strip .axis")
        self.page.drag("#strip svg", 0.9, 0.999)
        self.page.see("Only", "#interval")
        self.see_rows(7)
        self.page.see("7 of 12 requests", "#shown")
        self.page.hover("#strip svg", 0.99)
        self.page.see(" to ", "#strip .tip")
        self.page.see("request", "#strip .tip")
        self.page.click("#interval button", "Show the whole time")
        self.see_rows(12)
        self.page.run("document.getElementById('strip').focus()")
        self.page.press("End")
        self.page.see("request", "#strip .tip")
        for _ in range(3):
            self.page.press("ArrowLeft", shift=True)
        self.page.press("Enter")
        self.see_rows(7)
        self.page.click("#interval button", "Show the whole time")
        self.see_rows(12)

    def copies_a_request_for_curl(self):
        self.page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        self.page.click("#row-5")
        self.page.see("request 5 ", "#detail")
        self.page.click("#detail button", "Copy as curl")
        self.page.see("Copied for curl. It takes the key from $TALLY_API_KEY.", "#toasts")
        self.run_curl(self.page.run("window.copied"), 13)
        assert self.fake.key not in self.page.run("window.copied")
        self.page.click("#detail button", "Reveal keys and metadata")
        self.page.click("#detail button", "Copy as curl, with the key")
        self.page.see("Copied for curl, with the key", "#toasts")
        assert self.fake.key in self.page.run("window.copied")
        self.page.click("#detail button", "Hide keys and metadata")

    def run_curl(self, command, number):
        """The command does what the request did."""
        done = subprocess.run(["bash", "-c", command], env=dict(os.environ, TALLY_API_KEY=self.fake.key), stdout=subprocess.PIPE, text=True)
        assert json.loads(done.stdout)["amount"] == 12500, done
        self.page.see("amount 12,500 EUR", f"#row-{number}")
        sent, again = (self.fake.control("GET", f"requests?starting_after={each - 1}&limit=1")["requests"][0] for each in (5, number))
        for part in ("method", "url", "params", "body"):
            assert sent[part] == again[part], (sent, again)

    def sends_a_request_again(self):
        asked = len(self.page.dialogs)
        self.page.click("#detail button", "Send again")
        self.page.see("Sent again: status 200", "#toasts")
        self.page.see("request 14 ", "#detail")
        self.page.see("amount 12,500 EUR", "#row-14")
        assert len(self.page.dialogs) == asked + 1, "it asks first"
        self.page.click("#row-8")
        self.page.click("#detail button", "Send again")
        self.page.see("Sent again: status 429", "#toasts")
        self.page.see("request 15 ", "#detail")
        assert len(self.page.dialogs) == asked + 1, "a read changes nothing"

    def answers_at_a_glance_in_the_overview(self):
        self.view("overview")
        self.page.see("Some requests are refused", "#overview")
        self.page.see("15", "#overview .big")
        self.page.see("endpoint rate of payouts.list refused first", "#overview")
        self.page.see("No operation matches", "#overview")
        self.page.click("#overview button", "No operation matches")
        self.see_rows(1)
        self.page.fill("#filter-operation", "")
        self.see_rows(15)

    def says_hours_later_which_limit_refused(self):
        self.advance(5 * 3600)
        self.view("limits")
        self.page.see("endpoint rate of payouts.list refused first", "#refusals")
        self.page.see("payouts.list", "#refusals table")
        self.page.see("Per minute", "#refusals table")
        self.page.see("in a minute, at", "#refusals table")
        self.page.see("Highest use", "#limits")
        self.page.see("requests refused, the last at", "#limits")
        hidden = self.page.run("document.querySelector('#limits details.more').innerText")
        assert "Limits without use in the last 24 hours" in hidden and "0 of 25 used" not in hidden, hidden
        self.page.click("#refusals button", "Requests")
        self.page.see("of 15 requests", "#shown")
        self.page.click("#interval button", "Show the whole time")
        self.page.fill("#filter-operation", "")
        self.page.fill("#filter-outcome", "")
        self.see_rows(15)

    def explains_the_keyboard(self):
        self.page.run("document.activeElement.blur()")
        self.page.press("?")
        self.page.see("Keyboard shortcuts", "dialog")
        self.page.see("Pause or resume the list", "dialog")
        self.page.press("Escape")
        self.expect_closed()
        for key, view in (("3", "limits"), ("1", "overview"), ("2", "requests")):
            self.page.press(key)
            self.page.wait(f"document.getElementById('view-{view}').checkVisibility()")
        self.page.press("p")
        self.page.see("Resume", "#pause")
        self.page.press("p")
        self.page.see("Pause", "#pause")
        self.page.press("/")
        assert self.page.run("document.activeElement.id") == "filter-text"
        self.page.press("p")
        self.page.see("Pause", "#pause")
        self.page.fill("#filter-text", "")
        self.page.run("document.activeElement.blur()")

    def shows_metadata_only_when_revealed_and_as_text(self):
        self.fake.control("DELETE", "requests")
        self.page.see("No requests yet", "#empty")
        self.fake.control("DELETE", "limits")
        for path in ("/v1/payouts?limit=2", "/v1/payouts", "/v1/payouts/po_none"):
            self.fake.send("GET", path)
        self.fake.send("POST", report_of(self.records[0]), {"failed_at": 5, "metadata[order]": ATTACK})
        self.see_rows(4)
        self.select_newest()
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
        for field, value, count in (("operation", "payouts.list", 2), ("outcome", "refused", 1), ("outcome", "404", 1),
                                    ("text", "PO_NONE", 1), ("text", "nothing like it", 0)):
            self.page.fill(f"#filter-{field}", value)
            self.see_rows(count)
            if count == 0:
                self.page.click("#empty button", "Remove the filters")
            else:
                self.page.fill(f"#filter-{field}", "")
            self.see_rows(4)

    def makes_the_next_report_time_out(self):
        self.view("requests")
        self.page.click("#view-requests button", "Inject a fault…")
        self.page.click("dialog button", "Time out")
        self.select("operation", REPORT)
        self.send_form()
        self.expect_closed()
        self.fake.send("POST", report_of(self.records[1]), {"failed_at": 5}, expected="timeout")
        self.see_rows(5)
        self.select_newest()
        self.page.see("It delayed the response by 2 min", "#detail")
        self.view("faults")
        self.page.see(", payment_records.report_failed", "#hits")
        self.page.see("2 min later", "#hits")
        self.page.see("No fault is armed.", "#faults")

    def removes_a_fault(self):
        self.send_preset("Inject a fault…", "Lose the response")
        self.page.see("response lost", "#faults")
        self.page.see("armed", "#faults")
        assert self.page.run("document.getElementById('count-faults').textContent") == "1"
        self.page.click("#faults button", "Remove")
        self.page.see("No fault is armed.", "#faults")
        assert self.fake.control("GET", "faults")["faults"] == []

    def plays_and_stops_a_fault_script(self):
        self.send_preset("Play a fault script…", "outage")
        self.page.see(", outage", "#scripts")
        self.page.see("of script ", "#faults")
        self.page.see(" until ", "#faults")
        assert "until removed" not in self.page.run("document.getElementById('faults').innerText")
        self.page.see("in ", "#scripts time")
        self.page.click("#scripts button", "Stop")
        self.page.see("No fault script plays.", "#scripts")
        self.page.see("No fault is armed.", "#faults")
        assert self.fake.control("GET", "fault_scripts")["scripts"] == []

    def names_the_fault_in_the_header_of_a_request(self):
        self.fake.send("GET", "/v1/payouts", headers={"Tally-Fake-Fault": "none; latency_ms=1"})
        self.page.see("its header", "#hits")
        self.page.see("1 ms later", "#hits")
        self.view("requests")
        self.select_newest()
        self.page.see("The fault in its Tally-Fake-Fault header applied", "#detail")
        self.view("faults")

    def exports_the_requests_that_pass_the_filters_as_har(self):
        self.view("requests")
        self.page.fill("#filter-operation", REPORT)
        self.see_rows(2)
        self.page.click("#export")
        self.page.see("Exported as requests.har")
        text = self.page.downloaded("requests.har")
        entries = json.loads(text)["log"]["entries"]
        assert [each["request"]["url"].rsplit("/", 1)[1] for each in entries] == ["report_payment_attempt_failed"] * 2
        assert self.fake.key not in text
        self.page.fill("#filter-operation", "")
        self.view("faults")

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
        self.page.wait("document.getElementById('clock-state').textContent === 'UTC, frozen'")
        assert self.fake.control("GET", "clock")["frozen"]
        self.page.click("#freeze", "Thaw")
        self.page.wait("document.getElementById('clock-state').textContent === 'UTC, real time'")

    def shows_limits_as_gauges_and_changes_one(self):
        self.view("limits")
        self.page.run("document.querySelectorAll('#limits details').forEach((each) => { each.open = true; })")
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
        self.page.wait("document.getElementById('link-state').textContent === 'Connected'")

    def offers_every_operation(self):
        described = json.loads(self.fake.get("/_fake/control.openapi.json"))["paths"]
        titles = {f"{method.upper()} {path}" for path, methods in described.items() for method in methods}
        assert not self.page.run("[...document.querySelectorAll('#operations button')].some((each) => each.checkVisibility())"), "they are collapsed"
        self.page.click("#operations-title")
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
        logged = [each["number"] for each in self.fake.control("GET", "requests")["requests"]]
        self.see_rows(len(logged))
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
        self.page.press("Home")
        self.page.press("ArrowDown")
        self.page.see(f"request {logged[-2]} ", "#detail")
        assert self.page.run(f"document.getElementById('list').getAttribute('aria-activedescendant')") == f"row-{logged[-2]}"
        self.page.press("End")
        self.page.see(f"request {logged[0]} ", "#detail")
        self.page.press("Enter")
        assert self.page.run("document.activeElement.id") == "detail-title"
        self.page.press("Escape")
        assert self.page.run("document.activeElement.id") == "list"
        while self.page.run("document.activeElement.dataset.form") != "POST /_fake/faults":
            self.page.press("Tab", shift=True)
        self.page.press("Enter")
        self.page.wait("document.getElementById('dialog').open")
        assert self.page.run("document.getElementById('dialog').contains(document.activeElement)")
        self.page.press("Escape")
        self.expect_closed()
        assert self.page.run("document.activeElement.dataset.form") == "POST /_fake/faults"

    def links_to_a_request(self):
        self.page.open("about:blank")
        number = self.fake.control("GET", "requests?limit=2")["requests"][1]["number"]
        self.page.open(f"{self.fake.url}/_fake/#/requests/{number}?account={self.fake.account}&mode=sandbox")
        self.page.see(f"request {number} ", "#detail")

    def names_every_control(self):
        nameless = """[...document.querySelectorAll('button, input, select, textarea, a, [role=button], [role=meter]')]
          .filter((each) => each.checkVisibility() && !(each.textContent.trim() && !each.matches('select')) &&
            !each.getAttribute('aria-label') && !(each.labels && each.labels.length)).map((each) => each.outerHTML)"""
        for view in VIEWS:
            self.view(view)
            assert self.page.run(nameless) == [], view

    def clears_the_log(self):
        self.view("requests")
        self.page.click("#clear-log")
        self.page.see("No requests yet", "#empty")
        assert self.page.dialogs, "it asks first"
        self.fake.send("GET", "/v1/payouts")
        self.see_rows(1)

    def loads_older_requests_as_the_list_is_scrolled(self):
        for limit in ("global_rate", "endpoint_rate"):
            self.fake.control("POST", "limits", {"limit": limit})
        [first] = (each["number"] for each in self.fake.control("GET", "requests")["requests"])
        for number in range(250):
            self.fake.send("GET", f"/v1/payment_records?limit={number % 90 + 1}")
        self.page.see("251 requests", "#shown")
        self.page.see("limit 70", f"#row-{first + 250}")
        assert self.page.run(f"{ROWS}.length") < 40, "only the visible rows exist"
        scroll = "(() => { const list = document.getElementById('list'); list.scrollTop = list.scrollHeight; return document.getElementById('row-%d'); })()"
        self.page.wait(scroll % first, "the oldest request")
        self.page.fill("#filter-text", "limit=90")
        self.see_rows(2)
        self.page.fill("#filter-text", "")
        self.page.see("251 requests", "#shown")

    def sends_a_request_again_with_the_key_of_its_account(self):
        other = self.fake.control("POST", "service/accounts", {})
        self.fake.send("GET", "/v1/payouts?limit=7", headers={"Authorization": f"Bearer {other['sandbox_key']}"})
        number = max(each["number"] for each in self.fake.control("GET", "requests")["requests"])
        self.page.click(f"#row-{number}")
        self.page.see(f"{other['id']} · sandbox", "#detail")
        self.page.click("#detail button", "Send again")
        self.page.see(f"request {number + 1} ", "#detail")
        self.page.see(f"{other['id']} · sandbox", "#detail")
        self.page.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        self.page.click("#detail button", "Reveal keys and metadata")
        self.page.click("#detail button", "Copy as curl, with the key")
        self.page.wait(f"(window.copied || '').includes('{other['sandbox_key']}')", "the key of the other account")
        self.page.click("#detail button", "Hide keys and metadata")
        self.fake.control("DELETE", f"accounts/{other['id']}")
        self.page.click("#detail button", "Send again")
        self.page.see(f"No key of {other['id']}, which sent the request, is known.", "#toasts")

    def never_shows_planted_keys(self):
        """Neither keys of no account, wherever a client puts them, nor those of the accounts, in any view or export."""
        self.fake.control("DELETE", "requests")
        live = self.fake.control("GET", "accounts")["accounts"][0]["live_key"]
        planted = ["sk_live_" + PLANTED, "sk_test_" + PLANTED, self.fake.key, live]
        for number, key in enumerate(planted, 1):
            self.fake.send("GET", f"/v1/payouts?limit=1&key={key}", headers={"Authorization": f"Bearer {key}"})
            self.fake.send("POST", report_of(self.records[2]), {"failed_at": 5, "metadata[a]": key, key: "1"}, headers={"X-Api-Key": key})
            self.view("requests")
            self.see_rows(2 * number)
            for row in self.page.run(f"{ROWS}.map((each) => each.id)"):
                self.page.click(f"#{row}")
                self.expect_hidden(planted)
        for view in VIEWS:
            self.view(view)
            self.expect_hidden(planted)
        self.view("requests")
        self.page.click("#export")
        self.page.see("Exported as requests.har")
        text = self.page.downloaded("requests.har")
        assert [each for each in planted if each in text] == []

    def expect_hidden(self, keys):
        page = self.page.run("document.documentElement.outerHTML + location + JSON.stringify({...localStorage, ...sessionStorage})")
        shown = [page[max(0, page.index(each) - 200) : page.index(each) + 60] for each in keys if each in page]
        assert shown == [], shown

    STEPS = [selects_the_newest_failure_and_says_why, says_that_it_is_connected_without_a_word_for_a_mode,
             shows_method_path_parameters_and_duration_in_columns, names_the_date_where_it_changes,
             says_only_that_a_request_is_the_same, says_which_attempts_a_client_has_marked, pauses_the_list,
             groups_requests_that_match_no_operation, chooses_an_interval_in_the_strip, copies_a_request_for_curl,
             sends_a_request_again, answers_at_a_glance_in_the_overview, says_hours_later_which_limit_refused,
             explains_the_keyboard, shows_metadata_only_when_revealed_and_as_text, filters, makes_the_next_report_time_out, removes_a_fault,
             plays_and_stops_a_fault_script, names_the_fault_in_the_header_of_a_request, exports_the_requests_that_pass_the_filters_as_har,
             explains_what_is_wrong_with_a_form, holds_and_releases_a_lock, moves_freezes_and_thaws_the_clock,
             shows_limits_as_gauges_and_changes_one, inserts_objects_and_draws_their_states,
             takes_and_restores_a_snapshot, deletes_a_snapshot,
             creates_and_deletes_an_account, shows_another_account_if_the_one_shown_is_deleted, offers_every_operation, verifies_requests, needs_only_a_keyboard,
             links_to_a_request, names_every_control, clears_the_log,
             loads_older_requests_as_the_list_is_scrolled, sends_a_request_again_with_the_key_of_its_account,
             never_shows_planted_keys]


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


# Words of tables that the layout breaks: cells that are narrower than their longest word.
BROKEN_WORDS = """[...document.querySelectorAll('th, td')].filter((cell) => cell.checkVisibility()).flatMap((cell) => {
  const range = document.createRange();
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (walker.nextNode()) {
    for (const found of walker.currentNode.data.matchAll(/[A-Za-z]{3,}/g)) {
      range.setStart(walker.currentNode, found.index);
      range.setEnd(walker.currentNode, found.index + found[0].length);
      if (range.getClientRects().length > 1) broken.push(found[0]);
    }
  }
  return broken;
})"""


def looks_right(walk):
    """Both colour schemes are legible, the toggle overrides the system, and nothing is cut off on a phone."""
    page = walk.page
    background = "getComputedStyle(document.body).backgroundColor"
    shades = {}
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        shades[scheme] = page.run(background)
        for view in VIEWS:
            walk.view(view)
            ratio, element = page.run(WORST_CONTRAST)
            assert ratio >= 4.5, f"{scheme}, {view}: contrast {ratio:.1f} of {element}"
    assert shades["light"] != shades["dark"]
    walk.view("requests")
    page.see("request ", "#detail")
    assert page.run("document.documentElement.scrollHeight <= innerHeight"), "only the parts of the page scroll"
    page.click("#theme")
    assert page.run(background) == shades["light"], "the first click chooses light"
    page.click("#theme")
    page.scheme("light")
    assert page.run(background) == shades["dark"], "the second click chooses dark"
    page.click("#theme", "Theme: dark")
    page.size(400, 850)
    page.see("Menu", "header")
    assert page.run("document.querySelector('header').offsetHeight") <= 100, "the header leaves room"
    for link in VIEWS:
        box = page.run(f"(() => {{ const box = document.querySelector('.tabs a[data-view={link}]').getBoundingClientRect(); return [box.left, box.right]; }})()")
        assert 0 <= box[0] and box[1] <= 400, f"the tab {link} is off the screen"
    for view in VIEWS:
        walk.view(view)
        assert page.run(BROKEN_WORDS) == [], f"{view} breaks words"
        assert page.run("document.documentElement.scrollWidth") <= 400, f"{view} is too wide for a phone"


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
    page.wait("document.getElementById('link-state').textContent === 'Connected'")


def main():
    chromium = find_chromium()
    if not chromium:
        print("skipped: there is no Chromium; ./dev check page installs it")
        sys.exit(77)
    with ServedFake(sys.argv[1], "--records", "6", "--fault-header") as fake:
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
            # The browser reports the refusals of the bad form, of the key that is gone, and of what is sent again.
            errors = [each for each in browser.errors if not any(expected in each for expected in ("400 (Bad Request)", "401 (Unauthorized)", "429 (Too Many Requests)"))]
            assert errors == [], errors
        finally:
            browser.close()


main()
