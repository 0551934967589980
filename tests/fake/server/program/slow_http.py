"""Attacks tally-fake with slowhttptest, and prints whether it serves others meanwhile, and how its memory grows.
slow_http.py TALLY_FAKE"""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))

from served_fake import ServedFake  # noqa: E402

# Below the 1,024 connections that the server accepts: further ones wait, those of others too.
CONNECTIONS = 900
ATTACKS = {
    "slow headers": ["-H"],
    "slow bodies": ["-B", "-s", "100000"],
    "overlapping ranges": ["-R"],
    "slow reading": ["-X", "-k", "5", "-w", "1", "-y", "16", "-z", "8", "-n", "2"],
}


def peak(process):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


def attack(name, options):
    """Whether the service was available whenever slowhttptest looked."""
    with ServedFake(sys.argv[1], "--no-limits", "--records", "100") as fake:
        before = peak(fake.process)
        command = ["slowhttptest", *options, "-c", str(CONNECTIONS), "-r", "300", "-i", "3", "-l", "20", "-p", "3"]
        done = subprocess.run([*command, "-u", fake.url + "/v1/payment_records?limit=100"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300)
        told = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", done.stdout)
        answers = re.findall(r"service available:\s+(YES|NO)", told)
        most = max(map(int, re.findall(r"connected:\s+(\d+)", told)), default=0)
        ended = re.search(r"Test ended on (\d+)", told)
        print(f"{name:<20} connections {most:4}  others served {answers.count('YES')} of {len(answers)} times"
              f"  ended after {ended.group(1) if ended else '?'} s  memory +{peak(fake.process) - before:.1f} MiB", flush=True)
        return bool(answers) and "NO" not in answers


def main():
    served = [attack(name, options) for name, options in ATTACKS.items()]
    sys.exit(0 if all(served) else 1)


main()
