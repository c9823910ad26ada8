"""A proxy in front of a real OPA that fails as a test tells it to, and counts what passes."""

import http.client
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

Fault = Callable[[str, str], int | float | None]
"""From (method, path): a status to answer with in OPA's place, a float to wait for so many seconds, None to pass."""


@dataclass
class Proxy:
    """What the proxy does, and what it has seen: requests by method."""

    url: str
    fault: Fault = lambda _method, _path: None
    seen: Counter[str] = field(default_factory=Counter)


@contextmanager
def proxy(target: str) -> Iterator[Proxy]:
    """Serve on loopback until the end of the block."""
    host = urlsplit(target).netloc

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            made.seen[self.command] += 1
            fault = made.fault(self.command, self.path)
            if isinstance(fault, float):
                time.sleep(fault)
            if isinstance(fault, int):
                return self._answer(fault, b'{"code": "internal_error", "message": "made up"}')
            connection = http.client.HTTPConnection(host, timeout=60)
            try:
                connection.request(self.command, self.path, body, dict(self.headers))
                answer = connection.getresponse()
                return self._answer(answer.status, answer.read())
            except OSError:
                return self._answer(502, b"{}")
            finally:
                connection.close()

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

        def _answer(self, status: int, content: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            pass  # a client that went away while it waited

    with Server(("127.0.0.1", 0), Handler) as server:
        made = Proxy(f"http://127.0.0.1:{server.server_address[1]}")
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield made
        finally:
            server.shutdown()
            thread.join()
