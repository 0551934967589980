"""Scrapes metrics_endpoint once."""

import subprocess
import sys
import urllib.error
import urllib.request

with subprocess.Popen([sys.argv[1]], stdout=subprocess.PIPE, text=True) as served:
    try:
        url = served.stdout.readline().strip()
        with urllib.request.urlopen(url, timeout=10) as response:
            assert "tally_calls_total" in response.read().decode()
            assert response.headers["Content-Type"].startswith("text/plain")
        try:
            urllib.request.urlopen(url + "/other", timeout=10)
            sys.exit("only /metrics exists")
        except urllib.error.HTTPError as refused:
            assert refused.code == 404
    finally:
        served.terminate()
