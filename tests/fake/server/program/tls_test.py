"""Independent clients against tally-fake over TLS: Python's ssl, curl and, if it is installed, the stripe package."""

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest
import urllib.request

if not shutil.which("openssl") or not shutil.which("curl"):
    print("skipped: there is no openssl, or no curl")
    sys.exit(77)

PROGRAM = sys.argv.pop(1)


class TlsServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.cert, cls.key = (os.path.join(cls.folder.name, name) for name in ("cert.pem", "key.pem"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
            + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
            + ["-keyout", cls.key, "-out", cls.cert],
            check=True,
            stderr=subprocess.DEVNULL,
        )
        cls.process = subprocess.Popen(
            [PROGRAM, "--port", "0", "--no-limits", "--tls-cert", cls.cert, "--tls-key", cls.key],
            stdout=subprocess.PIPE,
            text=True,
        )
        words = cls.process.stdout.readline().split()
        cls.url = words[3]
        cls.port = int(cls.url.rsplit(":", 1)[1])
        cls.sandbox_key = dict(word.split("=") for word in words[4:])["sandbox_key"]

    @classmethod
    def tearDownClass(cls):
        cls.process.terminate()
        assert cls.process.wait() == 0
        cls.process.stdout.close()
        cls.folder.cleanup()

    def context(self):
        return ssl.create_default_context(cafile=self.cert)

    def connect(self, context):
        return context.wrap_socket(socket.create_connection(("127.0.0.1", self.port)), server_hostname="localhost")

    def get(self, path):
        request = urllib.request.Request(
            self.url + path, headers={"Authorization": "Bearer " + self.sandbox_key}
        )
        return urllib.request.urlopen(request, context=self.context())

    def test_supports_tls_1_2_and_1_3(self):
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = self.context()
            context.minimum_version = context.maximum_version = version
            with self.connect(context) as connection:
                self.assertEqual(connection.version(), version.name.replace("_", ".", 1).replace("_", "."))

    def test_refuses_older_versions_of_tls(self):
        context = self.context()
        context.set_ciphers("DEFAULT@SECLEVEL=0")
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.assertRaises(ssl.SSLError):
            self.connect(context)

    def test_supports_only_http_1_1(self):
        context = self.context()
        context.set_alpn_protocols(["h2", "http/1.1"])
        with self.connect(context) as connection:
            self.assertEqual(connection.selected_alpn_protocol(), "http/1.1")
        context.set_alpn_protocols(["h2"])
        with self.assertRaises(ssl.SSLError):
            self.connect(context)

    def test_announces_the_end_of_a_connection(self):
        plain = socket.create_connection(("127.0.0.1", self.port))
        context = self.context()
        context.options &= ~getattr(ssl, "OP_IGNORE_UNEXPECTED_EOF", 0)  # by default, Python does not notice
        with context.wrap_socket(
            plain, server_hostname="localhost", suppress_ragged_eofs=False
        ) as connection:
            connection.sendall(b"GET /_fake/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            received = b""
            while data := connection.recv(4096):  # raises if the connection ends without TLS's own end
                received += data
        self.assertTrue(received.startswith(b"HTTP/1.1 200 OK\r\n"))

    def test_accepts_a_request_that_arrives_byte_by_byte(self):
        with self.connect(self.context()) as connection:
            for byte in b"GET /_fake/health HTTP/1.1\r\nHost: localhost\r\n\r\n":
                connection.sendall(bytes([byte]))
            self.assertTrue(connection.recv(4096).startswith(b"HTTP/1.1 200 OK\r\n"))

    def test_sends_long_responses_and_accepts_long_requests(self):
        request = urllib.request.Request(
            self.url + "/_fake/records",
            data=json.dumps(
                {"resource": "payout", "fields": {"description": "x" * 500_000}, "count": 20}
            ).encode(),
            headers={"Authorization": "Bearer " + self.sandbox_key},
        )
        with urllib.request.urlopen(request, context=self.context()) as response:
            self.assertEqual(len(json.load(response)["ids"]), 20)
        with self.get("/v1/payouts?limit=20") as response:
            self.assertGreater(len(response.read()), 10_000_000)

    def test_streams_events(self):
        with self.get("/_fake/events") as events:
            self.assertEqual(events.readline(), b"retry: 1000\n")
            events.readline()
            self.get("/v1/payouts").close()
            self.assertTrue(events.readline().startswith(b"id: "))
            self.assertEqual(events.readline(), b"event: request\n")

    def test_serves_curl(self):
        done = subprocess.run(
            ["curl", "-sS", "--cacert", self.cert, "-u", self.sandbox_key + ":", self.url + "/v1/payouts?limit=1"],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        self.assertEqual(json.loads(done.stdout)["object"], "list")

    def test_serves_the_stripe_client(self):
        try:
            import stripe
        except ImportError:
            self.skipTest("the package python3-stripe is not installed")
        stripe.api_base = self.url
        stripe.api_key = self.sandbox_key
        stripe.ca_bundle_path = self.cert
        stripe.default_http_client = stripe.http_client.new_default_http_client()
        self.assertEqual(stripe.Payout.create(amount=5, currency="eur").amount, 5)
        stripe.default_http_client.close()


if __name__ == "__main__":
    unittest.main()
