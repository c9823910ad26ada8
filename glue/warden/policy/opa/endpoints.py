"""Endpoints: how the tasks of a job reach OPA: one that runs, several of them, or one on each host."""

import logging
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from warden.base.errors import OpaUnreachable
from warden.base.tls.reloading_context import ReloadingContext
from warden.policy.opa.item_size import MAX_ITEM_BYTES
from warden.policy.opa.retry import RetryPolicy, Timeout
from warden.policy.opa.revision_floor import RevisionFloor

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["JOB_RETRIES", "OpaEndpoint", "RemoteOpa", "with_retries"]

_LOG = logging.getLogger(__name__)

Post = Callable[[str, bytes], bytes]

JOB_RETRIES = RetryPolicy(
    attempts=8, base=1.0, maximum=8.0
)  # some 20 s: an OPA that was killed has been started by then


class OpaEndpoint(Protocol):
    """Way to an OPA; travels to the tasks of a job, each of which opens it once."""

    def open(self, in_flight: int, task: int) -> AbstractContextManager[Post]:
        """Yield a function that sends a body to a path of the Data API and returns the body of the answer.

        Args:
            in_flight: Requests that the task has under way at once.
            task: Number of the task, by which several OPAs take turns.
        """

    def build_client(self) -> "OpaClient":
        """Return a client for the driver."""


@dataclass(frozen=True)
class RemoteOpa:
    """An OPA that is there already.

    Args:
        url: Base URL as seen from the executors.
        token: Query token, or None where OPA asks for none.
        others: Base URLs of more OPAs with the same bundle and token; tasks take turns.
        timeout: Limits for each call.
        retries: When a task turns to the next OPA, or to the same one again.
        floor: What refuses older bundles for the driver's client; tasks decide by the bundle that the driver has seen.
        authorities: Certificates to trust for https, as PEM, which travel to the tasks as the token does: no executor
            needs the file. Those whom the system trusts, on each machine its own, where None.
    """

    url: str
    token: str | None = field(default=None, repr=False)
    others: tuple[str, ...] = ()
    timeout: Timeout = field(default_factory=Timeout)
    retries: RetryPolicy = JOB_RETRIES
    floor: RevisionFloor | None = None
    authorities: str | None = field(default=None, repr=False)

    @contextmanager
    def open(self, in_flight: int, task: int) -> Iterator[Post]:
        """As `OpaEndpoint.open`; where one OPA cannot be reached the next one is called."""
        urls = (self.url, *self.others)
        turn = iter(range(task, task + 1_000_000))
        with with_retries(
            lambda: (urls[next(turn) % len(urls)], self.token), in_flight, self.timeout, self.retries, self._build_tls()
        ) as post:
            yield post

    def build_client(self, *, max_item_bytes: int = MAX_ITEM_BYTES) -> "OpaClient":
        """As `OpaEndpoint.build_client`, for inputs that have no more JSON than that."""
        from warden.policy.opa.client import OpaClient

        return OpaClient(
            self.url,
            token=self.token,
            timeout=self.timeout,
            floor=self.floor,
            max_item_bytes=max_item_bytes,
            tls=self._build_tls(),
        )

    def _build_tls(self) -> ReloadingContext | None:
        pem = self.authorities
        if pem is None:
            return None
        return ReloadingContext(lambda: ssl.create_default_context(cadata=pem), (), "the CA of OPA", _LOG)


@contextmanager
def with_retries(
    locate: Callable[[], tuple[str, str | None]],
    pool_size: int,
    timeout: Timeout,
    retries: RetryPolicy = JOB_RETRIES,
    tls: ReloadingContext | None = None,
) -> Iterator[Post]:
    """Yield a function that posts, and locates OPA again where it cannot be reached.

    Posting twice does no harm: decisions are pure, and an answer counts once. Each call is retried by the client first,
    for as long as `timeout` allows; these retries are for an OPA that has to be started again, or another one.

    Args:
        locate: Returns address and token; called at first, and again after each failure.
        pool_size: Threads that will call.
        timeout: Limits for each call.
        retries: When to locate OPA again.
        tls: As of `warden.policy.opa.client.OpaClient`.
    """
    from warden.policy.opa.client import OpaClient

    lock = threading.Lock()
    clients: list[OpaClient] = []

    def obtain_client(failed: OpaClient | None) -> OpaClient:
        with lock:
            if not clients or clients[-1] is failed:  # else another thread has located it already
                url, token = locate()
                clients.append(OpaClient(url, token=token, pool_size=pool_size, timeout=timeout, tls=tls))
            return clients[-1]

    def post(path: str, body: bytes) -> bytes:
        failed, attempt = None, 0
        while True:
            current = obtain_client(failed)
            try:
                return current.post_raw(path, body)
            except OpaUnreachable:
                attempt += 1
                pause = retries.compute_pause(attempt)
                if pause is None:
                    raise
                failed = current
            time.sleep(pause)

    try:
        yield post
    finally:
        for client in clients:
            client.close()
