"""Builds the Debian packages of the programs, and uses tally-fake as docs/tally-fake.md describes."""

import contextlib
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

CPACK, BUILD, SOURCE = sys.argv[1:]
SCRIPT = os.path.join(SOURCE, "examples", "ci", "run_with_fake.sh")


def files_of(program):
    files = {f"/etc/default/{program}", f"/usr/bin/{program}", f"/usr/lib/systemd/system/{program}.service",
             f"/usr/share/doc/{program}/changelog.gz", f"/usr/share/doc/{program}/copyright",
             f"/usr/share/doc/{program}/{program}.md", f"/usr/share/lintian/overrides/{program}",
             f"/usr/share/man/man1/{program}.1.gz"}
    pages = {"/usr/share/doc/tally-fake/record-and-compare.md", "/usr/share/doc/tally-fake/reference/control-api.md"}
    return files | (pages if program == "tally-fake" else set())


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def contents(package):
    lines = output("dpkg-deb", "--contents", package).splitlines()
    return {line.split()[5][1:]: line.split()[0] for line in lines if not line.endswith("/")}


def check_package(package, program, summary, libraries):
    """It has exactly its files, and needs the libraries of the program."""
    found = contents(package)
    assert set(found) == files_of(program), found
    assert found[f"/usr/bin/{program}"] == "-rwxr-xr-x", found
    needed = output("dpkg-deb", "--field", package, "Depends")
    assert all(library in needed for library in libraries), needed
    assert output("dpkg-deb", "--field", package, "Description").splitlines()[0] == summary
    assert output("dpkg-deb", "--info", package, "conffiles").split() == [f"/etc/default/{program}"]
    return found


def verify_unit(root, name):
    """Systemd knows each setting."""
    if shutil.which("systemd-analyze"):
        verified = subprocess.run(["systemd-analyze", "verify", f"--root={root}", name],
                                  stderr=subprocess.PIPE, text=True).stderr
        assert not re.search("Unknown|parse", verified), verified


def check_fake_unit(root):
    """It starts the program with options that the program has."""
    with open(f"{root}/usr/lib/systemd/system/tally-fake.service", encoding="utf-8") as file:
        unit = file.read()
    start = re.search(r"^ExecStart=(.*)$", unit, re.M).group(1)
    assert start.startswith("/usr/bin/tally-fake "), start
    known = output(f"{root}/usr/bin/tally-fake", "--help")
    for option in re.findall(r"--[a-z-]+", start):
        assert f"  {option} " in known, option
    ready = re.search(r"--ready-file \$\{RUNTIME_DIRECTORY\}/(\S+)", start).group(1)
    await_ready = re.search(r"^ExecStartPost=/bin/sh -c '(.*)'$", unit, re.M).group(1)
    ended = subprocess.Popen(["true"])
    ended.wait()
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PATH": os.environ["PATH"], "RUNTIME_DIRECTORY": folder, "MAINPID": str(ended.pid)}

        def awaited():
            return subprocess.run(["sh", "-c", await_ready], env=environment, stderr=subprocess.DEVNULL, timeout=60).returncode

        assert awaited() != 0, "a server that has ended will not be ready"
        open(f"{folder}/{ready}", "w", encoding="utf-8").close()
        assert awaited() == 0
    verify_unit(root, "tally-fake.service")


