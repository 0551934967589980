"""What clients send to tally-fake is recorded, and compared with the fake: nothing differs, unless the server did."""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "support"))
from recording_proxy import RecordingProxy
from served_fake import ServedFake

try:
    import stripe
except ImportError:
    stripe = None

PROGRAM = sys.argv.pop(1)
RECORDS, INTENTS = "/v1/payment_records", "/v1/payment_intents"
# A busy machine may forward a request long after the proxy received it.
PATIENTLY = ("--margin-ms", "20000")


def report(record, outcome):
    return f"{RECORDS}/{record}/report_payment_attempt_{outcome}"


def in_threads(count, work):
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Comparison(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.recording = self.path / "run.har"

    def record(self, use, *options):
        """`use` gets a client whose requests are recorded, and one beside the recorder."""
        with ServedFake(PROGRAM, *options) as fake:
            with RecordingProxy(int(fake.url.rsplit(":", 1)[1])) as proxy:
                direct = fake.url
                fake.url = proxy.url
                use(fake, direct)
                fake.url = direct
                proxy.save(self.recording)

    def record_by_tally(self, use, *options):
        """The same with tally's own recorder."""
        with ServedFake(PROGRAM, *options) as fake:
            direct = fake.url
            recorder = subprocess.Popen(
                [PROGRAM, "record", "--upstream", direct, "--out", str(self.recording), "--port", "0"],
                stdout=subprocess.PIPE,
                text=True,
            )
            fake.url = recorder.stdout.readline().split()[-1]
            use(fake, direct)
            fake.url = direct
            recorder.terminate()
            recorder.wait()
            recorder.stdout.close()

    def compare(self, *options):
        return subprocess.run(
            [PROGRAM, "compare", *options, str(self.recording)], capture_output=True, text=True, timeout=60
        )

    def expect_nothing(self, *options):
        ended = self.compare(*options)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), ended.stdout)
        self.assertIn("requests compared: no difference", ended.stdout)

    def differences(self, *options):
        ended = self.compare("--json", *options)
        lines = [json.loads(line) for line in ended.stdout.splitlines()]
        found = [line["id"] for line in lines if line["kind"] == "difference" and not line["accepted"]]
        self.assertEqual(ended.returncode, 1 if found else 0, ended.stderr)
        return found


def page_through(fake, limit):
    path, seen = f"{RECORDS}?limit={limit}", []
    while True:
        page = fake.send("GET", path + (f"&starting_after={seen[-1]}" if seen else ""))
        seen += [record["id"] for record in page["data"]]
        if not page["has_more"]:
            return seen


def reports_and_mistakes(fake, _):
    first, second = page_through(fake, 7)[:2]
    fake.send("GET", f"{RECORDS}?limit=3&ending_before={first}")
    fake.send("POST", report(first, "failed"), {"failed_at": 1_700_000_000, "metadata[a]": "b"})
    fake.send("POST", report(first, "canceled"), {"canceled_at": 1_700_000_000, "metadata[a]": ""})
    fake.send("POST", report(first, "guaranteed"), {"guaranteed_at": 1_700_000_000})
    fake.send("POST", report(first, "failed"), {"failed_at": 1_700_000_000})
    fake.send("POST", report(second, "failed"), {})
    fake.send("POST", report(second, "failed"), {"failed_at": "soon"})
    fake.send("GET", f"{RECORDS}/{first}")
    fake.send("GET", f"{RECORDS}/pr_none")
    fake.send("DELETE", RECORDS)
    fake.send("GET", "/v1/nothing")
    found = {"query": "amount_requested.value:1000", "limit": 9, "expand[]": "total_count"}
    for _ in range(3):
        page = fake.send("GET", f"{RECORDS}/search?{urllib.parse.urlencode(found)}")
        found["page"] = page.get("next_page")


