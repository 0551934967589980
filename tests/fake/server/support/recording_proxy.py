"""A proxy that records as HAR 1.2, as other tools do: independent of tally's own recorder."""

import datetime
import http.client
import http.server
import json
import threading
import time


def named(headers):
    return [{"name": name, "value": value} for name, value in headers]


def entry(start, end, request, body, response, answer):
    content = {"size": len(answer), "mimeType": response.getheader("Content-Type", ""), "text": answer.decode()}
    sent = {"mimeType": request.headers.get("Content-Type", ""), "text": body.decode()}
    return {
        "startedDateTime": datetime.datetime.fromtimestamp(start, datetime.timezone.utc).isoformat(),
        "time": (end - start) * 1000,
        "request": {
            "method": request.command,
            "url": f"http://127.0.0.1{request.path}",
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": named(request.headers.items()),
            "queryString": [],
            **({"postData": sent} if body else {}),
            "headersSize": -1,
            "bodySize": len(body),
        },
        "response": {
            "status": response.status,
            "statusText": response.reason,
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": named(response.getheaders()),
            "content": content,
            "redirectURL": "",
            "headersSize": -1,
            "bodySize": len(answer),
        },
        "cache": {},
        "timings": {"send": 0, "wait": (end - start) * 1000, "receive": 0},
    }


class RecordingProxy:
    """Forwards to 127.0.0.1:`port`. `save()` writes what it has recorded, in the order in which requests ended."""

    def __init__(self, port):
        self.entries = []
        recorder = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def forward(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                start = time.time()
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                kept = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
                connection.request(self.command, self.path, body=body or None, headers=kept)
                response = connection.getresponse()
                answer = response.read()
                connection.close()
                recorder.entries.append(entry(start, time.time(), self, body, response, answer))
                self.send_response(response.status)
                for name, value in response.getheaders():
                    if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST = do_DELETE = forward

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def save(self, file):
        log = {"version": "1.2", "creator": {"name": "proxy", "version": "1"}, "entries": self.entries}
        file.write_text(json.dumps({"log": log}))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
