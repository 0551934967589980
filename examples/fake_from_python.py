"""Tests a client in another language against tally-fake, with only Python's standard library."""

import argparse
import json
import subprocess
import urllib.error
import urllib.parse
import urllib.request

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--program", default="tally-fake", help="the path of tally-fake")
arguments = parser.parse_args()


def call(path, body=None):
    request = urllib.request.Request(url + path, data=body, headers={"Authorization": "Bearer " + key})
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def post(path, **params):
    return call(path, urllib.parse.urlencode(params).encode())


def control(path, **fields):
    return call("/_fake/" + path, json.dumps(fields).encode())


with subprocess.Popen([arguments.program, "--port", "0"], stdout=subprocess.PIPE, text=True) as fake:
    try:
        # tally-fake listening on http://… account=acct_… live_key=… sandbox_key=…
        words = fake.stdout.readline().split()
        url, key = words[3], words[-1].removeprefix("sandbox_key=")

        payout = post("/v1/payouts", amount=500, currency="eur")
        print("created:", payout["amount"], payout["currency"])

        control("faults", operation="payouts.create", error="lock_timeout")
        try:
            post("/v1/payouts", amount=700, currency="eur")
        except urllib.error.HTTPError as refused:
            print("refused:", refused.code, json.load(refused)["error"]["code"])

        post("/v1/payouts", amount=700, currency="eur")
        print("payouts:", [payout["amount"] for payout in call("/v1/payouts")["data"]])
        print("requests:", [request["status"] for request in call("/_fake/requests")["requests"]])
    finally:
        fake.terminate()
