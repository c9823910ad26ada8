"""Sends a case byte by byte: no client on the way tidies it."""

import gzip
import http.client
import socket
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from tests.fuzz.cases import Case, Surface
from tests.fuzz.tokens import Signer, Token

__all__ = ["PATIENCE", "request_bytes", "send"]

PATIENCE = 120.0
"""Seconds without an answer after which a program hangs, on the slowest machine."""

_PACKED: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "gzip cut": lambda body: gzip.compress(body)[:-9],
    "gzip twice": lambda body: gzip.compress(body) * 2,
    "gzip said": lambda body: body,
    "gzip and more": lambda body: gzip.compress(body) + b"\x1f\x8b\x00",
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
    if case.encoding == "chunked":
        headers.append(("Transfer-Encoding", "chunked"))
        body = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n" if body else b"0\r\n\r\n"
    else:
        headers.append(("Content-Length", str(len(body) + 9 * (case.encoding == "short"))))
    lines = [f"{case.method} {case.target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("utf-8", "surrogatepass") + body


def send(url: str, content: bytes, *, is_short: bool) -> tuple[str, bytes]:
    """Send a request; return the status and the body of the answer.

    In place of a status there is ``closed`` where the connection ended without an answer, and ``reset`` where it ended
    before the program had read everything, which may throw an answer away.

    Raises:
        TimeoutError: There was no answer in time.
    """
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
        try:
            connection.sendall(content)
            if is_short:
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
