"""Runs a connection's steps in order; slow ones in a thread, so that other connections go on."""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from warden.enforce.gateway.connection.connection import ClientConnection
from warden.enforce.gateway.connection.output import AuditRecord, Output

__all__ = ["OrderedExecutor"]


class OrderedExecutor:
    """The steps of one connection.

    Args:
        core: The connection.
        report: Reports what became of a guarded request; called where the step is taken.
        settle: Takes what leaves the core after a step, and the step's failure; called in the loop.
        regulate: Called in the loop once a step is taken in a thread: nothing more has to be read meanwhile.
    """

    def __init__(
        self,
        core: ClientConnection,
        report: Callable[[AuditRecord], None],
        settle: Callable[[Output, Exception | None], None],
        regulate: Callable[[], None],
    ) -> None:
        self._core = core
        self._report = report
        self._settle = settle
        self._regulate = regulate
        self._waiting: deque[Callable[[], None]] = deque()
        self._aside: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def in_thread(self) -> bool:
        """Whether a step is taken in a thread now."""
        return self._aside is not None

    @property
    def busy(self) -> bool:
        """Whether a step could not be taken at once."""
        return self._aside is not None or bool(self._waiting) or self._core.large or self._closed

    def run(self, step: Callable[..., None], *arguments: Any) -> None:
        """Have the core take something, behind what waits."""
        if self.busy:
            self._waiting.append(partial(step, *arguments))
        else:
            self._settle(*self._attempt(step, *arguments))
        self._run_waiting()

    def run_later(self, step: Callable[[], None]) -> None:
        """Have the core take something behind the step that is being settled."""
        self._waiting.append(step)

    def close(self) -> None:
        """Take no more."""
        self._closed = True
        if self._aside is not None and self._aside is not asyncio.current_task():
            self._aside.cancel()

    def _run_waiting(self) -> None:
        while self._waiting and self._aside is None and not self._closed:
            step = self._waiting.popleft()
            if self._core.large:
                self._aside = asyncio.get_running_loop().create_task(self._run_in_thread(step))
                self._regulate()
            else:
                self._settle(*self._attempt(step))

    async def _run_in_thread(self, step: Callable[[], None]) -> None:
        output, error = await asyncio.to_thread(self._attempt, step)
        self._aside = None
        self._settle(output, error)
        self._run_waiting()

    def _attempt(self, step: Callable[..., None], *arguments: Any) -> tuple[Output, Exception | None]:
        failure = None
        try:
            step(*arguments)
        except Exception as error:  # each kind has its end in `settle`
            failure = error
        output = self._core.take_output()
        for record in output.audit_records:
            self._report(record)
        return output, failure
