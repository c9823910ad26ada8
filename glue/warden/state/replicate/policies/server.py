"""Server of the policies' bundle to OPA, which waits there for the next one (long polling)."""

import hmac
import logging
import re
import ssl
from collections.abc import Callable
from http import HTTPStatus
from threading import Condition
from typing import Any, Final

from warden.base.errors import ConfigurationError
from warden.base.http.probes import LISTEN_ERRORS, build_listen_error
from warden.base.http.server import HttpServer, SilentHandler
from warden.base.tls.listener import build_listener_context, load_server_context
from warden.state.config_map_policies.entry import Listener
from warden.state.replicate.policies.bundle import PolicyBundle

__all__ = ["BUNDLE_PATH", "PolicyServer"]

BUNDLE_PATH: Final = "configmaps.tar.gz"
"""Path at which OPA fetches the bundle."""

_LOG: Final = logging.getLogger(__name__)
_LONG_POLLING: Final = "application/vnd.openpolicyagent.bundles"  # by which OPA knows that it may wait here
_MAX_WAIT_SECONDS: Final = 60.0  # seconds that OPA is let wait
_HANDSHAKE: Final = 10.0  # seconds that a client may take to begin


class PolicyServer:
    """Serves one bundle, the newest that was published, to whoever has the token.

    Args:
        listener: Where.
        token: Reads the token.

    Raises:
        ConfigurationError: The address or the certificate cannot be had.
    """

    def __init__(self, listener: Listener, token: Callable[[], str]) -> None:
        self._token = token
        self._bundle: PolicyBundle | None = None
        self._changed = Condition()
        self._over = False
        tls = listener.tls
        context = build_listener_context(load_server_context(tls, "policies.listen.tls", _LOG)) if tls else None
        try:
            self._server = _Server((listener.host, listener.port), _build_handler(self), context)
        except LISTEN_ERRORS as error:
            raise build_listen_error((listener.host, listener.port), error) from error
        self._server.start("policies' bundle")

    def publish(self, bundle: PolicyBundle) -> None:
        """Serve a bundle from now on."""
        with self._changed:
            self._bundle = bundle
            self._changed.notify_all()

    def stop(self) -> None:
        """Stop serving and close the port."""
        with self._changed:
            self._over = True
            self._changed.notify_all()
        self._server.stop()

    def admits(self, authorization: str) -> bool:
        """Whether a request has the token."""
        try:
            return hmac.compare_digest(authorization.encode(), f"Bearer {self._token()}".encode())
        except ConfigurationError as error:
            _LOG.error("OPA is not given the policies", extra={"error": str(error)})
            return False

    def wait_for_bundle(self, known: str, seconds: float) -> PolicyBundle | None:
        """Return the bundle once it is another than a client knows, or after a time; None where there is none.

        Args:
            known: Its revision, as the client says it.
            seconds: How long to wait at the most.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._over or (self._bundle is not None and self._bundle.revision != known),
                min(seconds, _MAX_WAIT_SECONDS),
            )
            return None if self._over else self._bundle


class _Server(HttpServer):
    def __init__(self, address: tuple[str, int], handler: type[SilentHandler], context: ssl.SSLContext | None) -> None:
        self._context = context
        super().__init__(address, handler)

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection, in its own thread, so that a slow handshake holds nobody up."""
        request.settimeout(_HANDSHAKE)
        try:
            connection = self._context.wrap_socket(request, server_side=True) if self._context else request
        except (ssl.SSLError, OSError):
            return
        super().finish_request(connection, client_address)


def _build_handler(server: PolicyServer) -> type[SilentHandler]:
    class Handler(SilentHandler):
        def get(self) -> None:
            if not server.admits(self.headers.get("Authorization", "")):
                return self._answer(HTTPStatus.UNAUTHORIZED)
            if self.path.partition("?")[0] != f"/{BUNDLE_PATH}":
                return self._answer(HTTPStatus.NOT_FOUND)
            etag = self.headers.get("If-None-Match", "").strip('"')
            wait = re.search(r"wait=(\d{1,4})", self.headers.get("Prefer", ""))
            bundle = server.wait_for_bundle(etag, float(wait[1]) if wait and etag else 0.0)
            if bundle is None:  # not known yet, or no longer: OPA goes on with what it has
                self.close_connection = True
                return self._answer(HTTPStatus.SERVICE_UNAVAILABLE)
            if bundle.revision == etag:
                return self._answer(HTTPStatus.NOT_MODIFIED, etag=etag)
            return self._answer(HTTPStatus.OK, bundle.content, bundle.revision)

        def _answer(self, status: HTTPStatus, content: bytes = b"", etag: str | None = None) -> None:
            headers = {"ETag": f'"{etag}"'} if etag else {}
            headers |= {"Connection": "close"} if self.close_connection else {}
            self.answer(status, content, _LONG_POLLING, **headers)

    return Handler
