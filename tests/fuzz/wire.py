"""Sends a case byte by byte: no client on the way tidies it."""

import gzip
import http.client
import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from urllib.parse import urlsplit

from tests.fuzz.cases import Case, Surface
from tests.fuzz.tokens import Signer, Token

__all__ = ["PATIENCE", "request_bytes", "send"]

_LARGE = 64 * 1024 * 1024  # bytes that a bomb unpacks to

PATIENCE = 120.0
"""Seconds without an answer after which a program hangs, on the slowest machine."""


@cache
def _bomb() -> bytes:
    return gzip.compress(b" " * _LARGE)


def _chunk(body: bytes) -> bytes:
    return f"{len(body):x}\r\n".encode() + body + b"\r\n" if body else b""


_PACKED: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "gzip cut": lambda body: gzip.compress(body)[:-9],
    "gzip twice": lambda body: gzip.compress(body) * 2,
    "gzip said": lambda body: body,
    "gzip and more": lambda body: gzip.compress(body) + b"\x1f\x8b\x00",
    "gzip bomb": lambda _: _bomb(),
}
_CHUNKS: Mapping[str, Callable[[bytes], bytes]] = {
    "chunked": lambda body: _chunk(body) + b"0\r\n\r\n",
    "chunked cut": _chunk,
    "chunks of nothing": lambda body: b"zz\r\n" + body + b"\r\n-1\r\n\r\n",
    "length and chunks": lambda body: _chunk(body) + b"0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: fuzz\r\n\r\n",
}
_LENGTHS: Mapping[str, Callable[[int], list[int]]] = {
    "short": lambda length: [length + 9],
    "two lengths": lambda length: [length, length + 1],
    "length below nothing": lambda length: [-length - 1],
}


def request_bytes(case: Case, surface: Surface, signer: Signer) -> bytes:
    """Return the whole request."""
    body = case.body.encode("utf-8", "surrogatepass")
    headers = [("Host", "fuzz"), ("Connection", "close"), *case.headers]
    if case.token is not None:
        text = signer.text(case.token) if isinstance(case.token, Token) else surface.tokens[case.token]
        headers.append(("Authorization", case.scheme.replace("{}", text)))
    if pack := _PACKED.get(case.encoding):
        body = pack(body)
        headers.append(("Content-Encoding", "gzip"))
    elif case.encoding == "deflate said":
        headers.append(("Content-Encoding", "deflate"))
    lengths = _LENGTHS.get(case.encoding, lambda length: [length])(len(body))
    if put := _CHUNKS.get(case.encoding):
        headers.append(("Transfer-Encoding", "chunked"))
        body = put(body)
        lengths = lengths if case.encoding == "length and chunks" else []
    headers += [("Content-Length", str(length)) for length in lengths]
    lines = [f"{case.method} {case.target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("utf-8", "surrogatepass") + body


def send(url: str, content: bytes, *, is_cut: bool, trust: ssl.SSLContext | None = None) -> tuple[str, bytes]:
    """Send a request; return the status and the body of the answer.

    Args:
        url: Of the program.
        content: The request.
        is_cut: Whether its end is never sent: then nobody waits for it, where the connection can say so.
        trust: What is connected with; None for plain HTTP.

    In place of a status there is ``closed`` where the connection ended without an answer, and ``reset`` where it ended
    before the program had read everything, which may throw an answer away.

    Raises:
        TimeoutError: There was no answer in time.
    """
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as plain:
        connection = plain if trust is None else trust.wrap_socket(plain, server_hostname=address.hostname)
        try:
            connection.sendall(content)
            if is_cut and trust is not None:  # TLS has no half of a connection that is closed
                connection.close()
                return "left", b""
            if is_cut:
                connection.shutdown(socket.SHUT_WR)
        except TimeoutError:
            raise
        except OSError:
            pass  # answered before it has read everything
        answer = http.client.HTTPResponse(connection, method=content.split(b" ", 1)[0].decode())
        try:
            answer.begin()
            return str(answer.status), answer.read()
        except (http.client.IncompleteRead, http.client.RemoteDisconnected):
            return "closed", b""
        except TimeoutError:
            raise
        except (OSError, http.client.BadStatusLine):
            return "reset", b""
        finally:
            answer.close()
            with suppress(OSError):
                connection.close()
