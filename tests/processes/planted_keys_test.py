"""Keys planted in everything that the programs are given: nothing that they print or write contains one, except what is meant to:
the greeting and the state file of tally-fake. planted_keys_test.py TALLY_FAKE TALLY_OUTBOX TALLY_REPORT"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

TALLY_FAKE, TALLY_OUTBOX, TALLY_REPORT = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
SECRET = "plantedKeyThatNothingShows"
KEYS = ["sk_live_" + SECRET, "sk_test_" + SECRET]
PASSWORD = SECRET + "Password"


def run(*command, **environment):
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)


class PlantedKeys(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def expect_absent(self, text, secret=SECRET):
        self.assertNotIn(secret, text)

    def expect_refused(self, *command, **environment):
        ended = run(*command, **environment)
        self.assertNotEqual(ended.returncode, 0, command)
        self.assertNotEqual(ended.stderr, "", command)
        self.expect_absent(ended.stdout + ended.stderr)

    def test_are_absent_from_errors_about_arguments(self):
        for program in (TALLY_OUTBOX, TALLY_REPORT, TALLY_FAKE):
            for key in KEYS:
                for arguments in (["--api-key", key], ["--api-key=" + key], [key, key], ["--key", key, "--help=" + key]):
                    self.expect_refused(program, *arguments)
        for key in KEYS:
            for command in ("record", "replay", "compare", "fault-script"):
                self.expect_refused(TALLY_FAKE, command, "--key", key, key)
                self.expect_refused(TALLY_FAKE, command, key)
            for option in ("--port", "--seed", "--address"):
                self.expect_refused(TALLY_FAKE, option, key)
            self.expect_refused(TALLY_REPORT, "--rate", key, "x.csv")
            self.expect_refused(TALLY_OUTBOX, "work", "--database", "x", "--domain", "shop=" + key)
            self.expect_refused(TALLY_OUTBOX, "work", "--lease", key)

    def test_are_absent_from_help(self):
        for command in ([TALLY_FAKE], [TALLY_FAKE, "record"], [TALLY_FAKE, "replay"], [TALLY_FAKE, "compare"], [TALLY_OUTBOX], [TALLY_REPORT]):
            ended = run(*command, "--help", TALLY_API_KEY=KEYS[0], SHOP_KEY=KEYS[0], PGPASSWORD=PASSWORD)
            self.assertEqual(ended.returncode, 0, command)
            self.expect_absent(ended.stdout + ended.stderr)

    def test_are_absent_from_errors_about_unusable_keys(self):
        for text in (KEYS[0] + " and more", KEYS[0] + "\n" + KEYS[1], "\x01" + KEYS[0]):
            file = self.write("key", text)
            work = [TALLY_OUTBOX, "work", "--database", "postgresql://127.0.0.1:1/x", "--base-url", "http://127.0.0.1:1"]
            self.expect_refused(*work, "--domain", "shop=@" + file)
            self.expect_refused(*work, "--domain", "shop=SHOP_KEY", SHOP_KEY=text)
            csv = self.write("reports.csv", "id,outcome,time\npr_1,failed,1730000000\n")
            if not text.isprintable():  # otherwise it could be a key
                self.expect_refused(TALLY_REPORT, "--url", "http://127.0.0.1:1", csv, TALLY_API_KEY=text)

    def test_are_absent_from_errors_about_databases(self):
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        for url in (f"postgresql://shop:{PASSWORD}@127.0.0.1:{port}/shop", f"host=127.0.0.1 port={port} user=shop password={PASSWORD}",
                    f"postgresql://shop:{PASSWORD}@nowhere.invalid/shop", f"postgresql://shop:{PASSWORD}@127.0.0.1:{port}/shop?unknown=1",
                    f"postgresql://shop:{PASSWORD}@127.0.0.1:99999999/shop", f"user=shop password='{PASSWORD}"):
            self.expect_refused(TALLY_OUTBOX, "status", "--database", url)

    def test_are_absent_from_errors_about_tls_keys(self):
        text = f"-----BEGIN PRIVATE KEY-----\n{SECRET}\n-----END PRIVATE KEY-----\n"
        file = self.write("key.pem", text)
        self.expect_refused(TALLY_FAKE, "--port", "0", "--tls-cert", file, "--tls-key", file)

    def test_are_absent_from_reports_and_recordings(self):
        """Keys of the fake, in the output, the journal, the refused rows, the recording, and its comparison."""
        fake = subprocess.Popen([TALLY_FAKE, "--port", "0", "--records", "3", "--state", self.path("state.json")],
                                stdout=subprocess.PIPE, text=True)
        self.addCleanup(fake.stdout.close)
        self.addCleanup(fake.kill)
        told = fake.stdout.readline().split()
        keys = [word.split("=")[1] for word in told if "_key=" in word]
        url = next(word for word in told if word.startswith("http"))
        recorder = subprocess.Popen([TALLY_FAKE, "record", "--upstream", url, "--out", self.path("run.har"), "--port", "0"],
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(recorder.stdout.close)
        self.addCleanup(recorder.kill)
        greeting = recorder.stdout.readline()
        proxy = greeting.split()[-1]
        request = urllib.request.Request(proxy + "/v1/payment_records?key=" + keys[0], headers={"Authorization": "Bearer " + keys[1]})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=60)
        refused.exception.close()
        request = urllib.request.Request(proxy + "/v1/payment_records", headers={"Authorization": "Bearer " + keys[1]})
        with urllib.request.urlopen(request, timeout=60) as page:
            ids = [record["id"] for record in json.load(page)["data"]]
        rows = "".join(f"{name},failed,1730000000\n" for name in [*ids, "pr_missing"])
        csv = self.write("reports.csv", "id,outcome,time\n" + rows)
        reported = run(TALLY_REPORT, "--url", proxy, csv, TALLY_API_KEY=keys[1])
        self.assertEqual(reported.returncode, 3, reported.stderr)
        for process in (recorder, fake):
            process.terminate()
        rest = recorder.stdout.read()
        recorder.wait()
        fake.wait()
        compared = run(TALLY_FAKE, "compare", self.path("run.har"))
        printed = [greeting, rest, reported.stdout, reported.stderr, compared.stdout, compared.stderr]
        for name in os.listdir(self.folder):
            with open(self.path(name), encoding="utf-8", errors="replace") as file:
                contents = file.read()
            if name.startswith("state.json"):
                self.assertIn(keys[1], contents)  # it has the accounts of the fake, with their keys, which are not secret
            else:
                printed.append(contents)
        self.assertGreaterEqual(len(printed), 9)
        for text in printed:
            for key in keys:
                self.expect_absent(text, key)


if __name__ == "__main__":
    unittest.main()
