"""Pays out with the official client for Python."""

import argparse
import os
import sys

import stripe

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("url", metavar="URL")
parser.add_argument("currency", metavar="CURRENCY")
arguments = parser.parse_args()
stripe.api_base = arguments.url
stripe.api_key = os.environ["TALLY_API_KEY"]

try:
    payout = stripe.Payout.create(amount=500, currency=arguments.currency, metadata={"order": "42 & 43"})
except stripe.error.InvalidRequestError as error:
    sys.exit(f"refused: {error.param}")
except stripe.error.APIConnectionError:
    sys.exit("no response")
print(payout.amount, payout.currency)
