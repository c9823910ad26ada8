"""Server of one bundle file to one OPA, on loopback.

OPA's own ``file://`` resources would not do: OPA 1.22 reads them once, never looks again, and cannot persist them
(``v1/plugins/bundle/plugin.go``: ``fileLoader`` gives no raw bytes). With a server in between, a local OPA runs
with the very configuration of production: polling with ETag, verification, persistence.
"""

import hashlib
import hmac
import secrets
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Thread

from warden.process.http_server import HttpServer

__all__ = ["BundleEndpoint"]

_RESOURCE = "bundle.tar.gz"


class BundleEndpoint:
    """A loopback server for one file, with a bearer token and ETags, as long as it is not stopped.

    Args:
        bundle: The file; read anew at each request, so that a rebuilt bundle is taken up at the next poll.

    Attributes:
        url: Base URL.
        resource: Path of the bundle below it.
        token: Bearer token to fetch it with.
    """

    def __init__(self, bundle: Path) -> None:
        self.token = secrets.token_urlsafe(32)
        self.resource = _RESOURCE
        self._server = HttpServer(("127.0.0.1", 0), _handler(bundle, self.token))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, name="bundle", daemon=True).start()

    def stop(self) -> None:
        """Stop serving and close the port."""
        self._server.shutdown()
        self._server.server_close()


def _handler(bundle: Path, token: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            given = self.headers.get("Authorization", "")
            if not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
                return self._answer(HTTPStatus.UNAUTHORIZED)
            try:
                content = bundle.read_bytes()
            except OSError:
                return self._answer(HTTPStatus.NOT_FOUND)
            etag = f'"{hashlib.sha256(content).hexdigest()}"'
            if etag in self.headers.get("If-None-Match", ""):
                return self._answer(HTTPStatus.NOT_MODIFIED, etag=etag)
            return self._answer(HTTPStatus.OK, content, etag)

        def _answer(self, status: HTTPStatus, content: bytes = b"", etag: str | None = None) -> None:
            self.send_response(status)
            if etag:
                self.send_header("ETag", etag)
            self.send_header("Content-Type", "application/gzip")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Stay silent: OPA's own log tells of each download."""

    return Handler