class ComparisonWithUnchangedServer(Comparison):
    def test_finds_no_difference_in_a_recording_by_tally(self):
        self.record_by_tally(reports_and_mistakes, "--records", "20")
        self.expect_nothing()

    def test_finds_no_difference_in_reports_lists_searches_and_refusals(self):
        self.record(reports_and_mistakes, "--records", "20")
        self.expect_nothing()

    def test_finds_no_difference_in_requests_of_threads_that_reach_limits(self):
        def use(fake, _):
            records = [record["id"] for record in fake.send("GET", f"{RECORDS}?limit=20")["data"]]

            def work(number):
                choose = random.Random(number)
                for turn in range(12):
                    record = choose.choice(records)
                    kind = choose.randrange(6)
                    if kind == 0:
                        fake.send("POST", report(record, "failed"), {"failed_at": turn, "metadata[a]": number})
                    elif kind == 1:
                        fake.send("POST", report(record, "canceled"), {"canceled_at": turn})
                    elif kind == 2:
                        fake.send("GET", f"{RECORDS}/{record}")
                    elif kind == 3:
                        fake.send("GET", f"{RECORDS}?limit=5")
                    elif kind == 4:
                        fake.send("POST", INTENTS, {"amount": turn + 1, "currency": "usd"})
                    else:
                        fake.send("GET", f"{INTENTS}?limit=5")

            in_threads(8, work)

        self.record(use, "--records", "20")
        refused = json.loads(self.recording.read_text())["log"]["entries"]
        self.assertIn(429, [each["response"]["status"] for each in refused])
        self.expect_nothing(*PATIENTLY)

    def test_finds_no_difference_in_requests_that_wait_for_a_lock(self):
        def use(fake, direct):
            record = fake.send("GET", f"{RECORDS}?limit=1")["data"][0]["id"]
            proxied, fake.url = fake.url, direct
            fake.control("POST", "durations", {"operation": "payment_records.report_failed", "milliseconds": 1400})
            fake.url = proxied

            def work(number):
                time.sleep(number / 10)  # so that the requests are in progress at the same time, as those of a client are
                fake.send("POST", report(record, "failed"), {"failed_at": number, "metadata[a]": number})

            in_threads(5, work)
            fake.send("GET", f"{RECORDS}/{record}")

        self.record(use, "--records", "2")
        self.expect_nothing(*PATIENTLY)

    @unittest.skipUnless(stripe, "the package python3-stripe is not installed")
    def test_finds_no_difference_in_the_requests_of_an_independent_client(self):
        def use(fake, _):
            stripe.api_base, stripe.api_key = fake.url, fake.key
            stripe.max_network_retries = 0
            stripe.default_http_client = stripe.http_client.new_default_http_client()
            made = [
                stripe.PaymentIntent.create(amount=250 + n, currency="eur", description="a & b ü", metadata={"n": n}).id
                for n in range(7)
            ]
            stripe.PaymentIntent.modify(made[0], metadata={"n": "", "other": "8"})
            stripe.PaymentIntent.retrieve(made[0])
            list(stripe.PaymentIntent.list(limit=3).auto_paging_iter())
            list(stripe.PaymentIntent.list(limit=2, ending_before=made[0]).auto_paging_iter())
            list(stripe.PaymentIntent.search(query="amount>251", limit=2, expand=["total_count"]).auto_paging_iter())
            stripe.Payout.create(amount=500, currency="usd")
            for mistake in (
                lambda: stripe.PaymentIntent.retrieve("pi_none"),
                lambda: stripe.PaymentIntent.list(limit=0),
                lambda: stripe.Payout.list(api_key="sk_test_none"),
            ):
                with self.assertRaises(stripe.error.StripeError):
                    mistake()
            stripe.default_http_client.close()

        self.record(use, "--no-limits")
        self.expect_nothing()

    @unittest.skipUnless(shutil.which("curl"), "curl is not installed")
    def test_finds_no_difference_in_the_requests_of_curl(self):
        def use(fake, _):
            def curl(path, *options):
                return subprocess.run(
                    ["curl", "-sS", "-u", f"{fake.key}:", f"{fake.url}{path}", *options], check=True, capture_output=True
                ).stdout

            record = json.loads(curl(f"{RECORDS}?limit=2"))["data"][0]["id"]
            curl(report(record, "failed"), "-d", "failed_at=1700000000", "--data-urlencode", "metadata[a]=ü & b")
            curl(f"{RECORDS}/search", "-G", "--data-urlencode", "query=amount_requested.value>100", "-d", "expand[]=total_count")
            curl("/v2/core/accounts", "-H", "Content-Type: application/json", "-d", '{"metadata":{"a":"b"}}')

        self.record(use, "--records", "5")
        self.expect_nothing()


