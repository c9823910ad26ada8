"""HTTP connections that end an answer at a deadline, however slowly it comes: also its status line and its headers.

`requests` bounds each read from the socket, so that a server that sends a byte now and then is never too slow for it.
"""

import http.client
import io
import socket
import threading
import time
from typing import Any, Final

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from warden.base.tls.reloading_context import ReloadingContext

__all__ = ["TimedAdapter", "set_deadline"]

# A request is sent, and its answer read, in the thread of the caller.
_OF_THREAD: Final = threading.local()


def set_deadline(at: float) -> None:
    """Let what this thread reads from connections of `TimedAdapter` end at a time.

    Args:
        at: Seconds of `time.monotonic`. What is read later fails with `TimeoutError`.
    """
    _OF_THREAD.at = at


class _TimedReader(io.RawIOBase):
    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if time.monotonic() > getattr(_OF_THREAD, "at", float("inf")):
            raise TimeoutError("the answer comes too slowly")
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedResponse(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *arguments: Any, **options: Any) -> None:
        super().__init__(sock, *arguments, **options)
        self.fp = io.BufferedReader(_TimedReader(self.fp.detach()))


class _Connection(HTTPConnection):
    response_class = _TimedResponse


class _SecureConnection(HTTPSConnection):
    response_class = _TimedResponse

    def __init__(self, *arguments: Any, **options: Any) -> None:
        nobody_else = {"ca_certs": None, "ca_cert_dir": None}  # `requests` would add certifi's to those of the context
        super().__init__(*arguments, **options | nobody_else)


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


class TimedAdapter(HTTPAdapter):
    """Adapter of `requests` whose connections heed `set_deadline`.

    Args:
        tls: Whom https trusts, and nobody else; None for http alone.
        options: As of its base.
    """

    def __init__(self, tls: ReloadingContext | None = None, **options: Any) -> None:
        self._tls = tls
        super().__init__(**options)

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        """Make the manager of connections, as the base does, with pools of our own."""
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _SecurePool}

    def build_connection_pool_key_attributes(self, request: Any, verify: Any, cert: Any = None) -> Any:
        """Return the host, and the context of now: connections of another one are not taken again."""
        host, options = super().build_connection_pool_key_attributes(request, verify, cert)
        return host, options if self._tls is None else {"ssl_context": self._tls.get_context()}
