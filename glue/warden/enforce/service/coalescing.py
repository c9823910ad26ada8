"""Requests that come while others are answered, answered together."""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Executor
from itertools import islice
from typing import Generic, TypeVar

from warden.base.errors import OpaUnreachable, StoreError, WardenError
from warden.base.telemetry.traces import bind_context

__all__ = ["RequestCoalescer"]

_MAX_BATCH = 100  # requests at a time: what OPA answers well within its limit of time
_IN_FLIGHT = 2

_Request = TypeVar("_Request", bound=Hashable)
_Answer = TypeVar("_Answer")
_Waiting = tuple[Callable[[Sequence[_Request]], Sequence[_Answer | WardenError]], "asyncio.Future[_Answer]"]


class RequestCoalescer(Generic[_Request, _Answer]):
    """Sends one request at once, and those that come meanwhile together; equal ones once. For the event loop's thread.

    A request goes out after it has come, never before: what was stored by then is in its answer.

    Args:
        call: Answers different requests in their order, each with an answer or its error.
        pool: Where it is called.
    """

    def __init__(self, call: Callable[[Sequence[_Request]], Sequence[_Answer | WardenError]], pool: Executor) -> None:
        self._call, self._pool = call, pool
        self._waiting: dict[_Request, _Waiting[_Request, _Answer]] = {}
        self._under_way: set[asyncio.Task[None]] = set()

    async def ask(self, request: _Request) -> _Answer:
        """Return the answer to a request, or raise its error."""
        waiting = self._waiting.get(request)
        if waiting is None:
            answer: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()
            waiting = self._waiting[request] = (bind_context(self._collect_answers), answer)
            answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # all may have gone
            self._start()
        return await asyncio.shield(waiting[1])

    def _start(self) -> None:
        while self._waiting and len(self._under_way) < _IN_FLIGHT:
            batch = {request: self._waiting.pop(request) for request in list(islice(self._waiting, _MAX_BATCH))}
            task = asyncio.create_task(self._settle(batch))
            self._under_way.add(task)
            task.add_done_callback(self._on_end)

    def _on_end(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._start()

    async def _settle(self, batch: "dict[_Request, _Waiting[_Request, _Answer]]") -> None:
        answer_all, _ = next(iter(batch.values()))  # of the traces that are waited for, the first has the call
        try:
            answers = await asyncio.get_running_loop().run_in_executor(self._pool, answer_all, list(batch))
        except Exception as defect:
            for _, future in batch.values():
                future.set_exception(defect)
            return
        for (_, future), answer in zip(batch.values(), answers, strict=True):
            if isinstance(answer, WardenError):
                future.set_exception(answer)
            else:
                future.set_result(answer)

    def _collect_answers(self, requests: Sequence[_Request]) -> Sequence[_Answer | WardenError]:
        """Return the answers; where all fail for the sake of one, each request by itself."""
        try:
            return self._call(requests)
        except (OpaUnreachable, StoreError) as error:
            return [error] * len(requests)
        except WardenError as error:
            if len(requests) == 1:
                return [error]
            return [answer for request in requests for answer in self._collect_answers([request])]