class ComparisonWithChangedServer(Comparison):
    def setUp(self):
        super().setUp()
        self.scenario = self.path / "scenario.json"
        limits = [{"limit": "endpoint_rate", "value": 9}]
        records = [{"resource": "payment_record", "count": 5}]
        self.scenario.write_text(json.dumps({"accounts": [{"limits": limits, "records": records}]}))

        def use(fake, _):
            for _ in range(12):
                fake.send("GET", RECORDS)

        self.record(use, "--scenario", str(self.scenario))

    def test_reports_the_limit_and_the_refuted_assumption(self):
        ended = self.compare()
        self.assertEqual(ended.returncode, 1)
        self.assertRegex(
            ended.stdout,
            r"Limits\n  limit\.refused:endpoint_rate: payment_records\.list was refused with endpoint-rate after at most "
            r'9 in 1 s; the fake allows 25 \(3 times, first in request 10\); refutes sliding_window, "Requests per second"\n',
        )

    def test_prefers_settings_to_the_documented_limits(self):
        self.expect_nothing("--settings", str(self.scenario))

    def test_does_not_fail_for_accepted_differences(self):
        accepted = self.path / "accepted.txt"
        accepted.write_text("# raised by support\nlimit.refused:endpoint_rate\norder:list\n")
        ended = self.compare("--accept", str(accepted))
        self.assertEqual(ended.returncode, 0)
        self.assertIn("Accepted, but did not occur\n  order:list\n", ended.stdout)
        self.assertIn("no difference, 1 accepted", ended.stdout)
        self.assertEqual(self.differences("--accept", str(accepted)), [])


class ComparisonWithAnyText(Comparison):
    def test_accepts_every_identifier_that_it_prints(self):
        def use(fake, _):
            fake.send("POST", INTENTS, {"amount": 1, "currency": "eur"})
            for name in ("my field", "a#b", "50%", "line\nline", "größe", "a\tb"):
                fake.send("POST", INTENTS, {"amount": 1, "currency": "eur", name: 1})
            fake.send("GET", f"{INTENTS}?limit=0")
            fake.send("GET", "/v1/charges/ch_1")
            fake.send("DELETE", f"{INTENTS}/pi_1")

        self.record(use, "--no-limits")
        recording = json.loads(self.recording.read_text())
        created, *refused, limit, path, method = [entry["response"] for entry in recording["log"]["entries"]]
        for response in refused:
            response.update(created)
        limit["content"]["text"] = limit["content"]["text"].replace("parameter_invalid", "no such limit #0")
        path["content"]["text"] = path["content"]["text"].replace("path_unknown", "resource_missing")
        method["content"]["text"] = method["content"]["text"].replace("method_not_allowed", "path_unknown")
        self.recording.write_text(json.dumps(recording))
        found = self.differences()
        self.assertEqual(len([each for each in found if each.startswith("accepted:parameter_unknown:")]), 6, found)
        accepted = self.path / "accepted.txt"
        accepted.write_text("\n".join(found))
        self.assertEqual(self.differences("--accept", str(accepted)), [])


class ComparisonOfUnusableInput(Comparison):
    def test_exits_with_status_2_if_the_recording_is_unusable(self):
        for text, problem in (
            (None, "can't read"),
            ("", f"compare: {self.recording}: not HAR"),
            ("[]", f"compare: {self.recording}: not HAR"),
            ('{"log":{"entries":[{"request":5}]}}', f"compare: {self.recording}: entry 1"),
            ('{"log":{"entries":[]}}', "has no requests"),
        ):
            if text is not None:
                self.recording.write_text(text)
            ended = self.compare()
            self.assertEqual((ended.returncode, ended.stdout), (2, ""), text)
            self.assertIn(problem, ended.stderr)

    def test_refuses_invalid_arguments(self):
        for arguments in ([], ["a.har", "b.har"], ["--acept", "x", "a.har"], ["--margin-ms", "soon", "a.har"]):
            ended = subprocess.run([PROGRAM, "compare", *arguments], capture_output=True, text=True)
            self.assertEqual(ended.returncode, 2, arguments)
            self.assertIn("tally-fake compare --help", ended.stderr)

    def test_reports_the_file_and_position_of_invalid_settings(self):
        self.recording.write_text('{"log":{"entries":[]}}')
        settings = self.path / "settings.json"
        settings.write_text('{"accounts": [{"limits": [{"limit": "endpoint_rat"}]}]}')
        ended = self.compare("--settings", str(settings))
        self.assertEqual(ended.returncode, 2)
        self.assertIn("settings.json: accounts[0].limits[0]: unknown limit 'endpoint_rat'", ended.stderr)


if __name__ == "__main__":
    unittest.main()
