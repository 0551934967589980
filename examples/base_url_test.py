"""Runs the programs that have --base-url against tally-fake: base_url_test.py TALLY_FAKE PROGRAM... The log of tally-fake
proves that each of them called it."""

import json
import os
import sys
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "support"))

import served  # noqa: E402


def asio_calls(program, fake):
    told = fake.output(program, "--base-url", fake.url)
    assert sorted(told.splitlines()) == ["2800 eur failed", "2900 eur failed", "3000 eur failed"], told
    return {"payment_records.list", "payment_records.report_failed", "payment_records.retrieve"}


def export_list(program, fake):
    fake.output(program, "--output", "orders.ndjson", "--base-url", fake.url)
    with open(os.path.join(fake.folder.name, "orders.ndjson"), encoding="utf-8") as file:
        orders = [json.loads(line)["metadata"]["order"] for line in fake.expect_no_key(file.read()).splitlines()]
    assert orders == [str(order) for order in range(30, 0, -1)], orders
    return {"payment_records.list"}


def search(program, fake):
    told = fake.output(program, "--base-url", fake.url)
    assert told.startswith("order 30: 3000 eur\n") and "4 in total" in told, told
    return {"payment_records.search"}


def metrics_endpoint(program, fake):
    with fake.start(program, "--base-url", fake.url) as process:
        try:
            with urllib.request.urlopen(process.stdout.readline().strip(), timeout=10) as response:
                metrics = fake.expect_no_key(response.read().decode())
        finally:
            process.terminate()
    assert 'tally_calls_total{operation="payment_records.list",outcome="ok"} 1' in metrics, metrics
    return {"payment_records.list"}


def check_unknown_key(program, fake):
    with fake.start(program, "--base-url", fake.url, key="sk_test_none") as process:
        problem = process.stderr.readline()
        process.terminate()
    assert "status 401" in problem, problem


FAKE, *PROGRAMS = sys.argv[1:]
TESTS = {"asio_calls": asio_calls, "export_list": export_list, "search": search, "metrics_endpoint": metrics_endpoint}
for PROGRAM in PROGRAMS:
    with served.TallyFake(FAKE) as STARTED:
        for ORDER in range(1, 31):
            STARTED.insert(
                amount_requested={"currency": "eur", "value": 100 * ORDER},
                metadata={"order": str(ORDER), "till": "right" if ORDER % 2 else "left"},
            )
        OPERATIONS = TESTS[os.path.basename(PROGRAM)](PROGRAM, STARTED)
        assert {request["operation"] for request in STARTED.requests()} == OPERATIONS
        check_unknown_key(PROGRAM, STARTED)
print(f"{len(PROGRAMS)} programs called tally-fake")
