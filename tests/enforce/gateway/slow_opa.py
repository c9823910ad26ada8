"""A server in OPA's place that takes a test's time for each batch."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.enforce.gateway.frames import DENIED

__all__ = ["SlowOpa", "slow_opa"]

Items = Mapping[str, Mapping[str, Any]]


@dataclass
class SlowOpa:
    """What it was sent.

    Args:
        url: Where it is.
        batches: The items of each batch, in the order in which they came.
        sizes: Bytes of each.
        most: How many calls were there at once, at the most.
    """

    url: str = ""
    batches: list[Items] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    now: int = 0
    most: int = 0


@contextmanager
def slow_opa(work: Callable[[Items], tuple[int, dict[str, Any]] | None]) -> Iterator[SlowOpa]:
    """Serve it.

    Args:
        work: Takes the items of a batch, and as long as it likes; returns status and body, None for a denial of each.
    """
    found, lock = SlowOpa(), threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            items = json.loads(self.rfile.read(size))["input"]["items"]
            with lock:
                found.sizes.append(size)
                found.batches.append(items)
                found.now += 1
                found.most = max(found.most, found.now)
            status, body = work(items) or (200, {"result": dict.fromkeys(items, DENIED)})
            with lock:
                found.now -= 1
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 512

        def handle_error(self, *_: object) -> None:
            """The gateway has gone before the answer."""

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        found.url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield found
        finally:
            server.shutdown()
            thread.join()
