"""Probes over HTTP of a program that runs on: ``/healthz``, ``/readyz`` and ``/metrics``."""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socket import AF_INET, AF_INET6
from threading import Thread
from typing import Any, Final

from warden.errors import ConfigurationError
from warden.files.shown import shown
from warden.process.http_server import HttpServer

__all__ = ["METRICS_TYPE", "ProbeServer", "cannot_listen"]

METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of Prometheus' text format."""


def cannot_listen(address: tuple[str, int], error: Exception) -> ConfigurationError:
    """Return the error for an address that cannot be had.

    Args:
        address: Host and port.
        error: The system's.
    """
    host, port = address
    reason = getattr(error, "strerror", None) or error
    return ConfigurationError(f"--listen {host}:{port}: {reason}: give another address")


class ProbeServer:
    """Serves the probes until it is stopped; they tell nothing secret, so they ask for no token.

    ``/healthz`` is 200 while the program works, else 503: then it should be restarted. ``/readyz`` is 200 while all is
    well, else 503 with the reasons; restarting does not help.

    Args:
        host: Address to listen on.
        port: Port; 0 for a free one.
        ready: Returns what ``/readyz`` shows, secrets masked, with whether all is well under ``ready``.
        metrics: Returns the metrics, in Prometheus' text format.
        alive: Whether the program works.

    Raises:
        ConfigurationError: The address cannot be had.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        ready: Callable[[], Mapping[str, Any]],
        metrics: Callable[[], bytes],
        alive: Callable[[], bool],
    ) -> None:
        try:
            self._server = _Server((host, port), _handler(ready, metrics, alive))
        except (OSError, OverflowError) as error:
            raise cannot_listen((host, port), error) from error
        self.port: int = self._server.server_address[1]
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, name="probes", daemon=True).start()

    def stop(self) -> None:
        """Stop serving and close the port."""
        self._server.shutdown()
        self._server.server_close()


class _Server(HttpServer):
    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.address_family = AF_INET6 if ":" in address[0] else AF_INET
        super().__init__(address, handler)


def _handler(
    ready: Callable[[], Mapping[str, Any]], metrics: Callable[[], bytes], alive: Callable[[], bool]
) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/metrics":
                self._send(HTTPStatus.OK, metrics(), METRICS_TYPE)
            elif path == "/healthz":
                self._send_json({"alive": alive()}, well=alive())
            elif path == "/readyz":
                document = shown(ready())
                self._send_json(document, well=bool(document["ready"]))
            else:
                self._send(HTTPStatus.NOT_FOUND, b"ask for /healthz, /readyz or /metrics\n", "text/plain")

        def _send_json(self, document: object, *, well: bool) -> None:
            status = HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
            self._send(status, json.dumps(document, indent=2).encode() + b"\n", "application/json")

        def _send(self, status: HTTPStatus, content: bytes, media_type: str) -> None:
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Stay silent: probes come every few seconds."""

    return Handler
