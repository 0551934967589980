"""A running tally-fake, and requests to its first account."""

import json
import subprocess
import urllib.error
import urllib.parse
import urllib.request


class ServedFake:
    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "--port", "0", *arguments], stdout=subprocess.PIPE, text=True)
        told = self.process.stdout.readline().split()
        self.url = told[3]
        self.account, _, self.key = (part.split("=")[1] for part in told[4:7])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def open(self, method, path, body, content_type, timeout, headers=None):
        request = urllib.request.Request(self.url + path, data=body, method=method)
        request.add_header("Authorization", f"Bearer {self.key}")
        request.add_header("Content-Type", content_type)
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                return response.read().decode()
        except urllib.error.HTTPError as error:
            return error.read().decode()

    def get(self, path):
        return self.open("GET", path, None, "text/plain", 60)

    def send(self, method, path, form=None, expected="response", headers=None):
        """A request to the payments API."""
        body = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            answer = self.open(method, path, body, "application/x-www-form-urlencoded", 60 if expected == "response" else 0.2, headers)
        except TimeoutError:
            assert expected == "timeout"
            return None
        assert expected == "response"
        return json.loads(answer)

    def control(self, method, path, body=None):
        """A request to the control API."""
        answer = json.loads(self.open(method, f"/_fake/{path}", None if body is None else json.dumps(body).encode(), "application/json", 60))
        assert "error" not in answer, answer
        return answer
