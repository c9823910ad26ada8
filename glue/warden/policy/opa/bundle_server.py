"""Server of one bundle file to one OPA, on loopback.

OPA's own ``file://`` resources would not do: OPA 1.22 reads them once, never looks again, and cannot persist them
(``v1/plugins/bundle/plugin.go``: ``fileLoader`` gives no raw bytes). With a server in between, a local OPA runs
with the very configuration of production: polling with ETag, verification, persistence.
"""

import hashlib
import hmac
import io
import logging
import secrets
from http import HTTPStatus
from pathlib import Path

from warden.base.errors import ConfigurationError, OpaOutdated
from warden.base.http.server import HttpServer, SilentHandler
from warden.policy.bundle.unsigned import read_bundle_revision
from warden.policy.opa.revision_floor import RevisionFloor

__all__ = ["BundleServer"]

_LOG = logging.getLogger(__name__)
_RESOURCE = "bundle.tar.gz"


class BundleServer:
    """A loopback server for one file, with a bearer token and ETags, as long as it is not stopped.

    Args:
        bundle: The file; read anew at each request, so that a rebuilt bundle is taken up at the next poll.
        floor: What refuses older bundles; None where any is served.

    Attributes:
        url: Base URL.
        resource: Path of the bundle below it.
        token: Bearer token to fetch it with.
    """

    def __init__(self, bundle: Path, floor: RevisionFloor | None = None) -> None:
        self.token = secrets.token_hex(32)
        self.resource = _RESOURCE
        self._server = HttpServer(("127.0.0.1", 0), _build_handler(bundle, self.token, floor))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._server.start("bundle")

    def stop(self) -> None:
        """Stop serving and close the port."""
        self._server.stop()


def _build_handler(bundle: Path, token: str, floor: RevisionFloor | None) -> type[SilentHandler]:
    refused: list[str] = []

    class Handler(SilentHandler):
        def get(self) -> None:
            authorization = self.headers.get("Authorization", "")
            if not hmac.compare_digest(authorization.encode(), f"Bearer {token}".encode()):
                return self._answer(HTTPStatus.UNAUTHORIZED)
            try:
                content = bundle.read_bytes()
            except OSError:
                return self._answer(HTTPStatus.NOT_FOUND)
            etag = f'"{hashlib.sha256(content).hexdigest()}"'
            if etag in self.headers.get("If-None-Match", ""):
                return self._answer(HTTPStatus.NOT_MODIFIED, etag=etag)
            if floor and (problem := _explain_refusal(floor, content)):
                if etag not in refused:  # OPA asks each second
                    _LOG.error("OPA is not given %s: %s", bundle, problem)
                refused[:] = [etag]
                return self._answer(HTTPStatus.CONFLICT)
            return self._answer(HTTPStatus.OK, content, etag)

        def _answer(self, status: HTTPStatus, content: bytes = b"", etag: str | None = None) -> None:
            self.answer(status, content, "application/gzip", **({"ETag": etag} if etag else {}))

    return Handler


def _explain_refusal(floor: RevisionFloor, bundle: bytes) -> str | None:
    """Why a bundle is not to be served; None where it is."""
    try:
        floor.check(read_bundle_revision(io.BytesIO(bundle)))
    except (OpaOutdated, ConfigurationError) as error:
        return str(error)
    return None
