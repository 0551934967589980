"""Servers that send as much as a client takes, to many of its calls at once: its memory stays bounded.
hostile_memory_test.py HOSTILE_MEMORY [--figures]: with `--figures`, it writes hostile_memory.txt."""

import contextlib
import itertools
import json
import pathlib
import socket
import subprocess
import sys
import threading
import unittest
import zlib

PROGRAM = sys.argv.pop(1)
FIGURES = "--figures" in sys.argv and not sys.argv.remove("--figures")
KIBIBYTE, MEBIBYTE = 1 << 10, 1 << 20
MANY = 64
PATIENCE = 120  # seconds, for a slow machine
HEAD = b"HTTP/1.1 200 OK\r\n"
RECORD = {
    "id": "pr_1", "object": "payment_record", "created": 1_730_000_000, "customer_details": None, "customer_presence": "on_session",
    **{name: {"currency": "usd", "value": 0}
       for name in ("amount_requested", "amount_canceled", "amount_failed", "amount_guaranteed", "amount_refunded")},
    "latest_payment_attempt_record": "par_1", "livemode": False, "metadata": {},
    "payment_method_details": {"type": "custom", "billing_details": None, "payment_method": None,
                               "custom": {"display_name": "Till", "type": "custom"}},
    "processor_details": {"type": "custom", "custom": {"payment_reference": "ref_1"}}, "shipping_details": None}


class Server:
    """Sends `begin` to each of so many connections, waits until all have received it, and then sends each of `more`."""

    def __init__(self, connections, begin, more):
        self.begin, self.more, self.barrier = begin, more, threading.Barrier(connections)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=connections)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, args=(connections,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.barrier.abort()
        self.listener.close()

    def accept(self, connections):
        for _ in range(connections):
            threading.Thread(target=self.serve, args=(self.listener.accept()[0],), daemon=True).start()

    def serve(self, peer):
        with peer, contextlib.suppress(OSError, threading.BrokenBarrierError):
            peer.settimeout(PATIENCE)
            request = b""
            while b"\r\n\r\n" not in request:
                request += peer.recv(65536)
            peer.sendall(self.begin)
            self.barrier.wait(PATIENCE)
            for part in self.more:
                peer.sendall(part)


def largest(limit):
    """A response that the client accepts. No call may reuse the connection of another, so none ends before all have begun."""
    record = json.dumps({**RECORD, "description": ""})
    body = json.dumps({**RECORD, "description": "x" * (limit - len(record))}).encode()
    return HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body[:-1], [body[-1:]]


def endless_body(limit):
    return HEAD + b"\r\n" + b" " * limit, itertools.repeat(b" " * 65536)


def endless_headers(_limit):
    line = b"A: b\r\n"
    return HEAD + line * (119 * KIBIBYTE // len(line)), itertools.repeat(line * 1000)


def bomb(limit):
    """Compressed a thousand times."""
    packer = zlib.compressobj(9, wbits=31)
    begin = packer.compress(b" " * limit) + packer.flush(zlib.Z_SYNC_FLUSH)
    more = packer.compress(b" " * 64 * MEBIBYTE) + packer.flush(zlib.Z_SYNC_FLUSH)
    return HEAD + b"Content-Encoding: gzip\r\n\r\n" + begin, itertools.repeat(more)


class HostileServers(unittest.TestCase):
    figures = []

    @classmethod
    def tearDownClass(cls):
        if FIGURES:
            print("".join(cls.figures), end="")
            pathlib.Path(__file__).with_name("hostile_memory.txt").write_text(
                "# How the memory of a client grows: servers that ...; calls in flight; limit of a response, growth in MiB\n" +
                "".join(cls.figures))

    def attack(self, name, make, succeeds, calls, limit, most):
        with Server(calls, *make(limit)) as server:
            done = subprocess.run([PROGRAM, server.url, str(calls), str(limit)], capture_output=True, text=True, timeout=2 * PATIENCE)
        self.assertEqual(done.stderr, "")
        succeeded, too_large, peak = map(int, done.stdout.split())
        self.assertEqual((succeeded, too_large), (calls, 0) if succeeds else (0, calls), name)
        self.assertLess(peak, most, name)
        self.figures.append(f"{name}  {calls}  {limit // MEBIBYTE}  {peak / MEBIBYTE:.0f}\n")

    def expect_bounded(self, name, make, succeeds=False):
        """A response may be in memory a few times; a call with a long head takes more than with a body of the smaller limit."""
        self.attack(name, make, succeeds, 1, 64 * MEBIBYTE, 3 * 64 * MEBIBYTE)
        self.attack(name, make, succeeds, MANY, MEBIBYTE, MANY * 4 * MEBIBYTE)

    def test_are_bounded_when_they_send_the_largest_response(self):
        self.expect_bounded("send the largest response", largest, succeeds=True)

    def test_are_bounded_when_they_never_end_a_body(self):
        self.expect_bounded("never end a body", endless_body)

    def test_are_bounded_when_they_never_end_the_headers(self):
        self.expect_bounded("never end the headers", endless_headers)

    def test_are_bounded_when_they_send_compressed_bombs(self):
        self.expect_bounded("send compressed bombs", bomb)


if __name__ == "__main__":
    unittest.main()
