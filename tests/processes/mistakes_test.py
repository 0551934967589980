"""Makes mistakes that users make, and compares what they read with this list. With --print, also prints it.

Arguments: the programs tally-fake and tally-outbox, and examples/project.
"""

import contextlib
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "fake/server/support"))
from served_fake import ServedFake

FAKE, OUTBOX, PROJECT = sys.argv[1:4]
PRINTS = "--print" in sys.argv


def run(program, *arguments, **variables):
    """The exit status, and what the program prints."""
    clean = {name: value for name, value in os.environ.items() if not re.search("proxy|^TALLY_(?!MUTANT)|^PG", name, re.I)}
    done = subprocess.run([program, *arguments], env=clean | variables, capture_output=True, text=True, timeout=60)
    return done.returncode, (done.stdout + done.stderr).rstrip("\n")


class Place:
    """What the mistakes are made with."""

    def __init__(self, fake, tls, folder):
        self.fake, self.tls, self.folder = fake, tls, folder
        self.port, self.tls_port = (each.url.rsplit(":", 1)[1] for each in (fake, tls))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.closed_port = free.getsockname()[1]

    def file(self, content):
        self.path = self.folder / "file.json"
        self.path.write_text(content)
        return str(self.path)

    def project(self, *ids, url=None, key=None):
        return run(PROJECT, *ids, TALLY_BASE_URL=self.fake.url if url is None else url,
                   TALLY_API_KEY=self.fake.key if key is None else key)

    def control(self, method, path, body=None):
        answer = self.fake.open(method, path, None if body is None else body.encode(), "application/json", 60)
        return 0, re.search(r'"message":"((?:[^"\\]|\\.)*)"', answer)[1]

    def outbox(self, *arguments):
        return run(OUTBOX, *arguments, "--database", f"sqlite:{self.folder}/outbox.db")


