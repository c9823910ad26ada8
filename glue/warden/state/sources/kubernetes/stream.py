"""Bodies of responses: a document read whole, or a stream of documents; neither without limit."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import urllib3

from warden.base.errors import KubernetesError, KubernetesUnreachable

__all__ = ["Stream", "read_body"]

_PIECE = 1 << 20
_MAX_ANSWER_BYTES = 1 << 28  # bytes of an answer: 500 objects of 512 KiB
_MAX_EVENT_BYTES = 1 << 24  # bytes of an event: etcd takes objects of 1.5 MiB


def read_body(response: urllib3.BaseHTTPResponse, url: str) -> bytes:
    """Return the whole body of a response.

    Args:
        response: Whose body has not been read.
        url: Its address, for messages.

    Raises:
        KubernetesError: It is too large to be an answer of an API server.
    """
    body = bytearray()
    for piece in response.stream(_PIECE):
        body += piece
        if len(body) > _MAX_ANSWER_BYTES:
            raise KubernetesError(
                f"{url} answers with more than {_MAX_ANSWER_BYTES:,} bytes: is this a Kubernetes API server?"
            )
    return bytes(body)


class Stream:
    """An open stream: iterate over its documents, in one thread; `end` may be called from another.

    Args:
        response: Whose body has not been read.
        lost: Makes an error of the fault that broke it.
    """

    def __init__(self, response: urllib3.BaseHTTPResponse, lost: Callable[[Exception], KubernetesUnreachable]) -> None:
        self._response, self._lost = response, lost

    def __iter__(self) -> Iterator[dict[str, Any]]:
        try:
            with self._response as response:
                for line in _iter_lines(response):
                    if line:
                        yield json.loads(line)
        except (ValueError, RecursionError) as error:
            raise KubernetesError("an event is not JSON: the connection was cut, or a proxy answers") from error
        except (urllib3.exceptions.HTTPError, OSError, AttributeError) as error:
            # AttributeError: what http.client and ssl run into when `end` takes their socket away.
            raise self._lost(error) from error

    def end(self) -> None:
        """Make the reading thread return."""
        with suppress(OSError, ValueError, RuntimeError, AttributeError):
            self._response.shutdown()  # since urllib3 2.3; where there is none, the reader returns in its time


def _iter_lines(response: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
    rest = b""
    for piece in response.stream(_PIECE):
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
        if len(rest) > _MAX_EVENT_BYTES:
            raise KubernetesError(f"watch event exceeds {_MAX_EVENT_BYTES:,} bytes: is this a Kubernetes API server?")
    yield rest
