"""Requests that are repeated: an answer of the same bytes as the last is not decoded again.

Kafka has no version for configs, ACLs or quotas, and no way to ask what changed. But its answers are made in the same
order each time, so that comparing digests tells cheaply that nothing did: decoding takes some hundred times as long.
"""

import hashlib
from typing import Any

from warden.state.sources.kafka.login.connection import Connection

__all__ = ["AnswerDigests"]


class AnswerDigests:
    """Remembers the digests of a cluster's answers.

    Args:
        connection: The cluster.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._digests: dict[Any, bytes] = {}
        self.request_count = 0
        self.decoded_count = 0

    def ask(self, key: Any, request: Any, node: int | None = None) -> Any:
        """Send a request and return its decoded response, or None where it is the same as the last one of this key.

        A caller that could not use a response must `forget` it.

        Raises:
            NotDisclosed, KafkaUnreachable, KafkaError: As `Connection.send`.
        """
        answer = self._connection.send(_Verbatim(request), node, check=False)
        self.request_count += 1
        digest = hashlib.blake2b(answer.body, digest_size=16).digest()
        if self._digests.get(key) == digest:
            return None
        self._digests[key] = digest
        self.decoded_count += 1
        return answer.response.decode(answer.body)

    def forget(self, key: Any) -> None:
        """Take the next response of a key for new, whatever it is."""
        self._digests.pop(key, None)


class _Verbatim:
    """A kafka-python request whose response stays bytes."""

    def __init__(self, request: Any) -> None:
        self._request = request

    def __getattr__(self, name: str) -> Any:
        return getattr(self._request, name)

    @property
    def API_VERSION(self) -> int | None:  # noqa: N802 - kafka-python's name
        version: int | None = self._request.API_VERSION
        return version

    @API_VERSION.setter
    def API_VERSION(self, version: int) -> None:  # noqa: N802 - as above
        self._request.API_VERSION = version

    @property
    def header(self) -> Any:
        return _Header(self._request.header)


class _Header:
    """A request's header that names `_UndecodedResponse` for its response class."""

    def __init__(self, header: Any) -> None:
        self._header = header

    def __getattr__(self, name: str) -> Any:
        return getattr(self._header, name)

    def get_response_class(self) -> Any:
        return _UndecodedResponse(self._header.get_response_class())


class _UndecodedResponse:
    """Stands for a response class where kafka-python decodes, and then for the response itself."""

    def __init__(self, response: Any, body: bytes = b"") -> None:
        self.response, self.body = response, body

    def parse_header(self, data: Any) -> Any:
        return self.response.parse_header(data)

    def decode(self, data: Any) -> "_UndecodedResponse":
        return _UndecodedResponse(self.response, bytes(data.read()))

    @property
    def throttle_time_ms(self) -> int:
        """How long kafka-python holds the next request back: the first field of all responses that are requested."""
        return int.from_bytes(self.body[:4], "big")
