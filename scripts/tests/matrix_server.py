"""A small HTTP server for the tests of downloads: it can resume, refuse to and hang up."""

import re
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Request:
    path: str
    range: str | None
    if_range: str | None
    status: int = 0
    sent: int = 0  # bytes of the body


class MatrixServer:
    """Serves `files` (path -> bytes). Use as a context; the attributes may change at any time."""

    def __init__(self):
        self.files = {}
        self.ranges = True  # answer Range with 206
        self.tags = True  # name the version of a file in ETag
        self.lengths = True  # say Content-Length
        # Each request takes one number and hangs up after so many bytes.
        self.cuts = []
        self.statuses = []  # each request takes one status and answers with it
        self.look = lambda handler: None  # at each request
        self.pause_s = 0.0  # between blocks of 16 KiB
        self.requests = []

    def __enter__(self):
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()

    def tag(self, data):
        return f'"{hash(data)}"'


def handler_of(server):
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            asked = Request(self.path, self.headers["Range"], self.headers["If-Range"])
            server.requests.append(asked)
            server.look(self)
            data = server.files.get(self.path)
            if server.statuses or data is None:
                asked.status = server.statuses.pop(0) if server.statuses else 404
                self.send_error(asked.status)
                return
            start = self.start_of(asked, data)
            asked.status = 206 if start else 200
            if start and start >= len(data):
                asked.status = 416
                self.send_error(416)
                return
            self.head(asked, data, start)
            self.body(asked, data[start:])

        def start_of(self, asked, data):
            given = re.fullmatch(r"bytes=(\d+)-", asked.range or "")
            if not given or not server.ranges:
                return 0
            if asked.if_range and asked.if_range != server.tag(data):
                return 0
            return int(given[1])

        def head(self, asked, data, start):
            self.send_response(asked.status)
            if server.tags:
                self.send_header("ETag", server.tag(data))
            if server.lengths:
                self.send_header("Content-Length", str(len(data) - start))
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.end_headers()

        def body(self, asked, data):
            if server.cuts:
                data = data[: server.cuts.pop(0)]
            for place in range(0, len(data), 2**14):
                try:
                    self.wfile.write(data[place : place + 2**14])
                except OSError:
                    return  # the client is gone
                asked.sent = min(place + 2**14, len(data))
                time.sleep(server.pause_s)

    return Handler
