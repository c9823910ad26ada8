"""How the tasks of a scan reach OPA: one that is there already, several of them, or one for each host."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from warden.errors import OpaUnreachable
from warden.opa.client import OpaClient, Timeout
from warden.scan.evaluate import Job

__all__ = ["Door", "Opa", "patient"]

Post = Callable[[str, bytes], bytes]

_ATTEMPTS = 6
_PAUSE = 0.5  # seconds; it doubles with each attempt


class Door(Protocol):
    """Travels to the tasks; each opens it once."""

    def open(self, job: Job, task: int) -> AbstractContextManager[Post]:
        """Yield a function that sends a body to a path of the Data API and returns the body of the answer."""

    def client(self) -> OpaClient:
        """Return a client for the driver."""


@dataclass(frozen=True)
class Opa:
    """An OPA that is there already.

    Args:
        url: Base URL as seen from the executors.
        token: Query token, or None where OPA asks for none.
        others: Base URLs of more OPAs with the same bundle and token; tasks take turns.
        timeout: Limits for each call.
        attempts: Calls before a task gives up; the pauses between them double, from half a second.
    """

    url: str
    token: str | None = field(default=None, repr=False)
    others: tuple[str, ...] = ()
    timeout: Timeout = field(default_factory=Timeout)
    attempts: int = _ATTEMPTS

    @contextmanager
    def open(self, job: Job, task: int) -> Iterator[Post]:
        """As `Door.open`; where one OPA cannot be reached the next one is asked."""
        urls = (self.url, *self.others)
        turn = iter(range(task, task + 1_000_000))
        with patient(
            lambda: (urls[next(turn) % len(urls)], self.token), job.in_flight, self.timeout, self.attempts
        ) as post:
            yield post

    def client(self) -> OpaClient:
        """As `Door.client`."""
        return OpaClient(self.url, token=self.token, timeout=self.timeout)


@contextmanager
def patient(
    find: Callable[[], tuple[str, str | None]],
    pool_size: int,
    timeout: Timeout,
    attempts: int = _ATTEMPTS,
    pause: float = _PAUSE,
) -> Iterator[Post]:
    """Yield a function that posts, and looks for OPA again where it cannot be reached.

    Asking twice does no harm: decisions are pure, and an answer counts once.

    Args:
        find: Returns address and token; called at first, and again after each failure.
        pool_size: Threads that will call.
        timeout: Limits for each call.
        attempts: Calls before the failure is raised.
        pause: Seconds before the second call; it doubles with each.
    """
    lock = threading.Lock()
    used: list[OpaClient] = []

    def client(failed: OpaClient | None) -> OpaClient:
        with lock:
            if not used or used[-1] is failed:  # else another thread has found it already
                url, token = find()
                used.append(OpaClient(url, token=token, pool_size=pool_size, timeout=timeout))
            return used[-1]

    def post(path: str, body: bytes) -> bytes:
        failed = None
        for attempt in range(attempts):
            asked = client(failed)
            try:
                return asked.post_raw(path, body)
            except OpaUnreachable:
                if attempt == attempts - 1:
                    raise
                failed = asked
                time.sleep(pause * 2**attempt)
        raise AssertionError

    try:
        yield post
    finally:
        for one in used:
            one.close()
