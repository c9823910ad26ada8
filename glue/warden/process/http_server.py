"""The HTTP server base class: of the bundle for an OPA that is started here, and of the replicator's probes."""

import sys
from http.server import ThreadingHTTPServer
from typing import Any

__all__ = ["HttpServer"]


class HttpServer(ThreadingHTTPServer):
    """A thread for each connection, none of which keeps the process alive."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a client that goes away, as one that is stopped does; a defect is reported with its trace."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)
