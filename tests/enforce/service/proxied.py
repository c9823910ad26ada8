"""A broker behind a proxy that reads the requests of its clients, as they are on the wire."""

import socket
import struct
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from warden.demo.local_broker import LocalBroker

__all__ = ["Seen", "proxied_broker"]

_PRODUCE, _JOIN_GROUP, _HEARTBEAT = 0, 11, 12
_FLEXIBLE = {_PRODUCE: 9, _JOIN_GROUP: 6, _HEARTBEAT: 4}  # from which version texts are short


class Seen:
    """What went through, in order, by client-id.

    Attributes:
        acks: Of each produce request.
        session_timeouts: Milliseconds, of each request to join a group.
        generations: Of each heartbeat.
    """

    def __init__(self) -> None:
        self.acks: defaultdict[str, list[int]] = defaultdict(list)
        self.session_timeouts: defaultdict[str, list[int]] = defaultdict(list)
        self.generations: defaultdict[str, list[int]] = defaultdict(list)

    def take(self, frame: bytes) -> None:
        """Read a request without its length."""
        key, version, _ = struct.unpack_from(">hhi", frame)
        if key not in _FLEXIBLE:
            return
        client, at = _text(frame, 8)
        at = _after_text(frame, at, flexible=version >= _FLEXIBLE[key])  # the transactional id, or the group
        if key == _PRODUCE:
            self.acks[client].append(struct.unpack_from(">h", frame, at)[0])
        elif key == _JOIN_GROUP:
            self.session_timeouts[client].append(struct.unpack_from(">i", frame, at)[0])
        else:
            self.generations[client].append(struct.unpack_from(">i", frame, at)[0])


@contextmanager
def proxied_broker() -> Iterator[tuple[LocalBroker, str, Seen]]:
    """A broker, the address by which its clients reach it, and what they ask."""
    seen = Seen()
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"

        broker = LocalBroker(properties={"advertised.listeners": f"PLAINTEXT://{address}"})

        def accept() -> None:
            with suppress(OSError):  # it is closed
                while True:
                    client, _ = server.accept()
                    threading.Thread(target=connect, args=(client,), daemon=True).start()

        def connect(client: socket.socket) -> None:
            host, _, port = broker.bootstrap_servers.partition(":")
            try:
                upstream = socket.create_connection((host, int(port)))
            except OSError:
                client.close()
                return
            threading.Thread(target=_pass, args=(upstream, client, None), daemon=True).start()
            _pass(client, upstream, seen)

        threading.Thread(target=accept, daemon=True).start()
        with broker:
            yield broker, address, seen
        server.shutdown(socket.SHUT_RDWR)


def _pass(source: socket.socket, target: socket.socket, seen: Seen | None) -> None:
    """Pass what comes on, and read the whole requests in it."""
    pending = b""
    with suppress(OSError):
        while content := source.recv(65536):
            if seen is not None:
                pending += content
                while len(pending) >= 4 and len(pending) >= (size := 4 + struct.unpack(">i", pending[:4])[0]):
                    seen.take(pending[4:size])
                    pending = pending[size:]
            target.sendall(content)
    for one in (source, target):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def _text(frame: bytes, at: int) -> tuple[str, int]:
    (length,) = struct.unpack_from(">h", frame, at)
    end = at + 2 + max(0, length)
    return frame[at + 2 : end].decode(), end


def _after_text(frame: bytes, at: int, *, flexible: bool) -> int:
    """Return where the request's first text ends; before it, a flexible one has the header's tagged fields (none)."""
    return at + 1 + max(1, frame[at + 1]) if flexible else _text(frame, at)[1]
