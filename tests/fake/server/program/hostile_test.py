"""Hostile clients of tally-fake and of `tally-fake record`: others are still served, and memory stays bounded.
hostile_test.py TALLY_FAKE [--figures]"""

import contextlib
import http.client
import os
import resource
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
FIGURES = "--figures" in sys.argv and not sys.argv.remove("--figures")
MEBIBYTE = 1024 * 1024
PEERS = 200
# 200 peers with a request of 64 KiB of headers, or a response, each. AddressSanitizer surrounds and keeps what is allocated.
MOST_GROWTH = (256 if os.environ.get("SANITIZED") else 64) * MEBIBYTE
PATIENCE = 60  # seconds, for a slow machine


class Server:
    """A program that says where it listens."""

    def __init__(self, *arguments, files=None):
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
        self.process = subprocess.Popen([PROGRAM, *arguments, "--port", "0"], stdout=subprocess.PIPE, text=True, preexec_fn=limit)
        self.told = self.process.stdout.readline().split()
        self.url = [word for word in self.told if word.startswith("http")][-1]  # that of the upstream comes before
        self.port = int(self.url.rsplit(":", 1)[1])
        self.before = self.kibibytes("VmRSS")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def kibibytes(self, name):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(name + ":"))

    def growth(self):
        return (self.kibibytes("VmHWM") - self.before) * 1024

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)


def received(peer):
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while part := peer.recv(65536):
            data += part
    return data


def fill(peer, data):
    """Sends `data` again and again, until the server takes no more for now."""
    peer.setblocking(False)
    with contextlib.suppress(BlockingIOError, ConnectionResetError, BrokenPipeError):
        for _ in range(10_000):
            peer.send(data)
    peer.settimeout(PATIENCE)


HEAD = b"GET /v1/payment_records?limit=100 HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /v1/payment_intents HTTP/1.1\r\nHost: localhost\r\n"


