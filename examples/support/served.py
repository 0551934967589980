"""tally-fake, for tests of programs that call it."""

import json
import os
import subprocess
import tempfile
import urllib.request


class TallyFake:
    """A tally-fake at a free port, and an empty folder in which programs run."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen([program, "--port", "0"], stdout=subprocess.PIPE, text=True)
        words = self.process.stdout.readline().split()
        self.url, self.key = words[3], words[-1].removeprefix("sandbox_key=")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.terminate()
        status = self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()
        assert status == 0, f"tally-fake ended with status {status}"

    def control(self, path, **fields):
        request = urllib.request.Request(
            self.url + "/_fake/" + path,
            data=json.dumps(fields).encode() if fields else None,
            headers={"Authorization": "Bearer " + self.key},
        )
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)

    def insert(self, **fields):
        return self.control("records", resource="payment_record", fields=fields)["ids"][0]

    def requests(self):
        return self.control("requests")["requests"]

    def start(self, *command, key=None):
        return subprocess.Popen(
            command,
            cwd=self.folder.name,
            env={**os.environ, "TALLY_API_KEY": key or self.key},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def expect_no_key(self, text):
        assert self.key not in text, text
        return text

    def end_of(self, process):
        """The status and the output of a program, which shows no key."""
        told, problems = process.communicate(timeout=60)
        return process.returncode, self.expect_no_key(told), self.expect_no_key(problems)

    def output(self, *command):
        with self.start(*command) as process:
            status, told, problems = self.end_of(process)
            assert status == 0, problems
            return told
