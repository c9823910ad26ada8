"""Objects that a ``with`` block ends: programs that run, and connections that are open, until it is left."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

__all__ = ["AsyncManagedProgram", "Closing", "ManagedProgram"]


class Closing(ABC):
    """Something open that leaving a ``with`` block closes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Close it."""


class ManagedProgram(ABC):
    """A program of ours: entering starts it and waits for it, leaving stops it; what fails half-way leaves nothing."""

    def __enter__(self) -> Self:
        try:
            self._begin()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _begin(self) -> None:
        """Start, and return when it can be used."""
        self.start()

    @abstractmethod
    def start(self) -> None:
        """Start."""

    @abstractmethod
    def stop(self) -> None:
        """Stop, and remove what is temporary. May be called again."""


class AsyncManagedProgram(ABC):
    """A server or client of ours: entering starts it, leaving stops it; what fails half-way leaves nothing."""

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    @abstractmethod
    async def _start(self) -> None:
        """Listen, or connect."""

    @abstractmethod
    async def _stop(self) -> None:
        """Stop, also what has only begun."""
