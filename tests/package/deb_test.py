"""Builds the Debian package of tally-fake, and uses it as docs/continuous-integration.md describes."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

CPACK, BUILD, SOURCE = sys.argv[1:]
SCRIPT = os.path.join(SOURCE, "examples", "ci", "run_with_fake.sh")
FILES = {"/etc/default/tally-fake", "/usr/bin/tally-fake", "/usr/lib/systemd/system/tally-fake.service",
         "/usr/share/doc/tally-fake/copyright", "/usr/share/doc/tally-fake/tally-fake.md"}


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def contents(package):
    lines = output("dpkg-deb", "--contents", package).splitlines()
    return {line.split()[5][1:]: line.split()[0] for line in lines if not line.endswith("/")}


def check_package(package):
    """It has exactly its files, and needs the libraries of the program."""
    found = contents(package)
    assert set(found) == FILES, found
    assert found["/usr/bin/tally-fake"] == "-rwxr-xr-x", found
    assert "libboost-json1.81" in output("dpkg-deb", "--field", package, "Depends")
    assert output("dpkg-deb", "--info", package, "conffiles").split() == ["/etc/default/tally-fake"]


def check_unit(root):
    """It starts the program with options that the program has, and systemd knows each setting."""
    with open(f"{root}/usr/lib/systemd/system/tally-fake.service", encoding="utf-8") as file:
        start = re.search(r"^ExecStart=(.*)$", file.read(), re.M).group(1)
    assert start.startswith("/usr/bin/tally-fake "), start
    known = output(f"{root}/usr/bin/tally-fake", "--help")
    for option in re.findall(r"--[a-z-]+", start):
        assert f"  {option} " in known, option
    if shutil.which("systemd-analyze"):
        verified = subprocess.run(["systemd-analyze", "verify", f"--root={root}", "tally-fake.service"],
                                  stderr=subprocess.PIPE, text=True).stderr
        assert not re.search("Unknown|parse", verified), verified


def run(root, folder, *command):
    """Runs the script of the page with the program of the package."""
    environment = dict(os.environ, PATH=f"{root}/usr/bin:{os.environ['PATH']}")
    return subprocess.run([SCRIPT, *command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=120)


@contextlib.contextmanager
def served(root, *options):
    """A tally-fake of the package, and what it says about itself."""
    process = subprocess.Popen([f"{root}/usr/bin/tally-fake", "--port", "0", *options], stdout=subprocess.PIPE, text=True)
    try:
        words = process.stdout.readline().split()
        yield {"url": words[3], **dict(word.split("=") for word in words[4:])}
    finally:
        process.terminate()
        process.wait()


def ask(url, **options):
    with urllib.request.urlopen(urllib.request.Request(url, **options), timeout=60) as response:
        return json.load(response)


REQUEST = 'curl --silent --user "$PAYMENTS_KEY:" "$PAYMENTS_URL/v1/payouts"'


def check_job(root, folder):
    passed = run(root, folder, "sh", "-c", REQUEST)
    assert passed.returncode == 0 and json.loads(passed.stdout)["object"] == "list", passed
    assert os.listdir(folder) == [], "a job that passes leaves nothing"

    failed = run(root, folder, "sh", "-c", REQUEST + "; exit 7")
    assert failed.returncode == 7, failed
    with open(f"{folder}/tally-fake-report/requests.json", encoding="utf-8") as file:
        assert [each["operation"] for each in json.load(file)["requests"]] == ["payouts.list"]
    with open(f"{folder}/tally-fake-report/export.json", encoding="utf-8") as file:
        exported = file.read().encode()
    with served(root, "--seed", "2") as told:
        assert ask(told["url"] + "/_fake/import", data=exported)["accounts"], "a developer can look into the state"

    with open(f"{folder}/tally-fake", "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho no port is free >&2\nexit 1\n")
    os.chmod(f"{folder}/tally-fake", 0o755)
    environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
    broken = subprocess.run([SCRIPT, "true"], env=environment, stderr=subprocess.PIPE, text=True, timeout=120)
    assert (broken.returncode, broken.stderr) == (1, "no port is free\n"), broken


def check_compose(root):
    """The options of the container are valid, and its key is the one of that seed."""
    with open(os.path.join(SOURCE, "examples", "ci", "compose.yaml"), encoding="utf-8") as file:
        compose = file.read()
    command = json.loads(re.search(r"command: (\[.*\])", compose).group(1))
    key = re.search(r"PAYMENTS_KEY: (\S+)", compose).group(1)
    with served(root, *command) as told:
        assert told["sandbox_key"] == key, told
        assert ask(told["url"] + "/_fake/health", headers={"Host": "fake:7878"})["status"] == "ok"


def main():
    missing = [each for each in ("dpkg-deb", "dpkg-shlibdeps", "curl") if not shutil.which(each)]
    if missing:
        print("skipped: there is no", missing[0])
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="tally-deb-") as folder:
        output(CPACK, "--config", f"{BUILD}/CPackConfig.cmake", "-B", f"{folder}/packed")
        (package,) = [f"{folder}/packed/{each}" for each in os.listdir(f"{folder}/packed") if each.endswith(".deb")]
        root = f"{folder}/root"
        output("dpkg-deb", "--extract", package, root)
        job = f"{folder}/job"
        os.mkdir(job)
        check_package(package)
        check_unit(root)
        check_job(root, job)
        check_compose(root)


main()
