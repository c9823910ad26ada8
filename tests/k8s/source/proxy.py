"""A wire between a client and a server on loopback that can be cut and mended: for networks that fail."""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

__all__ = ["Wire"]

_PIECE = 1 << 16


class Wire:
    """Forwards every connection to a port, as long as it is not cut; a context manager.

    Args:
        target: The port of 127.0.0.1 behind it.

    Attributes:
        port: Its own port.
        connections: How many connections have been requested so far, also while it was cut.
    """

    def __init__(self, target: int) -> None:
        self._target, self._whole = target, True
        self._server = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._server.getsockname()[1]
        self.connections = 0
        self._open: set[socket.socket] = set()
        self._guard = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    @property
    def url(self) -> str:
        """The address for clients of an API server."""
        return f"https://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Break all connections, and every one that is requested from now on."""
        with self._guard:
            self._whole = False
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let connections through again."""
        with self._guard:
            self._whole = True

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._server.accept()
            except OSError:
                return
            self.connections += 1
            with self._guard:
                whole = self._whole
            try:
                far = socket.create_connection(("127.0.0.1", self._target), timeout=5) if whole else None
            except OSError:
                far = None
            if far is None:
                near.close()
                continue
            far.settimeout(None)
            with self._guard:
                self._open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while piece := one.recv(_PIECE):
                other.sendall(piece)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        with self._guard:
            self._open -= {one, other}
        one.close()
