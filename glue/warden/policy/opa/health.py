"""Health of an OPA: it decides and takes writes. A hang in OPA is one at its store's lock, which only writes show."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from warden.base.errors import OpaError, OpaUnreachable
from warden.base.tls.reloading_context import ReloadingContext, load_client_context
from warden.policy.opa.client import OpaClient, RetryPolicy, Timeout

__all__ = ["Health", "HealthCheck", "RestartDeadline"]

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Health:
    """What a check found.

    Args:
        answers: Whether OPA answered, be it with a refusal: where it did, a restart would help nobody.
        problem: Why it does not decide or takes no writes; None where all is well.
    """

    answers: bool
    problem: str | None = None


@dataclass(frozen=True)
class HealthCheck:
    """One decision and one write that changes nothing, within a deadline.

    Args:
        url: OPA's address.
        query: Its query token; without one OPA's refusal shows that it answers.
        replicator: The token that may write; without it nothing is written.
        ca_file: PEM file of certificates to trust for https; None for the system's.
        deadline: Seconds for both.
    """

    url: str
    query: str | None = field(default=None, repr=False)
    replicator: str | None = field(default=None, repr=False)
    ca_file: Path | None = None
    deadline: float = 5.0

    def __call__(self) -> Health:
        """Check once.

        Raises:
            ConfigurationError: The address is none, or the CA file cannot be loaded by the first check.
        """
        end = time.monotonic() + self.deadline
        health = self._try(self.query, end, lambda client: client.read_revisions(), "does not decide")
        if not health.answers:
            return health
        written = self._write(end)
        return written if written.problem else health

    @cached_property
    def _tls(self) -> ReloadingContext | None:
        """Whom all checks trust: a file that is being replaced does not make an OPA look as if it hung."""
        return load_client_context(self.ca_file, None, "--ca-file", _LOG) if self.ca_file else None

    def _write(self, end: float) -> Health:
        if self.replicator:
            return self._try(self.replicator, end, lambda client: client.patch_data(["clusters"], []), "takes no write")
        return Health(True)

    def _try(self, token: str | None, end: float, use: Callable[[OpaClient], object], what: str) -> Health:
        left = max(0.1, end - time.monotonic())
        limits = Timeout(connect=left, read=left, total=left)
        with OpaClient(self.url, token=token, timeout=limits, retries=RetryPolicy(1), tls=self._tls) as client:
            try:
                use(client)
            except OpaError as error:
                has_answered = not isinstance(error, OpaUnreachable) or error.code is not None
                return Health(has_answered, f"OPA {what}: {error}")
        return Health(True)


@dataclass
class RestartDeadline:
    """For how long an OPA may be without an answer before it has to be restarted.

    Args:
        seconds: After an answer.
        start_seconds: Before the first one.
    """

    seconds: float = 15.0
    start_seconds: float = 60.0

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Count from now, for an OPA that has just been started."""
        self._end = time.monotonic() + self.start_seconds

    def is_over(self, health: Health) -> bool:
        """Return whether a check that has just ended leaves nothing but a restart."""
        now = time.monotonic()
        if health.answers:
            self._end = now + self.seconds
        return now >= self._end
