"""Namespaces about whose objects OPA did not decide in time: each has its own pauses, and others go on. Pure."""

from collections.abc import Collection
from dataclasses import dataclass, field

from warden.base.process.backoff import Backoff
from warden.enforce.remediate.failed_patches import shorten

__all__ = ["SlowNamespaces"]

_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 10.0, 300.0  # seconds of a namespace's pauses


@dataclass
class _Pause:
    at: float = 0.0  # monotonic seconds at which it ends
    reason: str = ""
    backoff: Backoff = field(default_factory=lambda: Backoff(_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS))


class SlowNamespaces:
    """Which namespaces wait, by name."""

    def __init__(self) -> None:
        self._pauses: dict[str, _Pause] = {}

    def __len__(self) -> int:
        return len(self._pauses)

    def __contains__(self, namespace: str) -> bool:
        return namespace in self._pauses

    def count_failure(self, namespace: str, reason: str, now: float) -> int:
        """Let a namespace wait, and return how often it has in a row.

        Args:
            namespace: Its name.
            reason: What OPA did instead.
            now: Monotonic seconds.
        """
        pause = self._pauses.setdefault(namespace, _Pause())
        pause.at, pause.reason = now + pause.backoff.compute_delay(), reason
        return pause.backoff.failures

    def is_waiting(self, namespace: str, now: float) -> bool:
        """Whether a namespace's pause goes on."""
        return namespace in self._pauses and now < self._pauses[namespace].at

    def retain_only(self, namespaces: Collection[str]) -> None:
        """Forget all namespaces but some."""
        self._pauses = {name: pause for name, pause in self._pauses.items() if name in namespaces}

    @property
    def problem(self) -> str | None:
        """How many namespaces wait, and why the first of them does; None where none waits."""
        if not self._pauses:
            return None
        name, first = next(iter(self._pauses.items()))
        return shorten(f"namespaces not decided about in time: {len(self)}, such as {name or 'none'}: {first.reason}")
