"""The HTTP servers of threads: of the bundle for an OPA that is started here, of policies, and of probes."""

import sys
from abc import abstractmethod
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import AF_INET, AF_INET6
from threading import Thread
from typing import Any

__all__ = ["HttpServer", "SilentHandler"]


class HttpServer(ThreadingHTTPServer):
    """A thread for each connection, none of which keeps the process alive.

    Args:
        address: Host and port to listen on.
        handler: Handles each connection.
    """

    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.address_family = AF_INET6 if ":" in address[0] else AF_INET
        super().__init__(address, handler)

    def start(self, name: str) -> None:
        """Serve in a thread of this name."""
        Thread(target=self.serve_forever, kwargs={"poll_interval": 0.1}, name=name, daemon=True).start()

    def stop(self) -> None:
        """Stop serving and close the port."""
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a client that goes away, as one that is stopped does; a defect is reported with its trace."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class SilentHandler(BaseHTTPRequestHandler):
    """Handles requests without a line of log for each: probes and OPA's polls come every few seconds."""

    protocol_version = "HTTP/1.1"

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
