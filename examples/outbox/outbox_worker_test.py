"""Runs outbox_worker on an outbox in SQLite: outbox_worker_test.py TALLY_FAKE TALLY_OUTBOX OUTBOX_WORKER. What was enqueued twice
with one key is applied once, and a second worker says why it can't work."""

import json
import os
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))

import served  # noqa: E402

DATABASE = "sqlite:outbox.db"
FAKE, OUTBOX, WORKER = sys.argv[1:]


def enqueue(fake, report):
    path = os.path.join(fake.folder.name, "reports.ndjson")
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(report) + "\n")
    fake.output(OUTBOX, "enqueue", "--database", DATABASE, "shop", path)


with served.TallyFake(FAKE) as fake:
    record = fake.insert(amount_requested={"currency": "eur", "value": 100})
    fake.output(OUTBOX, "migrate", "--database", DATABASE)
    for _ in range(2):
        enqueue(fake, {"id": record, "outcome": "failed", "time": 1767225600, "key": "order-1"})
    with fake.start(WORKER, DATABASE, fake.url) as worker:
        line = ""
        while not line.startswith("report applied"):
            line = fake.expect_no_key(worker.stdout.readline())
            assert line, worker.stderr.read()
        with fake.start(WORKER, DATABASE, fake.url) as second:
            status, _, problem = fake.end_of(second)
            assert status == 1 and "outbox.db" in problem, problem
        for name in os.listdir(fake.folder.name):
            with open(os.path.join(fake.folder.name, name), encoding="latin-1") as file:
                fake.expect_no_key(file.read())
        worker.send_signal(signal.SIGTERM)
        assert fake.end_of(worker)[0] == 0
    reports = [request for request in fake.requests() if "report" in request["operation"]]
    assert len(reports) == 1, reports
print("applied once")
