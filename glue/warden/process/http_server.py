"""The HTTP server of what Warden serves by itself: the bundle for an OPA that it starts, the replicator's probes."""

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
