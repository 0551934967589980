"""Runs the programs of docs/from-libcurl.md against tally-fake: from_libcurl_test.py TALLY_FAKE FOLDER. Those with libcurl and
those with tally print the same, and the service sees the same."""

import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../support"))

import served  # noqa: E402

TALLY_FAKE, FOLDER = sys.argv[1:]
ACTS = ("POST",)


def run(fake, name, *operands):
    with fake.start(os.path.join(FOLDER, name), fake.url, *operands) as process:
        return fake.end_of(process)


def reports(fake):
    return [
        (request["operation"], request["status"], request["params"])
        for request in fake.requests()
        if request["method"] in ACTS
    ]


def report(kind):
    with served.TallyFake(TALLY_FAKE) as fake:
        payment = fake.insert(amount_requested={"currency": "eur", "value": 1000})
        assert run(fake, kind + "_report", payment) == (0, "1000 eur\n", "")
        status, told, problem = run(fake, kind + "_report", "pr_none")
        assert (status, told) == (1, "") and "pr_none" in problem, problem
        fake.control("faults", fault="response_lost")
        status, told, problem = run(fake, kind + "_report", payment)
        assert (status, told) == (1, "") and problem, problem
        return reports(fake)


def listing(kind):
    with served.TallyFake(TALLY_FAKE) as fake:
        fake.control("records", resource="payment_record", count=250, fields={"amount_requested": {"currency": "eur", "value": 3}})
        assert run(fake, kind + "_list") == (0, "750\n", "")
        assert len(fake.requests()) == 3
        fake.control("faults", error="api_error")
        assert run(fake, kind + "_list")[0] == 1


def lost_report(kind):
    with served.TallyFake(TALLY_FAKE) as fake:
        payment = fake.insert()
        act = {"operation": "payment_records.report_failed"}
        fake.control("faults", **act, error="lock_timeout")
        fake.control("faults", **act, fault="response_lost")
        assert run(fake, kind + "_lost_report", payment) == (0, "applied\n", "")
        other = fake.insert()
        fake.control("faults", **act, fault="reset")
        assert run(fake, kind + "_lost_report", other) == (0, "applied\n", "")
        assert run(fake, kind + "_lost_report", fake.insert(id="pr_done")) == (0, "applied\n", "")
        fake.insert(id="pr_refused")
        fake.control("faults", **act, error="payment_attempt_already_guaranteed")
        assert run(fake, kind + "_lost_report", "pr_refused") == (1, "not applied\n", "")
        return reports(fake)


def unclear_report(kind):
    with served.TallyFake(TALLY_FAKE) as fake:
        payment = fake.insert()
        if kind == "tally":
            fake.control("faults", operation="payment_records.retrieve", times=1)  # before it sends the report
        fake.control("faults", operation="payment_records.retrieve", fault="reset", times=100)
        fake.control("faults", operation="payment_records.report_failed", fault="response_lost", times=100)
        assert run(fake, kind + "_lost_report", payment) == (1, "not certain\n", "")


for task in (report, listing, lost_report, unclear_report):
    with_libcurl, with_tally = task("curl"), task("tally")
    assert with_libcurl == with_tally, f"{task.__name__}: {with_libcurl} is not {with_tally}"
print("the programs with libcurl and with tally do the same")
