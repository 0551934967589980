"""Runs the programs of docs/from-official-clients.md against tally-fake: from_official_clients_test.py TALLY_FAKE FOLDER."""

import itertools
import os
import sys

try:
    import stripe
except ImportError:
    print("skipped: the package python3-stripe is not installed")
    sys.exit(77)

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../support"))

import served  # noqa: E402

TALLY_FAKE, FOLDER = sys.argv[1:]


def official(name):
    return [sys.executable, os.path.join(HERE, name)]


def tally(name):
    return [os.path.join(FOLDER, name)]


def run(fake, command, *operands):
    with fake.start(*command, fake.url, *operands) as process:
        return fake.end_of(process)


def expect(actual, expected):
    assert actual == expected, f"{actual} is not {expected}"


def same(task, *commands):
    first, second = (task(command) for command in commands)
    assert first == second, f"{task.__name__}: {first} is not {second}"


def payout(command):
    with served.TallyFake(TALLY_FAKE) as fake:
        expect(run(fake, command, "eur"), (0, "500 eur\n", ""))
        expect(run(fake, command, "EURO"), (1, "", "refused: currency\n"))
        # Newer versions of the official client try again by default.
        fake.control("faults", fault="reset", times=1 + getattr(stripe, "max_network_retries", 0))
        expect(run(fake, command, "usd"), (1, "", "no response\n"))
        # tally refuses the currency without sending a request.
        sent = [request["params"] for request in fake.requests() if request["status"] != 400]
        return [params for params, _ in itertools.groupby(sent)]


def failing_payout():
    """Not a refusal: the service may have paid out."""
    with served.TallyFake(TALLY_FAKE) as fake:
        fake.control("faults", error="api_error")
        status, told, problem = run(fake, tally("tally_payout"), "eur")
        assert (status, told) == (1, "") and "effect unknown" in problem, problem


def refused_payout():
    with served.TallyFake(TALLY_FAKE) as fake:
        fake.control("faults", operation="payouts.create", error="rate_limit", times=3)
        expect(run(fake, tally("tally_lost_payout")), (1, "not paid\n", ""))


def listing(command):
    with served.TallyFake(TALLY_FAKE) as fake:
        fake.control("records", resource="payout", count=250, fields={"amount": 3})
        expect(run(fake, command), (0, "750\n", ""))
        return [request["operation"] for request in fake.requests()]


def lost(command):
    """How many payouts there are after a lost response, and the keys with which they were requested."""
    with served.TallyFake(TALLY_FAKE) as fake:
        fake.control("faults", operation="payouts.create", fault="response_lost")
        expect(run(fake, command), (0, "paid\n", ""))
        created = [request for request in fake.requests() if request["operation"] == "payouts.create"]
        return len(created), [
            header["value"]
            for request in created
            for header in request["headers"]
            if header["name"].lower() == "idempotency-key"
        ]


same(payout, official("stripe_payout.py"), tally("tally_payout"))
failing_payout()
refused_payout()
same(listing, official("stripe_list.py"), tally("tally_payout_list"))
COUNT, KEYS = lost(official("stripe_lost_payout.py"))
assert COUNT == 2 and len(set(KEYS)) == 1, f"the page says: twice, with one key, not {COUNT}, {KEYS}"
assert lost(tally("tally_lost_payout")) == (1, [])
print("the programs with the official client and with tally do what the page says")
