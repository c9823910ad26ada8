"""The keeper of spare programs: lends each once, ends it when it comes back, and then starts what was wanted."""

import base64
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path

from tests.fixtures.checkout import CHECKOUT
from tests.warm.socket_address import hash_sources
from warden.base.errors import WardenError
from warden.base.files.private import make_private_directory

__all__ = ["Keeper"]

_END_SECONDS = 20.0

Key = tuple[str, str]
"""Kind and options of `tests.warm.spare`."""


@dataclass(frozen=True)
class _Spare:
    """A program that runs.

    Args:
        process: That of `tests.warm.spare`, which ends when its input does, or at SIGTERM.
        state: How to reach it.
        sources: What `hash_sources` gave when it was started.
    """

    process: "subprocess.Popen[str]"
    state: bytes
    sources: str

    def end(self) -> None:
        """End it, and return when it has ended."""
        self.process.terminate()
        try:
            self.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Keeper:
    """Listens on a socket until it is closed.

    A run of tests names how it would start a program. What was wanted is started once no run uses any, as
    many of each as any run used at a time.

    Args:
        socket: Path of the socket; its directory is made, for this user alone.
        most: How many programs are kept at most; those that were wanted last.
        report: Called with each line about what is kept.

    Raises:
        WardenError: Another keeper listens there.
    """

    def __init__(self, socket: Path, most: int, report: Callable[[str], None]) -> None:
        make_private_directory(socket.parent)
        with suppress(OSError):
            Client(str(socket), "AF_UNIX").close()
            raise WardenError(f"another keeper listens at {socket}: end that one")
        socket.unlink(missing_ok=True)
        self._socket, self._most, self._report = socket, most, report
        self._listener = Listener(str(socket), "AF_UNIX")
        self._changed = threading.Condition()
        self._spares: dict[Key, list[_Spare]] = {}
        self._wanted: dict[Key, int] = {}  # in the order of the last run
        self._in_use: Counter[Key] = Counter()
        self._starting: subprocess.Popen[str] | None = None
        self._closed = False

    def run(self) -> None:
        """Lend programs until `close` is called."""
        filling = threading.Thread(target=self._fill, name="fill")
        filling.start()
        while not self._closed:
            with suppress(OSError, EOFError):
                connection = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), name="lend", daemon=True).start()
        self._listener.close()
        with suppress(OSError):  # somebody else's files are in it
            self._socket.parent.rmdir()
        filling.join()
        for spare in self._take_all():
            spare.end()

    def close(self) -> None:
        """Have `run` end all that is kept, and return."""
        with self._changed:
            self._closed = True
            if self._starting:
                self._starting.terminate()
            self._changed.notify_all()
        with suppress(OSError):  # so that `run` waits for no further one
            Client(str(self._socket), "AF_UNIX").close()

    def _serve(self, connection: Connection) -> None:
        """Lend one program, for as long as a connection is open."""
        with connection, suppress(EOFError, OSError):
            kind, options, sources = connection.recv()
            key = (kind, options)
            spare = self._lend(key, sources)
            try:
                connection.send(spare.state if spare else None)
                connection.recv()  # nothing is sent: it ends
            finally:
                if spare:
                    spare.end()
                with self._changed:
                    self._in_use[key] -= 1
                    self._changed.notify_all()

    def _lend(self, key: Key, sources: str) -> _Spare | None:
        with self._changed:
            self._in_use[key] += 1
            self._wanted[key] = max(self._wanted.pop(key, 0), self._in_use[key])
            there = self._spares.get(key, [])
            fresh = [spare for spare in there if spare.sources == sources and spare.process.poll() is None]
            stale = [spare for spare in there if spare not in fresh]
            lent = fresh.pop() if fresh else None
            self._spares[key] = fresh
        for spare in stale:
            spare.end()
        return lent

    def _fill(self) -> None:
        """Start what is wanted, one after the other, while no run needs the processors."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or (not self._in_use.total() and self._find_missing()))
                if self._closed:
                    return
                key = self._find_missing()
                dropped = self._drop_unwanted()
            for spare in dropped:
                spare.end()
            if key is not None:
                self._start(key)

    def _find_missing(self) -> Key | None:
        return next((key for key, count in self._choose().items() if len(self._spares.get(key, [])) < count), None)

    def _choose(self) -> dict[Key, int]:
        """How many are kept of each: of what was wanted last, as many as there is room for."""
        left, chosen = self._most, dict[Key, int]()
        for key, count in reversed(self._wanted.items()):
            chosen[key] = min(count, left)
            left -= chosen[key]
        return chosen

    def _drop_unwanted(self) -> list[_Spare]:
        dropped, chosen = [], self._choose()
        for key, there in self._spares.items():
            count = chosen.get(key, 0)
            dropped += there[count:]
            self._spares[key] = there[:count]
        return dropped

    def _start(self, key: Key) -> None:
        sources = hash_sources()
        with self._changed:
            if self._closed:
                return
            process = self._starting = subprocess.Popen(
                [sys.executable, "-m", "tests.warm.spare", *key],
                cwd=CHECKOUT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,  # Ctrl-C reaches the keeper alone
            )
        line = process.stdout.readline()  # type: ignore[union-attr]  # there is one: it is a pipe
        spare = _Spare(process, base64.b64decode(line), sources)
        with self._changed:
            self._starting = None
            if line:
                self._spares.setdefault(key, []).append(spare)
                self._report(f"{key[0]}: {len(self._spares[key])} ready")
                return
            self._wanted.pop(key, None)  # wanted again, it is tried again
            if not self._closed:
                self._report(f"{key[0]}: cannot be started")
        spare.end()

    def _take_all(self) -> list[_Spare]:
        with self._changed:
            every = [spare for spares in self._spares.values() for spare in spares]
            self._spares.clear()
        return every
