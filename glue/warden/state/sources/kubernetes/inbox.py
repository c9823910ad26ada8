"""Events that no reader has taken yet: the latest of each object, so that their number is limited."""

from collections.abc import Mapping
from threading import Condition
from typing import Any

__all__ = ["Inbox"]


class Inbox:
    """Filled by many threads and emptied by one."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._came: dict[tuple[str, ...], Any] = {}
        self._failure: Exception | None = None
        self._awake = False

    def put(self, key: tuple[str, ...], obj: Mapping[str, Any] | None) -> None:
        """Note an object, or that it is gone; what was noted of it before is forgotten.

        Args:
            key: What it is looked up by: its collection, namespace and name.
            obj: The object; None where it is gone.
        """
        with self._changed:
            self._came[key] = obj
            self._changed.notify_all()

    def fail(self, error: Exception) -> None:
        """Note that nothing further comes, and why; the first reason stays."""
        with self._changed:
            self._failure = self._failure or error
            self._changed.notify_all()

    def wake(self) -> None:
        """Let whoever waits come back, now and from now on."""
        with self._changed:
            self._awake = True
            self._changed.notify_all()

    def take_changes(self, timeout: float) -> dict[tuple[str, ...], Any]:
        """Return what came, by key, waiting at most so many seconds for something to come.

        Raises:
            Exception: The reason why nothing further comes; what came before it is dropped.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._came or self._failure or self._awake, timeout)
            if self._failure is not None:
                raise self._failure
            came, self._came = self._came, {}
            return came
