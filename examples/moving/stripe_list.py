"""Adds up all payouts with the official client for Python."""

import argparse
import os

import stripe

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("url", metavar="URL")
stripe.api_base = parser.parse_args().url
stripe.api_key = os.environ["TALLY_API_KEY"]

print(sum(payout.amount for payout in stripe.Payout.list(limit=100).auto_paging_iter()))
