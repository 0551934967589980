"""Runs the examples of pages for a shell, Python and Node verbatim, in their order: page_test.py TALLY_FAKE PAGE..."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, *PAGES = sys.argv[1:]


def has_stripe():
    return subprocess.run([sys.executable, "-c", "import stripe"], stderr=subprocess.DEVNULL).returncode == 0


def has_fetch():
    told = subprocess.run(["node", "--version"], stdout=subprocess.PIPE, text=True) if shutil.which("node") else None
    return told is not None and int(told.stdout[1:].split(".")[0]) >= 18


RUNS = {"sh": None, "python": f"{sys.executable} $page_part", "js": "node $page_part"}
MISSING = {"sh": not (shutil.which("bash") and shutil.which("curl")), "python": not has_stripe(), "js": not has_fetch()}

text = "".join(pathlib.Path(page).read_text(encoding="utf-8") for page in PAGES)
parts = [part for part in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S) if part[0] in RUNS]
if MISSING["sh"]:
    print("skipped: there is no bash, or no curl")
    sys.exit(77)

with tempfile.TemporaryDirectory() as folder:
    # The command fails if the response is an error.
    script = ["set -euo pipefail", "trap 'trap : TERM; kill 0' EXIT", "curl() { command curl --fail-with-body \"$@\"; echo; }"]
    for number, (language, text) in enumerate(parts):
        suffix = {"sh": "sh", "python": "py", "js": "mjs"}[language]
        path = os.path.join(folder, f"part{number}.{suffix}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if MISSING[language]:
            print(f"left out: what the page shows in {language}")
            continue
        script.append(f"page_part={path}")
        script.append(RUNS[language] or ". $page_part")
    assert sum(language == "sh" for language, _ in parts) >= 3, "the pages have lost their commands"
    environment = dict(os.environ, PATH=os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"])
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)], stdout=subprocess.PIPE, env=environment, cwd=folder, start_new_session=True,
        text=True, timeout=120
    )
print(done.stdout)
assert done.returncode == 0, f"a command of the pages failed: {done.returncode}"
for told in ['"object":"list"', '"total_count"', '"sandbox_key"', '"ids":["pr_']:
    assert told in done.stdout, f"no command of the pages printed {told}"
