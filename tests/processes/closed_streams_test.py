"""The programs keep their files and connections apart from closed standard streams, and fail if their output is lost.

closed_streams_test.py TALLY_FAKE TALLY_OUTBOX TALLY_REPORT
"""

import http.client
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

TALLY_FAKE, TALLY_OUTBOX, TALLY_REPORT = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
KEY = "sk_test_planted"
OUTPUT, ERRORS = 1, 2


class Service(http.server.BaseHTTPRequestHandler):
    """Refuses all requests, and notes what it receives beside their bodies."""

    def log_message(self, *_):
        pass

    def refuse(self):
        self.server.received.append(self.requestline)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b'{"error":{"type":"invalid_request_error","code":"resource_missing","message":"No."}}'
        self.send_response(404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = refuse
    protocol_version = "HTTP/1.1"


class ClosedStreams(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, *command, closed=(OUTPUT, ERRORS)):
        return subprocess.Popen(
            command,
            cwd=self.folder,
            preexec_fn=lambda: [os.close(stream) for stream in closed],
            env={**os.environ, "SHOP_KEY": KEY, "TALLY_API_KEY": KEY},
        )

    def serve(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
        server.received = []
        threading.Thread(target=server.serve_forever).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def test_leave_a_recording_as_it_is(self):
        upstream = self.serve()
        recorder = self.start(
            *(TALLY_FAKE, "record", "--port", "0", "--out", "run.har", "--ready-file", "ready"),
            *("--upstream", f"http://127.0.0.1:{upstream.server_port}"),
        )
        self.addCleanup(recorder.wait)
        self.addCleanup(recorder.kill)
        ready = self.folder / "ready"
        while not ready.exists() and recorder.poll() is None:
            pass
        url = json.loads(ready.read_text())["url"]
        client = http.client.HTTPConnection(url.split("//")[1])
        client.request("GET", "/v1/payouts")
        self.assertEqual(client.getresponse().status, 404)
        client.close()
        recorder.terminate()
        self.assertEqual(recorder.wait(), 0)
        recording = json.loads((self.folder / "run.har").read_text())
        self.assertEqual(len(recording["log"]["entries"]), 1)

    def test_leave_the_files_beside_a_journal_as_they_are(self):
        reports = "id,outcome,time\n" + "".join(f"pr_{row},failed,0\n" for row in range(3))
        (self.folder / "reports.csv").write_text(reports)
        run = self.start(TALLY_REPORT, "--url", f"http://127.0.0.1:{self.serve().server_port}", "reports.csv")
        self.assertEqual(run.wait(), 3, "not all rows were refused")
        self.assertEqual((self.folder / "reports.csv.journal.lock").read_text(), "")
        self.assertEqual(len((self.folder / "reports.csv.refused.csv").read_text().splitlines()), 4)

    def test_do_not_hide_the_address_of_a_server_if_they_are_full(self):
        (self.folder / "empty.har").write_text('{"log":{"version":"1.2","creator":{},"entries":[]}}')
        upstream = ("--upstream", "http://127.0.0.1:1")
        for command in ((), ("record", "--out", "run.har", *upstream), ("replay", "empty.har")):
            with open("/dev/full", "w", encoding="utf-8") as full:
                server = subprocess.Popen(
                    [TALLY_FAKE, *command, "--port", "0"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True
                )
            self.addCleanup(server.kill)
            said = server.stderr.readline()
            self.assertRegex(said, r"standard output can't be written; listening on http://127\.0\.0\.1:\d+$")
            server.terminate()
            server.communicate()
            self.assertEqual(server.returncode, 0)

    def test_fail_programs_that_only_print_if_they_are_full(self):
        fake = [[TALLY_FAKE], *([TALLY_FAKE, command] for command in ("compare", "fault-script", "record", "replay"))]
        commands = [[*program, "--help"] for program in (*fake, [TALLY_OUTBOX], [TALLY_REPORT])]
        commands += [[program, "--version"] for program in (TALLY_FAKE, TALLY_OUTBOX, TALLY_REPORT)]
        commands.append([TALLY_FAKE, "fault-script", "outage"])
        for command in commands:
            with open("/dev/full", "w", encoding="utf-8") as full:
                ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
            self.assertNotEqual(ended.returncode, 0, command)
            self.assertIn("standard output can't be written", ended.stderr, command)


if __name__ == "__main__":
    unittest.main()