class HostileClients(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.enter = stack.enter_context
        fake = self.enter(Server("--no-limits", "--records", "100", "--request-log-mib", "16"))  # else the log alone may take 64
        key = next(word.split("=")[1] for word in fake.told if word.startswith("sandbox_key="))
        self.authorization = f"Authorization: Bearer {key}\r\n".encode()
        recording = os.path.join(self.enter(tempfile.TemporaryDirectory()), "run.har")
        proxy = self.enter(Server("record", "--upstream", fake.url, "--out", recording))
        self.servers = {"tally-fake": fake, "tally-fake record": proxy}

    def served(self, server, context=None):
        """The response to a well-behaved client."""
        with server.connect() as plain:
            peer = context.wrap_socket(plain, server_hostname="localhost") if context else plain
            with peer:
                peer.sendall(HEAD + self.authorization + b"Connection: close\r\n\r\n")
                return received(peer)

    def expect_bounded(self, name, server, attack):
        growth = server.growth()
        self.assertLess(growth, MOST_GROWTH, attack)
        if FIGURES:
            print(f"{name:<18} {attack:<40} {growth / MEBIBYTE:6.1f} MiB")

    def attack(self, attack, behave, peers=PEERS):
        """Many clients behave in this way, and stay connected while another one is served."""
        for name, server in self.servers.items():
            with self.subTest(server=name), contextlib.ExitStack() as stack:
                for _ in range(peers):
                    behave(stack.enter_context(server.connect()))
                self.assertTrue(self.served(server).startswith(b"HTTP/1.1 200 OK\r\n"), attack)
                self.expect_bounded(name, server, attack)

    def test_do_not_affect_others_by_sending_nothing(self):
        self.attack("send nothing", lambda peer: None)

    def test_do_not_affect_others_by_never_ending_the_headers(self):
        self.attack("never end the headers", lambda peer: peer.sendall(HEAD + b"X: y\r\n"))

    def test_do_not_affect_others_by_flooding_with_headers(self):
        self.attack("flood with headers", lambda peer: fill(peer, b"X-Header: of the same\r\n" * 400), 20)

    def test_do_not_affect_others_by_sending_many_short_headers(self):
        headers = b"X:\r\n" * 1_900  # more are too many
        self.attack("send many short headers, and no body", lambda peer: peer.sendall(POST + headers + b"Content-Length: 10\r\n\r\n"))

    def test_do_not_affect_others_by_never_ending_the_body(self):
        self.attack("never end the body", lambda peer: peer.sendall(POST + b"Content-Length: 1000000\r\n\r\na=b"))

    def test_do_not_affect_others_by_never_sending_an_expected_body(self):
        self.attack("never send the body after 100 Continue",
                    lambda peer: peer.sendall(POST + b"Content-Length: 10\r\nExpect: 100-continue\r\n\r\n"))

    def test_do_not_affect_others_by_flooding_with_chunks(self):
        def behave(peer):
            peer.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n")
            fill(peer, b"1\r\na\r\n" * 1000)

        self.attack("flood with chunks", behave, 20)

    def test_do_not_affect_others_by_pipelining_requests_and_never_reading(self):
        def behave(peer):
            fill(peer, (HEAD + self.authorization + b"\r\n") * 50)

        self.attack("pipeline requests and never read", behave, 20)

    def test_do_not_affect_others_by_half_closing_and_never_reading(self):
        def behave(peer):
            peer.sendall(HEAD + self.authorization + b"\r\n")
            peer.shutdown(socket.SHUT_WR)

        self.attack("finish sending, and never read", behave)

    def test_do_not_affect_others_by_sending_huge_requests(self):
        for request, status in ((b"GET /" + b"x" * 1_000_000, b"431"),
                                (POST + b"X:\r\n" * 2_000 + b"\r\n", b"431"),
                                (POST + b"Content-Length: 1000000000000\r\n\r\n", b"413"),
                                (POST + b"Transfer-Encoding: chunked\r\n\r\nffffffffff\r\n" + b"x" * 100_000, b"413"),
                                (POST + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", b"400")):
            for name, server in self.servers.items():
                with self.subTest(server=name, request=request[:80]), server.connect() as peer:
                    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                        peer.sendall(request)
                        peer.shutdown(socket.SHUT_WR)
                    self.assertEqual(received(peer).split(b" ")[1:2], [status])
                    self.expect_bounded(name, server, "huge requests")

    def test_smuggle_no_requests(self):
        """Nothing behind a request whose end is ambiguous is processed."""
        inner = b"POST /v1/payment_intents HTTP/1.1\r\nHost: localhost\r\n" + self.authorization + b"Content-Length: 0\r\n\r\n"
        length = str(len(inner)).encode()
        for headers, body in ((b"Content-Length: " + length + b"\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"),
                              (b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", b"0\r\n\r\n"),
                              (b"Content-Length: 0\r\nContent-Length: " + length + b"\r\n", b""),
                              (b"Content-Length: 0, " + length + b"\r\n", b""),
                              (b"Content-Length: +0\r\n", b""), (b"Content-Length: 0x0\r\n", b""), (b"Content-Length:\r\n", b""),
                              (b"Content-Length : 0\r\n", b""), (b"Transfer-Encoding : chunked\r\n", b"0\r\n\r\n"),
                              (b"Transfer-Encoding: chunked, identity\r\n", b"0\r\n\r\n"), (b"Transfer-Encoding: xchunked\r\n", b"0\r\n\r\n"),
                              (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", b"0\r\n\r\n"),
                              (b"X: y\r\n Content-Length: 0\r\n", b""), (b"X: y\r\n\tTransfer-Encoding: chunked\r\n", b"0\r\n\r\n"),
                              (b"X: y\nContent-Length: 0\r\n", b""), (b"X: y\rContent-Length: 0\r\n", b""), (b"X: \x00\r\n", b""),
                              (b"Transfer-Encoding: chunked\r\n", b"0x0\r\n\r\n"), (b"Transfer-Encoding: chunked\r\n", b"-0\r\n\r\n"),
                              (b"Transfer-Encoding: chunked\r\n", b"1;a\nb\r\nx\r\n0\r\n\r\n"), (b"Transfer-Encoding: chunked\r\n", b"0\n\n")):
            for name, server in self.servers.items():
                with self.subTest(server=name, headers=headers, body=body), server.connect() as peer:
                    peer.sendall(b"POST /v1/payment_intents HTTP/1.1\r\nHost: localhost\r\n" + headers + b"\r\n" + body + inner)
                    peer.shutdown(socket.SHUT_WR)
                    answers = received(peer)
                    self.assertTrue(answers.startswith(b"HTTP/1.1 400 "), answers[:200])
                    self.assertEqual(answers.count(b"HTTP/1.1 "), 1)

    def test_do_not_affect_others_by_opening_more_connections_than_files(self):
        with Server("--no-limits", files=64) as fake, contextlib.ExitStack() as stack:
            key = next(word.split("=")[1] for word in fake.told if word.startswith("sandbox_key="))
            self.authorization = f"Authorization: Bearer {key}\r\n".encode()
            early = http.client.HTTPConnection("127.0.0.1", fake.port, timeout=PATIENCE)
            stack.callback(early.close)

            def serves_early():
                early.request("GET", "/v1/payment_records", headers={"Authorization": f"Bearer {key}"})
                answer = early.getresponse()
                answer.read()
                return answer.status == 200

            self.assertTrue(serves_early())
            flood = [stack.enter_context(fake.connect()) for _ in range(PEERS)]
            self.assertTrue(serves_early())
            for peer in flood:
                peer.close()
            self.assertTrue(self.served(fake).startswith(b"HTTP/1.1 200 OK\r\n"))
            self.expect_bounded("tally-fake", fake, "more connections than files")

    def test_do_not_affect_others_by_stalling_handshakes(self):
        folder = self.enter(tempfile.TemporaryDirectory())
        certificate, key = (os.path.join(folder, name) for name in ("cert.pem", "key.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
                       + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
                       check=True, stderr=subprocess.DEVNULL)
        fake = self.enter(Server("--no-limits", "--tls-cert", certificate, "--tls-key", key))
        told = next(word.split("=")[1] for word in fake.told if word.startswith("sandbox_key="))
        self.authorization = f"Authorization: Bearer {told}\r\n".encode()
        with contextlib.ExitStack() as stack:
            for i in range(PEERS):
                peer = stack.enter_context(fake.connect())
                if i % 2:
                    peer.sendall(b"\x16\x03\x01\x02\x00\x01")
            context = ssl.create_default_context(cafile=certificate)
            self.assertTrue(self.served(fake, context).startswith(b"HTTP/1.1 200 OK\r\n"))
            self.expect_bounded("tally-fake, TLS", fake, "stall the handshake")


if __name__ == "__main__":
    unittest.main()
