"""A server that fails as a test tells it to: only for what a real OPA cannot be made to do on demand."""

import socket
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event

from tests.fixtures import http

GOOD = b'{"result": {"allowed": true, "errors": [], "error": null, "violations": []}, "decision_id": "d-1"}'


@dataclass(frozen=True)
class Answer:
    """One answer: what is sent, and what is left undone."""

    status: int = 200
    body: bytes = GOOD
    headers: dict[str, str] = field(default_factory=dict)
    missing: int = 0  # bytes that Content-Length promises beyond the body
    silent: bool = False  # no answer at all while the test runs
    trickle: bool = False  # the body byte by byte, for ever
    slow_head: bool = False  # a header byte by byte, for ever
    reset: bool = False  # the connection is cut


@dataclass
class Faults:
    """The server's address, and the requests so far: (method, path, body, headers)."""

    url: str
    seen: list[tuple[str, str, bytes, dict[str, str]]]
    connections: set[tuple[str, int]]  # the callers' ends

    @property
    def count(self) -> int:
        return len(self.seen)


@contextmanager
def faulty(answers: Sequence[Answer]) -> Iterator[Faults]:
    """Give the answers in turn, and the last one for ever after."""
    seen: list[tuple[str, str, bytes, dict[str, str]]] = []
    connections: set[tuple[str, int]] = set()
    over = Event()

    class Handler(http.Handler):
        def respond(self) -> None:
            body = self.body()
            seen.append((self.command, self.path, body, dict(self.headers)))
            connections.add(self.client_address)
            answer = answers[min(len(seen), len(answers)) - 1]
            if answer.silent:
                over.wait()
            if answer.silent or answer.reset:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
                self.close_connection = True
                return
            if answer.slow_head:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nServer: ")
            while answer.slow_head and not over.wait(0.01):
                self.wfile.write(b"x")
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            length = 10**6 if answer.trickle else len(answer.body) + answer.missing
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(answer.body)
            while answer.trickle and not over.wait(0.01):
                self.wfile.write(b" ")
            self.close_connection = bool(answer.missing or answer.trickle)

    with http.served(Handler) as url:
        try:
            yield Faults(url, seen, connections)
        finally:
            over.set()
