"""Kills export_list at many bytes of its output, and runs it again: no record is lost or repeated."""

import os
import resource
import signal
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]


def export(path, most_bytes=resource.RLIM_INFINITY):
    def limits():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY))

    return subprocess.run([PROGRAM, "--output", path], preexec_fn=limits, stdout=subprocess.DEVNULL).returncode


with tempfile.TemporaryDirectory() as folder:
    whole, killed = (os.path.join(folder, name) for name in ("whole", "killed"))
    assert export(whole) == 0
    with open(whole, "rb") as file:
        expected = file.read()
    assert len(set(expected.splitlines())) == 450

    # The kernel kills the program when it writes past the limit, in the middle of a line.
    for part in (0.1, 0.15, 0.5, 0.9):
        assert export(killed, int(len(expected) * part)) == -signal.SIGXFSZ
    assert export(killed) == 0
    with open(killed, "rb") as file:
        assert file.read() == expected, "lines were lost or repeated"
    assert export(killed) == 0, "a complete export has nothing to add"
    assert os.path.getsize(killed) == len(expected)