def check_outbox(package, root):
    """Its options can be read by root alone, and those of the example are valid."""
    found = check_package(package, "tally-outbox", "worker of a transactional outbox for a payments API",
                          ["libboost-json1.", "libcurl4", "libpq5"])
    assert found["/etc/default/tally-outbox"] == "-rw-------", found
    with open(f"{root}/etc/default/tally-outbox", encoding="utf-8") as file:
        settings = dict(re.findall(r"^(?:# )?([A-Z_]+)=(.+)$", file.read(), re.M))
    with open(f"{root}/usr/lib/systemd/system/tally-outbox.service", encoding="utf-8") as file:
        start = re.search(r"^ExecStart=(.*) \$TALLY_OUTBOX_OPTIONS$", file.read(), re.M).group(1)
    assert start == "/usr/bin/tally-outbox work", start
    verify_unit(root, "tally-outbox.service")
    environment = dict(settings, PATH=os.environ["PATH"], SHOP_KEY="sk_test_1", TALLY_OUTBOX_DATABASE="host=/nowhere")
    worked = subprocess.run([f"{root}/usr/bin/tally-outbox", "work", *settings["TALLY_OUTBOX_OPTIONS"].split()],
                            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
    assert worked.returncode == 1 and "/nowhere" in worked.stderr, worked
    check_manual(root, "tally-outbox", ["COMMANDS", "OPTIONS"])


def check_report(package, root):
    """It is a program alone: no service, no configuration."""
    assert set(contents(package)) == {"/usr/bin/tally-report", "/usr/share/doc/tally-report/changelog.gz",
                                      "/usr/share/doc/tally-report/copyright", "/usr/share/doc/tally-report/tally-report.md",
                                      "/usr/share/man/man1/tally-report.1.gz"}, contents(package)
    needed = output("dpkg-deb", "--field", package, "Depends")
    assert "libcurl4" in needed and "libsqlite3-0" in needed and "libcsv" not in needed, needed
    assert output("dpkg-deb", "--field", package, "Description").startswith("reports the outcomes of payments in a CSV")
    check_manual(root, "tally-report", ["OPTIONS"])


def check_manual(root, program, tables):
    """It describes every option, and each part has its heading."""
    with gzip.open(f"{root}/usr/share/man/man1/{program}.1.gz", "rt", encoding="utf-8") as file:
        page = file.read().replace("\\-", "-")
    known = re.findall(r"^  (--[a-z-]+)", output(f"{root}/usr/bin/{program}", "--help"), re.M)
    assert re.findall(r"^\.TP\n\.B (--[a-z-]+)", page, re.M) == known, page
    assert re.findall(r"^\.SH (.*)$", page, re.M) == ["NAME", "SYNOPSIS", "DESCRIPTION", *tables, "USAGE", "EXIT STATUS",
                                                     "SEE ALSO"], page


class Machine:
    """A folder in which dpkg installs as on a machine that systemd runs."""

    def __init__(self, folder):
        self.root, self.log, tools = f"{folder}/machine", f"{folder}/systemctl.log", f"{folder}/tools"
        for each in ("run/systemd/system", "var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/private"):
            os.makedirs(f"{self.root}/{each}")
        self.write("var/lib/dpkg/status", "")
        os.mkdir(tools)
        with open(f"{tools}/systemctl", "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$*" >>{self.log}\n')
        os.chmod(f"{tools}/systemctl", 0o755)
        self.environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}:/usr/sbin:/sbin")

    def dpkg(self, *arguments):
        """Returns what systemctl was told meanwhile."""
        open(self.log, "w", encoding="utf-8").close()
        output("dpkg", f"--root={self.root}", "--log=/dev/null", "--force-script-chrootless", "--force-depends",
               "--force-not-root", *arguments, env=self.environment)
        with open(self.log, encoding="utf-8") as file:
            return file.read().splitlines()

    def write(self, path, text):
        with open(f"{self.root}/{path}", "w", encoding="utf-8") as file:
            file.write(text)

    def has(self, *paths):
        return [os.path.lexists(f"{self.root}/{path}") for path in paths]


def check_installation(package, folder):
    """An upgrade keeps options and restarts the server. A removal stops it; only a purge deletes what users made."""
    machine = Machine(folder)
    program, options = "usr/bin/tally-fake", "etc/default/tally-fake"
    state = ["var/lib/private/tally-fake", "var/lib/tally-fake"]
    assert machine.dpkg("--install", package) == ["daemon-reload", "try-restart tally-fake.service"]
    os.mkdir(f"{machine.root}/{state[0]}")
    os.symlink("private/tally-fake", f"{machine.root}/{state[1]}")
    machine.write(f"{state[0]}/state.json", "{}")
    machine.write(options, "TALLY_FAKE_OPTIONS=--port 80")
    told = machine.dpkg("--install", package)
    assert told[-1] == "try-restart tally-fake.service" and not any("disable" in each for each in told), told
    with open(f"{machine.root}/{options}", encoding="utf-8") as file:
        assert file.read() == "TALLY_FAKE_OPTIONS=--port 80"
    assert machine.dpkg("--remove", "tally-fake") == ["--quiet disable --now tally-fake.service", "daemon-reload"]
    assert machine.has(program, options, *state) == [False, True, True, True]
    machine.dpkg("--purge", "tally-fake")
    assert machine.has(program, options, *state) == [False, False, False, False]


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


def is_refused(url):
    """Whether nothing listens there."""
    try:
        ask(url + "/_fake/health")
        return False
    except urllib.error.URLError as error:
        return isinstance(error.reason, ConnectionRefusedError)


REQUEST = 'curl --silent --user "$TALLY_API_KEY:" "$TALLY_BASE_URL/v1/payouts"'


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

    ended = run(root, folder, "sh", "-c", 'echo "$TALLY_BASE_URL"; kill -TERM $PPID')
    assert ended.returncode == 128 + 15, ended
    assert is_refused(ended.stdout.strip()), "tally-fake ends with a job that is ended"

    alone = run(root, folder, "sh", "-c", "for pid in $(cat /proc/$PPID/task/$PPID/children); do "
                                          "[ $pid = $$ ] || kill -9 $pid; done; exit 7")
    assert alone.returncode == 7, alone

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
    key = re.search(r"TALLY_API_KEY: (\S+)", compose).group(1)
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
        packages = {each.split("_")[0]: f"{folder}/packed/{each}" for each in os.listdir(f"{folder}/packed")
                    if each.endswith(".deb")}
        package = packages["tally-fake"]
        root = f"{folder}/root"
        for each in packages.values():
            output("dpkg-deb", "--extract", each, root)
        job = f"{folder}/job"
        os.mkdir(job)
        check_package(package, "tally-fake", "fake of a payments API, for tests and development", ["libboost-json1."])
        check_fake_unit(root)
        check_manual(root, "tally-fake", ["OPTIONS"])
        check_outbox(packages["tally-outbox"], root)
        check_report(packages["tally-report"], root)
        check_installation(package, folder)
        check_job(root, job)
        check_compose(root)


main()
