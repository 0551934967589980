#!/usr/bin/python3
"""Faults without a control request, against a running tally-fake: by a header, with urllib and curl, and by a fault script, also across a
restart with a saved state. faults_test.py TALLY_FAKE"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

from served_fake import ServedFake  # noqa: E402

PROGRAM = sys.argv.pop(1)


def read(fake, header=None):
    """The status of a list; 0 without a response."""
    request = urllib.request.Request(fake.url + "/v1/payment_records", headers={"Authorization": "Bearer " + fake.key})
    if header:
        request.add_header("Tally-Fake-Fault", header)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    except (urllib.error.URLError, ConnectionError):
        return 0


def outcome(*arguments):
    ended = subprocess.run([PROGRAM, "--port", "0", *arguments], capture_output=True, text=True, timeout=60)
    return ended.returncode, ended.stderr


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return path

    def test_are_injected_by_a_header_if_allowed(self):
        with ServedFake(PROGRAM, "--fault-header") as fake:
            self.assertEqual([read(fake, "response_lost; times=2") for _ in range(3)], [0, 0, 200])
            self.assertEqual([read(fake, "error=lock_timeout; times=1") for _ in range(2)], [429, 200])
            self.assertEqual(read(fake, 'status=503; body="{}"; retry_after=3'), 503)
            self.assertEqual(read(fake, "response_lost; tims=2"), 400)
            self.assertEqual(fake.control("GET", "faults"), {"faults": []})
            logged = fake.control("GET", "requests")["requests"]
            self.assertEqual([each["fault_from_header"] for each in logged], [True, True, False, True, False, True, False])
        with ServedFake(PROGRAM) as fake:
            self.assertEqual(read(fake, "response_lost"), 200)

    @unittest.skipUnless(shutil.which("curl"), "there is no curl")
    def test_make_curl_retry(self):
        with ServedFake(PROGRAM, "--fault-header") as fake:
            told = subprocess.run(
                ["curl", "-sS", "-u", fake.key + ":", "--retry", "3", "--retry-delay", "1", "--retry-max-time", "20"]
                + ["-H", "Tally-Fake-Fault: status=503; times=1", fake.url + "/v1/payment_records"],
                capture_output=True, text=True, check=True, timeout=60)
            self.assertEqual(json.loads(told.stdout)["object"], "list")
            self.assertEqual([each["status"] for each in fake.control("GET", "requests")["requests"]], [503, 200])

    def test_follow_a_script_in_each_account(self):
        with ServedFake(PROGRAM, "--virtual-clock", "--fault-script", "outage") as fake:
            self.assertEqual(read(fake), 0)
            fake.control("POST", "clock/advance", {"milliseconds": 150_000})
            self.assertEqual(read(fake), 200)
            fake.key = fake.control("POST", "accounts", {})["sandbox_key"]
            self.assertEqual(read(fake), 0)
            fake.control("POST", "reset", {})
            self.assertEqual(read(fake), 0)

    def test_continue_after_a_restart(self):
        script = self.file("script.json", '{"name":"mine","steps":[{"for_ms":60000,"error":"api_error"},'
                                          '{"at_ms":60000,"for_ms":60000,"limit":"global_rate","value":0}]}')
        state = os.path.join(self.folder.name, "state.json")
        arguments = ["--virtual-clock", "--state", state, "--fault-header", "--fault-script", script]
        with ServedFake(PROGRAM, *arguments) as fake:
            fake.control("POST", "clock/advance", {"milliseconds": 30_000})
            self.assertEqual(read(fake), 500)
            self.assertEqual(read(fake, "reset; times=2"), 0)
        with ServedFake(PROGRAM, *arguments) as fake:
            self.assertEqual([read(fake, "reset; times=2") for _ in range(2)], [0, 500])
            self.assertEqual(len(fake.control("GET", "fault_scripts")["scripts"]), 1)
            fake.control("POST", "clock/advance", {"milliseconds": 40_000})
            self.assertEqual(read(fake), 429)
            fake.control("POST", "clock/advance", {"milliseconds": 60_000})
            self.assertEqual(read(fake), 200)

    def test_are_refused_in_one_line_if_their_script_is_invalid(self):
        bad = self.file("bad.json", '{"steps":[{"for_ms":1,"fault":"rest"}]}')
        self.assertEqual(outcome("--fault-script", bad),
                         (1, f"tally-fake: {bad}: steps[0].fault: unknown fault 'rest'; did you mean 'reset'?\n"))
        unknown = self.file("unknown.json", '{"steps":[{"for_ms":1,"limit":"global_rat"}]}')
        self.assertEqual(outcome("--fault-script", unknown),
                         (1, f"tally-fake: {unknown}: steps[0]: unknown limit 'global_rat'; did you mean 'global_rate'?\n"))
        self.assertEqual(outcome("--fault-script", "outrage"),
                         (1, "tally-fake: can't read outrage: No such file or directory; did you mean 'outage'?\n"))

    def test_can_follow_a_printed_ready_made_script(self):
        printed = subprocess.run([PROGRAM, "fault-script", "outage"], capture_output=True, text=True, check=True).stdout
        with ServedFake(PROGRAM, "--virtual-clock", "--fault-script", self.file("mine.json", printed)) as fake:
            self.assertEqual(read(fake), 0)
            self.assertEqual(fake.control("GET", "fault_scripts")["scripts"][0]["name"], "outage")

    def test_can_be_derived_from_a_recording(self):
        entry = '{"startedDateTime":"2026-03-01T00:00:%02d.000Z","time":20,"request":{"method":"GET","url":"/v1/payment_records"},' \
                '"response":{"status":%d,"content":{"text":"{}"}}}'
        entries = ",".join(entry % (second, 503 if second < 30 else 200) for second in range(60))
        recording = self.file("run.har", '{"log":{"version":"1.2","entries":[' + entries + "]}}")
        printed = subprocess.run([PROGRAM, "fault-script", recording], capture_output=True, text=True, check=True).stdout
        with ServedFake(PROGRAM, "--virtual-clock", "--fault-script", self.file("derived.json", printed)) as fake:
            self.assertEqual(read(fake), 503)
            fake.control("POST", "clock/advance", {"milliseconds": 30_000})
            self.assertEqual(read(fake), 200)

    def test_are_refused_in_one_line_if_their_recording_is_unusable(self):
        def refused(*arguments):
            ended = subprocess.run([PROGRAM, "fault-script", *arguments], capture_output=True, text=True)
            self.assertEqual(ended.stdout, "")
            self.assertEqual(ended.stderr.count("\n"), 1)
            return ended.returncode, ended.stderr.strip()

        status, told = refused("outrage")
        self.assertEqual(status, 1)
        self.assertTrue(told.endswith("can't read outrage: No such file or directory; did you mean 'outage'?"), told)
        self.assertEqual(refused(self.file("no.har", "[]"))[0], 1)
        self.assertEqual(refused(self.file("empty.har", '{"log":{"entries":[]}}'))[0], 1)
        self.assertEqual(refused()[0], 2)
        see_help = "; see tally-fake fault-script --help"
        for arguments, unexpected in ((["--help-me"], "--help-me"), (["a", "b"], "b"), (["a", "--seed"], "--seed")):
            told = f"tally-fake fault-script: unexpected argument '{unexpected}'{see_help}"
            self.assertEqual(refused(*arguments), (2, told))


if __name__ == "__main__":
    unittest.main()
