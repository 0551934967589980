"""Every operation through a validating proxy: requests of an independent client, responses of tally-fake."""

import json
import os
import shutil
import subprocess
import sys
import threading
import unittest

PROGRAM, PRISM = sys.argv[1:3]
del sys.argv[1:3]

try:
    import stripe
except ImportError:
    print("skipped: the package python3-stripe is not installed")
    sys.exit(77)
if not (os.path.exists(PRISM) and shutil.which("node")):
    print("skipped: there is no Prism, which ./dev check prism installs, or no Node")
    sys.exit(77)

sys.path.append(os.path.join(os.path.dirname(__file__), "../support"))
from served_fake import ServedFake  # noqa: E402

TIME = 1_767_225_600


class Prism:
    """The proxy between clients and a tally-fake, with that server's description of its API."""

    def __init__(self, fake):
        self.process = subprocess.Popen(
            [PRISM, "proxy", "--errors", "--port", "0", fake.url + "/_fake/openapi.json", fake.url],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if "Prism is listening on " in line:
                break
        else:
            raise RuntimeError("Prism did not start:\n" + "".join(lines))
        self.url = line.split()[-1]
        # Prism stops if nobody reads its log.
        self.reader = threading.Thread(target=self.process.stdout.read)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()


class Violation(Exception):
    """What Prism reports about a request or a response."""


class JudgedClient(stripe.http_client.RequestsClient):
    def request(self, method, url, headers, post_data=None):
        content, status, told = super().request(method, url, headers, post_data)
        if "sl-violations" in told or "problem+json" in told.get("Content-Type", ""):
            raise Violation(f"{method} {url} {post_data}: {status} {told.get('sl-violations')} {content}")
        return content, status, told


class Judged(unittest.TestCase):
    def setUp(self):
        self.fake = self.enterContext(ServedFake(PROGRAM, "--no-limits"))
        stripe.api_base = self.enterContext(Prism(self.fake)).url
        stripe.api_key = self.fake.key
        stripe.max_network_retries = 0
        stripe.default_http_client = self.client = JudgedClient()
        self.addCleanup(self.client.close)

    def send(self, method, path, **params):
        """An operation that the client has no class for."""
        return stripe.api_requestor.APIRequestor().request(method, path, params)[0].data

    def seeded(self, resource, **options):
        return self.fake.control("POST", "records", {"resource": resource, "count": 3, **options})["ids"]


class Operations(Judged):
    def test_all_pass_without_a_violation(self):
        self.use_classes_of_the_client()
        self.use_payment_records()
        self.use_other_operations()
        described = json.loads(self.fake.get("/_fake/openapi.json"))["paths"]
        names = {operation["operationId"] for methods in described.values() for operation in methods.values()}
        self.assertEqual(self.succeeded(), names)

    def succeeded(self):
        return {each["operation"] for each in self.fake.control("GET", "requests?status=200")["requests"]}

    def use_classes_of_the_client(self):
        text = {"description": "a & b ü", "metadata": {"order": "7", "other": ""}}
        money = {"amount": 250, "currency": "eur", **text}
        intent = self.create_retrieve_and_list(stripe.PaymentIntent, **money)
        stripe.PaymentIntent.modify(intent.id, description="b", metadata={"order": ""})
        stripe.PaymentIntent.modify(intent.id, metadata="")
        self.create_retrieve_and_list(stripe.Payout, **money)
        self.create_retrieve_and_list(stripe.issuing.Card, **text)
        self.create_retrieve_and_list(stripe.Account, country="DE", metadata={"order": "7"})
        subscription = self.create_retrieve_and_list(stripe.Subscription, quantity=2, **text)
        stripe.Subscription.modify(subscription.id, quantity=3, **text)
        self.create_retrieve_and_list(stripe.Invoice, subscription=subscription.id)
        stripe.Invoice.list(subscription=subscription.id)
        for kind in [stripe.PaymentIntent, stripe.Subscription, stripe.Invoice]:
            self.search(lambda **params: kind.search(**params))
        self.seeded("reporting_report_run")
        stripe.reporting.ReportRun.list()

    def create_retrieve_and_list(self, kind, **fields):
        made = [kind.create(**fields) for _ in range(3)]
        self.assertEqual(kind.retrieve(made[0].id).id, made[0].id)
        kind.list()
        kind.list(limit=1, starting_after=made[1].id)
        kind.list(limit=1, ending_before=made[1].id)
        return made[0]

    def search(self, search):
        query = "created>0"
        first = search(query=query, limit=1, expand=["total_count"])
        self.assertEqual(first["total_count"], 3)
        self.assertTrue(search(query=query, limit=1, page=first["next_page"])["data"])

    def use_payment_records(self):
        path = "/v1/payment_records"
        details = {"type": "custom", "custom": {"display_name": "Till", "type": "till"}}
        self.seeded("payment_record", fields={"description": "a", "payment_method_details": details})
        ids = [record["id"] for record in self.send("get", path, limit=3)["data"]]
        self.send("get", path, limit=1, starting_after=ids[0])
        self.search(lambda **params: self.send("get", path + "/search", **params))
        for record, outcome in zip(ids, ["canceled", "failed", "guaranteed"]):
            self.send("post", f"{path}/{record}/report_payment_attempt_{outcome}", **{f"{outcome}_at": TIME})
            self.send("get", f"{path}/{record}")

    def use_other_operations(self):
        made = self.send("post", "/v1/files", purpose="dispute_evidence", filename="a.pdf")
        stripe.File.list()
        stripe.File.retrieve(made["id"])
        for resource, path in [("data_export", "/v1/data/exports"), ("tax_registration", "/v1/tax/registrations")]:
            self.seeded(resource)
            self.assertEqual(len(self.send("get", path)["data"]), 3)
        self.client.request(
            "post",
            stripe.api_base + "/v2/core/accounts",
            {"Authorization": "Bearer " + self.fake.key, "Content-Type": "application/json"},
            json.dumps({"country": "DE", "metadata": {"order": "7"}}),
        )


class Errors(Judged):
    def test_pass_without_a_violation(self):
        final = self.seeded("payment_record", state="guaranteed")[0]
        for status, call in {
            404: lambda: stripe.PaymentIntent.retrieve("pi_none"),
            401: lambda: stripe.Payout.list(api_key="sk_test_none"),
            400: lambda: self.send(
                "post", f"/v1/payment_records/{final}/report_payment_attempt_failed", failed_at=TIME
            ),
            403: lambda: self.injected("account_not_connected"),
            429: lambda: self.injected("rate_limit"),
            500: lambda: self.injected("api_error"),
        }.items():
            with self.subTest(status), self.assertRaises(stripe.error.StripeError) as caught:
                call()
            self.assertEqual(caught.exception.http_status, status)

    def injected(self, error):
        self.fake.control("POST", "faults", {"error": error})
        return stripe.Payout.list()


class Violations(Judged):
    """The proxy and this test report what is wrong."""

    def test_are_found_in_invalid_requests(self):
        with self.assertRaisesRegex(Violation, "limit must be >= 1"):
            stripe.Payout.list(limit=0)
        with self.assertRaisesRegex(Violation, "no path matched"):
            self.send("get", "/v1/nowhere")

    def test_are_found_in_invalid_responses(self):
        body = json.dumps({"object": "list", "data": [], "url": "/v1/payouts"})
        response = {"headers": {"Content-Type": "application/json"}, "body": body}
        self.fake.control("POST", "faults", {"response": response})
        with self.assertRaisesRegex(Violation, "must have required property 'has_more'"):
            stripe.Payout.list()


if __name__ == "__main__":
    unittest.main()
