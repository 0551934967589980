"""The programs that have keys leave no core file. core_files_test.py TALLY_FAKE TALLY_OUTBOX TALLY_REPORT"""

import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

TALLY_FAKE, TALLY_OUTBOX, TALLY_REPORT = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
KEY = "sk_test_planted"


def allow_core_files():
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


class NoCoreFile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        if not self.left_by(self.start("/bin/sleep", "600")):
            self.skipTest("this system writes no core files")

    def start(self, *command):
        process = subprocess.Popen(command, cwd=self.folder, preexec_fn=allow_core_files, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   env={**os.environ, "SHOP_KEY": KEY, "TALLY_API_KEY": KEY}, text=True)
        self.addCleanup(process.stdout.close)
        return process

    def left_by(self, process):
        """Whether the process leaves a core file when it is aborted."""
        process.send_signal(signal.SIGABRT)
        _, status = os.waitpid(process.pid, 0)
        process.returncode = -os.WTERMSIG(status)
        self.assertEqual(process.returncode, -signal.SIGABRT)
        files = [name for name in os.listdir(self.folder) if name.startswith("core")]
        for name in files:
            os.remove(os.path.join(self.folder, name))
        return os.WCOREDUMP(status) or bool(files)

    def test_is_left_by_tally_fake(self):
        process = self.start(TALLY_FAKE, "--port", "0")
        process.stdout.readline()
        self.assertFalse(self.left_by(process))

    def test_is_left_by_a_recording_tally_fake(self):
        process = self.start(TALLY_FAKE, "record", "--upstream", "http://127.0.0.1:1", "--out", "run.har", "--port", "0")
        process.stdout.readline()
        self.assertFalse(self.left_by(process))

    def test_is_left_by_tally_outbox(self):
        with socket.create_server(("127.0.0.1", 0)) as database:
            url = f"postgresql://shop:{KEY}@127.0.0.1:{database.getsockname()[1]}/shop"
            process = self.start(TALLY_OUTBOX, "work", "--database", url, "--domain", "shop=SHOP_KEY", "--base-url", "http://127.0.0.1:1")
            with database.accept()[0]:
                self.assertFalse(self.left_by(process))

    def test_is_left_by_tally_report(self):
        reports = os.path.join(self.folder, "reports.csv")
        os.mkfifo(reports)
        process = self.start(TALLY_REPORT, "--url", "http://127.0.0.1:1", reports)
        with open(reports, "w", encoding="utf-8"):  # waits until the program opens it
            self.assertFalse(self.left_by(process))


if __name__ == "__main__":
    unittest.main()
