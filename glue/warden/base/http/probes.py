"""Probes over HTTP of a program that runs on: ``/healthz``, ``/readyz`` and ``/metrics``."""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from warden.base.errors import ConfigurationError
from warden.base.files.redact import redact
from warden.base.http.calls import describe_cause
from warden.base.http.server import HttpServer, SilentHandler

__all__ = ["LISTEN_ERRORS", "METRICS_TYPE", "ProbeServer", "build_listen_error"]

METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of Prometheus' text format."""
LISTEN_ERRORS: Final = (OSError, OverflowError, UnicodeError)
"""What listening raises where an address cannot be had: UnicodeError for a host that is no name, such as ``a..b``."""


def build_listen_error(address: tuple[str, int], error: Exception) -> ConfigurationError:
    """Return the error for an address that cannot be had.

    Args:
        address: Host and port.
        error: The system's.
    """
    host, port = address
    return ConfigurationError(f"--listen {host}:{port}: {describe_cause(error)}: give another address")


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
            self._server = HttpServer((host, port), _build_handler(ready, metrics, alive))
        except LISTEN_ERRORS as error:
            raise build_listen_error((host, port), error) from error
        self.port: int = self._server.server_address[1]
        self._server.start("probes")

    def stop(self) -> None:
        """Stop serving and close the port."""
        self._server.stop()


def _build_handler(
    ready: Callable[[], Mapping[str, Any]], metrics: Callable[[], bytes], alive: Callable[[], bool]
) -> type[SilentHandler]:
    class Handler(SilentHandler):
        def get(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/metrics":
                self.answer(HTTPStatus.OK, metrics(), METRICS_TYPE)
            elif path == "/healthz":
                self._send_json({"alive": alive()}, well=alive())
            elif path == "/readyz":
                document = redact(ready())
                self._send_json(document, well=bool(document["ready"]))
            else:
                self.answer(HTTPStatus.NOT_FOUND, b"ask for /healthz, /readyz or /metrics\n", "text/plain")

        def _send_json(self, document: object, *, well: bool) -> None:
            status = HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
            self.answer(status, json.dumps(document, indent=2).encode() + b"\n", "application/json")

    return Handler
