"""Objects that could not be patched now: each has its own pauses, and others come first. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from warden.base.files.redact import redact_line
from warden.base.process.backoff import Backoff
from warden.enforce.remediate.objects import Key, KubernetesObject
from warden.enforce.remediate.remediation import Remediation

__all__ = ["FailedPatches", "shorten"]

_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 1.0, 60.0  # seconds of an object's pauses
_LONGEST_TEXT = 200  # characters of a problem: /readyz masks a longer text whole where a word of it may name a secret


@dataclass
class _Try:
    """The last try to patch an object.

    Args:
        tried: What was tried; None once the object is another version.
        reason: Why it failed.
        noted: Whether the undo record has it, since it may have been carried out.
        at: Monotonic seconds at which it is tried again.
        backoff: Its pauses.
    """

    tried: Remediation | None = None
    reason: str = ""
    noted: bool = False
    at: float = 0.0
    backoff: Backoff = field(default_factory=lambda: Backoff(_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS))


class FailedPatches:
    """What was tried in vain, by object."""

    def __init__(self) -> None:
        self._tries: dict[Key, _Try] = {}

    def __len__(self) -> int:
        return len(self._tries)

    def count_failure(self, remediation: Remediation, reason: str, now: float, *, noted: bool) -> int:
        """Note a try in vain, and return how many there were in a row.

        Args:
            remediation: What was tried.
            reason: Why it failed.
            now: Monotonic seconds.
            noted: Whether the undo record has it, since it may have been carried out all the same.
        """
        last = self._tries.setdefault(remediation.key, _Try())
        last.tried, last.reason, last.noted = remediation, reason, noted
        last.at = now + last.backoff.compute_delay()
        return last.backoff.failures

    def find_next(self, keys: Iterable[Key], now: float) -> Key | None:
        """Return the first that was never tried in vain, or else the one whose pause ended first; None for neither."""
        waiting: Key | None = None
        for key in keys:
            if key not in self._tries:
                return key
            if waiting is None or self._tries[key].at < self._tries[waiting].at:
                waiting = key
        return waiting if waiting is not None and self._tries[waiting].at <= now else None

    def compute_wait(self, keys: Iterable[Key], now: float) -> float:
        """Return the seconds until `find_next` has one of some keys."""
        ends = [self._tries[key].at if key in self._tries else now for key in keys]
        return max(0.0, min(ends, default=now) - now)

    def has_noted(self, remediation: Remediation) -> bool:
        """Whether the undo record has this very patch from a try before."""
        last = self._tries.get(remediation.key)
        return last is not None and last.noted and last.tried is not None and _is_same(last.tried, remediation)

    def settle(self, now: Remediation) -> tuple[Remediation, bool] | None:
        """Return what a try has carried out after all, and whether the undo record has it already; None for nothing.

        A try of another version of the object is forgotten; the pauses go on.

        Args:
            now: What was decided about the object as it is now, or the object alone.
        """
        last = self._tries.get(now.key)
        tried = last.tried if last else None
        if last is None or tried is None:
            return None
        if tried.carrier:
            is_done = now.patch is None and now.manifest == tried.manifest
            last.tried = None if is_done else tried
        elif _get_version(tried.obj) == _get_version(now.obj):
            return None
        else:
            annotations = now.obj["metadata"].get("annotations") or {}
            is_done = tried.obj["metadata"].get("uid") == now.obj["metadata"].get("uid") and all(
                annotations.get(name) == text for name, text in tried.after.items()
            )
            last.tried = None
        return (tried, last.noted) if is_done else None

    def retain_only(self, keys: Collection[Key]) -> None:
        """Forget all objects but some."""
        self._tries = {key: last for key, last in self._tries.items() if key in keys}

    @property
    def problem(self) -> str | None:
        """How many objects wait for another try, and why the first of them does; None where none waits."""
        if not self._tries:
            return None
        key, first = next(iter(self._tries.items()))
        return shorten(f"{len(self)} cannot be patched now, such as {'/'.join(key)}: {first.reason}")


def shorten(text: str) -> str:
    """Return a problem as one line that is not too long."""
    text = redact_line(text)
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"


def _is_same(old: Remediation, new: Remediation) -> bool:
    return (_get_version(old.obj), old.before, old.after) == (_get_version(new.obj), new.before, new.after)


def _get_version(obj: KubernetesObject) -> tuple[object, object]:
    return obj["metadata"].get("uid"), obj["metadata"].get("resourceVersion")
