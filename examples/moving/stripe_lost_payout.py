"""Pays out with the official client for Python, and repeats the request if the response is lost."""

import argparse
import os

import stripe

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("url", metavar="URL")
stripe.api_base = parser.parse_args().url
stripe.api_key = os.environ["TALLY_API_KEY"]
stripe.max_network_retries = 2  # repeats the request with the same Idempotency-Key

stripe.Payout.create(amount=500, currency="eur", metadata={"reference": "r-1"})
print("paid")
