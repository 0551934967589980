"""An independent client for this family of APIs against tally-fake, unmodified except for its base URL."""

import json
import subprocess
import sys
import unittest
import urllib.request

try:
    import stripe
except ImportError:
    print("skipped: the package python3-stripe is not installed")
    sys.exit(77)

PROGRAM = sys.argv.pop(1)


class Served(unittest.TestCase):
    def setUp(self):
        self.process = subprocess.Popen(
            [PROGRAM, "--port", "0", "--no-limits"], stdout=subprocess.PIPE, text=True
        )
        words = self.process.stdout.readline().split()
        self.url = words[3]
        told = dict(word.split("=") for word in words[4:])
        self.key = told["sandbox_key"]
        stripe.api_base = self.url
        stripe.api_key = self.key
        stripe.max_network_retries = 0
        # The client keeps connections, but those to another test's server are closed.
        stripe.default_http_client = stripe.http_client.new_default_http_client()
        # The tests do not depend on the client's sleeps.
        stripe.http_client.HTTPClient._sleep_time_seconds = lambda *unused: 0

    def tearDown(self):
        stripe.default_http_client.close()
        self.process.terminate()
        self.assertEqual(self.process.wait(), 0)
        self.process.stdout.close()

    def control(self, path, body=None):
        request = urllib.request.Request(
            self.url + "/_fake/" + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": "Bearer " + self.key},
        )
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def seed(self, count):
        return self.control("records", {"resource": "payment_intent", "count": count})["ids"]

    def requests(self):
        return [(r["method"], r["url"].split("?")[0]) for r in self.control("requests")["requests"]]


class Client(Served):
    def test_creates_retrieves_and_updates_payment_intents(self):
        made = stripe.PaymentIntent.create(
            amount=250, currency="eur", description="a & b ü", metadata={"order": "7"}
        )
        self.assertTrue(made.id.startswith("pi_"))
        self.assertTrue(made.last_response.request_id.startswith("req_"))
        read = stripe.PaymentIntent.retrieve(made.id)
        self.assertEqual((read.amount, read.currency), (250, "eur"))
        self.assertEqual(read.description, "a & b ü")
        self.assertEqual(read.metadata["order"], "7")
        changed = stripe.PaymentIntent.modify(made.id, metadata={"order": "", "other": "8"})
        self.assertEqual(changed.metadata.to_dict(), {"other": "8"})

    def test_creates_and_retrieves_payouts(self):
        made = stripe.Payout.create(amount=500, currency="usd", metadata={"bank": "1"})
        self.assertEqual((made.amount, made.currency), (500, "usd"))
        self.assertEqual(stripe.Payout.retrieve(made.id).metadata.to_dict(), {"bank": "1"})

    def test_lists_page_after_page(self):
        ids = self.seed(25)
        listed = [each.id for each in stripe.PaymentIntent.list(limit=10).auto_paging_iter()]
        self.assertEqual(listed, ids[::-1])
        back = stripe.PaymentIntent.list(limit=10, ending_before=ids[0])
        self.assertEqual([each.id for each in back.auto_paging_iter()], ids[1:])
        self.assertEqual(self.requests().count(("GET", "/v1/payment_intents")), 3 + 3)

    def test_searches_page_after_page_and_expands_the_total_count(self):
        ids = self.seed(25)
        found = stripe.PaymentIntent.search(
            query='description~"a" OR -description:"zz"', limit=10, expand=["total_count"]
        )
        self.assertEqual(found.total_count, 25)
        self.assertEqual([each.id for each in found.auto_paging_iter()], ids[::-1])

    def test_raises_errors_of_the_expected_classes(self):
        def raised(kind, call):
            with self.assertRaises(kind) as caught:
                call()
            return caught.exception

        missing = raised(
            stripe.error.InvalidRequestError, lambda: stripe.PaymentIntent.retrieve("pi_none")
        )
        self.assertEqual((missing.http_status, missing.code), (404, "resource_missing"))
        self.assertIn("pi_none", missing.user_message)
        self.assertTrue(missing.request_id.startswith("req_"))
        wrong = raised(stripe.error.InvalidRequestError, lambda: stripe.PaymentIntent.list(limit=0))
        self.assertEqual((wrong.http_status, wrong.param), (400, "limit"))
        wrong = raised(
            stripe.error.InvalidRequestError,
            lambda: stripe.PaymentIntent.create(amount=250, currency="EUR"),
        )
        self.assertEqual((wrong.http_status, wrong.param), (400, "currency"))
        unknown = raised(
            stripe.error.AuthenticationError, lambda: stripe.Payout.list(api_key="sk_test_none")
        )
        self.assertEqual(unknown.http_status, 401)
        raised(stripe.error.PermissionError, lambda: self.injected("account_not_connected"))
        self.assertEqual(
            raised(stripe.error.RateLimitError, lambda: self.injected("rate_limit")).headers[
                "Service-Rate-Limited-Reason"
            ],
            "global-rate",
        )
        self.assertEqual(
            raised(stripe.error.APIError, lambda: self.injected("api_error")).http_status, 500
        )
        self.control("faults", {"fault": "truncated_body"})
        raised(stripe.error.APIError, stripe.Payout.list)
        self.control("faults", {"fault": "reset"})
        raised(stripe.error.APIConnectionError, lambda: stripe.Payout.create(amount=500, currency="eur"))

    def injected(self, error):
        self.control("faults", {"error": error})
        return stripe.Payout.list()

    def test_retries_when_configured_to(self):
        stripe.max_network_retries = 3
        self.control("faults", {"error": "api_error", "times": 2})
        self.assertEqual(stripe.Payout.list().data, [])
        self.assertEqual(self.requests().count(("GET", "/v1/payouts")), 3)

    def test_cannot_delete_an_account(self):
        with self.assertRaises(stripe.error.StripeError) as caught:
            stripe.Account.delete("acct_none")
        self.assertEqual(caught.exception.http_status, 405)


if __name__ == "__main__":
    unittest.main()
