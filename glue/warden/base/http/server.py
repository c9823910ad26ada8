"""The HTTP servers of threads: of the bundle for an OPA that is started here, of policies, and of probes."""

import sys
from abc import abstractmethod
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import AF_INET, AF_INET6, SHUT_RDWR, socket
from threading import Lock, Thread
from typing import Any, Final

__all__ = ["HttpServer", "SilentHandler"]

_MAX_CONNECTIONS: Final = 100  # connections; the oldest ends where there is one more
_IDLE_SECONDS: Final = 75.0  # without a byte from a client


class HttpServer(ThreadingHTTPServer):
    """A thread for each connection, none of which keeps the process alive.

    Whoever reaches the port may open connections and say nothing: of more than a hundred the oldest is closed, so that
    a client that asks at once is answered however many there are.

    Args:
        address: Host and port to listen on.
        handler: Handles each connection.
    """

    daemon_threads = True
    request_queue_size = 1024

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._open: dict[socket, None] = {}  # the oldest first
        self._lock = Lock()
        self.address_family = AF_INET6 if ":" in address[0] else AF_INET
        super().__init__(address, handler)

    def start(self, name: str) -> None:
        """Serve in a thread of this name."""
        Thread(target=self.serve_forever, kwargs={"poll_interval": 0.1}, name=name, daemon=True).start()

    def stop(self) -> None:
        """Stop serving and close the port."""
        self.shutdown()
        self.server_close()

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection in its thread, for as long as it is not one too many."""
        with self._lock:
            self._open[request] = None
            oldest = next(iter(self._open)) if len(self._open) > _MAX_CONNECTIONS else None
            if oldest is not None:
                del self._open[oldest]
        if oldest is not None:
            with suppress(OSError):
                socket.shutdown(oldest, SHUT_RDWR)  # not that of TLS, under which another thread reads
        try:
            super().finish_request(request, client_address)
        finally:
            with self._lock:
                self._open.pop(request, None)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a client that goes away, as one that is stopped does; a defect is reported with its trace."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class SilentHandler(BaseHTTPRequestHandler):
    """Handles requests without a line of log for each: probes and OPA's polls come every few seconds."""

    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS

    def do_GET(self) -> None:
        """Handle a request to read."""
        self.get()

    @abstractmethod
    def get(self) -> None:
        """Answer a request to read."""

    def answer(self, status: HTTPStatus, content: bytes, media_type: str, **headers: str) -> None:
        """Send a whole response."""
        self.send_response(status)
        for name, value in {**headers, "Content-Type": media_type, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Stay silent."""