# Each row: the mistake, how to make it, the exit status, and what the user reads. {name} is a member of the Place.
MISTAKES = [
    # The client
    ("server down", lambda at: at.project(url=f"http://127.0.0.1:{at.closed_port}"), 1,
     "payment_records.list: connection failure: could not connect to 127.0.0.1:{closed_port}: Connection refused; check baseUrl, and "
     "whether the service is running there [attempts 1, effect none]"),
    ("unknown host", lambda at: at.project(url="https://no-such-host.invalid"), 1,
     "payment_records.list: connection failure: could not resolve no-such-host.invalid:443; check baseUrl, and whether this machine can "
     "resolve names [attempts 1, effect none]"),
    ("TLS to a plain port", lambda at: at.project(url=f"https://127.0.0.1:{at.port}"), 1,
     "payment_records.list: connection failure: could not connect: *; does the server speak plain HTTP? If so, its URL starts with http:// "
     "[attempts 1, effect none]"),
    ("plain HTTP to a TLS port", lambda at: at.project(url=f"http://127.0.0.1:{at.tls_port}"), 1,
     "payment_records.list: invalid request: this server speaks TLS; use https://. [status 400, code parameter_invalid, *]"),
    ("untrusted certificate", lambda at: at.project(url=f"https://127.0.0.1:{at.tls_port}"), 1,
     "payment_records.list: connection failure: TLS failure: SSL certificate problem: self-signed certificate; if this authority is "
     "yours, name it in CurlTransportOptions::caFile [attempts 1, effect none]"),
    ("plain HTTP to another machine", lambda at: at.project(url="http://payments.example"), 1,
     "payment_records.list: invalid parameter: plain http:// would expose the API key; use https://, or set "
     "CurlTransportOptions::allowPlainHttp [param baseUrl, effect none]"),
    ("no URL", lambda at: at.project(url=""), 1,
     "TALLY_BASE_URL is not set: set it to the address of the service"),
    ("URL without scheme", lambda at: at.project(url="127.0.0.1:80"), 1,
     "TALLY_BASE_URL must begin with https:// or http://"),
    ("/v1 in the URL", lambda at: at.project(url=at.fake.url + "/v1"), 1,
     "payment_records.list: not found: There is no operation GET /v1/v1/payment_records. [status 404, code path_unknown, *]"),
    ("no key", lambda at: at.project(key=""), 1,
     "TALLY_API_KEY is not set: set it to a secret API key or an OAuth access token"),
    ("unknown key", lambda at: at.project(key="sk_test_other"), 1,
     "payment_records.list: not authenticated: The API key does not belong to any account. [status 401, code key_unknown, *]"),
    ("unknown record", lambda at: at.project("pr_other"), 1,
     "payment_records.retrieve: not found: There is no payment record 'pr_other'. [status 404, code resource_missing, *]"),
    # tally-fake
    ("misspelled option", lambda at: run(FAKE, "--recrods=3"), 2,
     "tally-fake: unknown argument '--recrods'; did you mean '--records'? See tally-fake --help"),
    ("unknown option", lambda at: run(FAKE, "--daemonize"), 2, "tally-fake: unknown argument '--daemonize'; see tally-fake --help"),
    ("port without its option", lambda at: run(FAKE, "8080"), 2, "tally-fake: unknown argument '8080'; see tally-fake --help"),
    ("option without value", lambda at: run(FAKE, "--port"), 2, "tally-fake: --port needs a value; see tally-fake --help"),
    ("port in use", lambda at: run(FAKE, "--port", at.port), 1,
     "tally-fake: can't listen on 127.0.0.1 port {port} (choose another port, or 0 for any free one): Address already in use"),
    ("host name as address", lambda at: run(FAKE, "--address", "localhost"), 1,
     "tally-fake: can't listen on localhost port 7878 (use an IP address of this machine, such as 127.0.0.1, 0.0.0.0 or ::1): Invalid "
     "argument"),
    ("corrupted state file", lambda at: run(FAKE, "--state", at.file('{"version":')), 1,
     "tally-fake: {path}: line 1, column 12: this is not JSON (incomplete JSON); repair the file, or move it away to begin with a new state"),
    ("another file as state", lambda at: run(FAKE, "--state", at.file("{}")), 1,
     "tally-fake: {path}: version: missing; repair the file, or move it away to begin with a new state"),
    ("state in a missing folder", lambda at: run(FAKE, "--state", "/no-such-folder/state"), 1,
     "tally-fake: can't keep the state in /no-such-folder/state: no file can be created in its folder /no-such-folder: No such file or "
     "directory; create the folder, or name another file with --state"),
    ("misspelled member of a scenario", lambda at: run(FAKE, "--scenario", at.file('{"accounts":[{"fautls":[]}]}')), 1,
     "tally-fake: {path}: accounts[0].fautls: unknown field; did you mean 'faults'?"),
    ("unknown member of a scenario", lambda at: run(FAKE, "--scenario", at.file('{"users":[]}')), 1,
     "tally-fake: {path}: users: unknown field; expected one of accounts"),
    ("unknown resource in a scenario", lambda at: run(FAKE, "--scenario", at.file('{"accounts":[{"records":[{"resource":"payment"}]}]}')), 1,
     "tally-fake: {path}: accounts[0].records[0]: unknown resource 'payment'; did you mean 'payment_intent'?"),
    # The control API
    ("misspelled fault", lambda at: at.control("POST", "/_fake/faults", '{"fault":"respons_lost"}'), 0,
     "fault: unknown fault 'respons_lost'; did you mean 'response_lost'?"),
    ("unknown fault", lambda at: at.control("POST", "/_fake/faults", '{"fault":"fire"}'), 0,
     "fault: unknown fault 'fire'; expected one of none, connection_refused, reset, response_lost, truncated_body, "
     "garbled_body, empty_page, error_after_processing."),
    ("misspelled field", lambda at: at.control("POST", "/_fake/faults", '{"fault":"reset","operatoin":"payouts.create"}'), 0,
     "operatoin: unknown field; did you mean 'operation'?"),
    ("unknown operation", lambda at: at.control("POST", "/_fake/faults", '{"fault":"reset","operation":"payouts.make"}'), 0,
     "a fault rule names an unknown operation 'payouts.make'; did you mean 'payouts.create'?"),
    ("unknown error", lambda at: at.control("POST", "/_fake/faults", '{"error":"lock_timout"}'), 0,
     "a fault rule names an unknown error 'lock_timout'; did you mean 'lock_timeout'?"),
    ("misspelled parameter", lambda at: at.control("GET", "/_fake/requests?opreation=payouts.create"), 0,
     "opreation: unknown parameter; did you mean 'operation'?"),
    ("misspelled path", lambda at: at.control("POST", "/_fake/falts", "{}"), 0,
     "There is no operation POST /_fake/falts; did you mean '/_fake/faults'?"),
    ("truncated body", lambda at: at.control("POST", "/_fake/faults", '{"fault":'), 0,
     "line 1, column 10: this is not JSON (incomplete JSON)."),
    # tally-outbox
    ("misspelled command", lambda at: at.outbox("wrok"), 2, "tally-outbox: unknown command 'wrok'; did you mean 'work'? See tally-outbox --help"),
    ("unknown command", lambda at: at.outbox("send"), 2,
     "tally-outbox: unknown command 'send'; expected one of migrate, work, status, failed, blocked, requests, enqueue, retry, cancel, release, pause, "
     "resume, limit-waiting, erase, help; see tally-outbox --help"),
    ("misspelled option of a worker", lambda at: at.outbox("work", "--domian", "shop=KEY"), 2,
     "tally-outbox: unknown option '--domian'; did you mean '--domain'? See tally-outbox --help"),
    ("no database", lambda at: run(OUTBOX, "status"), 2,
     "tally-outbox: status needs --database URL, or TALLY_OUTBOX_DATABASE in the environment, such as postgresql://host/name; see "
     "tally-outbox --help"),
]


def fits(printed, expected):
    return re.fullmatch(re.escape(expected).replace(r"\*", "[^\n]*"), printed) is not None


def certificate(folder):
    """A self-signed one, and its key."""
    files = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-out", files[0], "-keyout", files[1]],
                   check=True, capture_output=True)
    return "--tls-cert", files[0], "--tls-key", files[1]


def main():
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        at = Place(stack.enter_context(ServedFake(FAKE)), stack.enter_context(ServedFake(FAKE, *certificate(folder))), folder)
        wrong = 0
        for mistake, make, status, says in MISTAKES:
            got, printed = make(at)
            expected = re.sub(r"\{([a-z_]+)\}", lambda name: str(getattr(at, name[1])), says)
            if PRINTS:
                print(f"{mistake} ({got})\n  {printed}")
            if got != status or not fits(printed, expected):
                wrong += 1
                print(f"{mistake}: expected status {status} and\n  {expected}\nbut got {got} and\n  {printed}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


main()
