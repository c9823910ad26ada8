"""The queue of requests that wait for decisions: few calls of OPA at once, with the items of many requests in each.

OPA decides as many items in a second as it has cores for. Calls beyond that would only take each other's time, until
each takes longer than any client waits, and nothing is decided at all.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from warden.base.errors import OpaError, OpaInputTooLarge, OpaTimeout, OpaUnreachable
from warden.enforce.gateway.decisions.batches import BatchDecisions, DecisionBatch, WaitingRequest, take_batch
from warden.enforce.gateway.decisions.decider import Decider
from warden.enforce.gateway.pending_changes.pending_changes import PendingChanges, RequestChanges
from warden.policy.contract.decision import Document
from warden.policy.opa.item_size import MAX_BODY_BYTES, measure_json

__all__ = ["DecisionQueue", "Overloaded", "ReplicaBehind"]

_FIRST: Final = 16  # items of the first batch: nothing is known of OPA's pace
_MAX_BATCH_ITEMS: Final = 1000
_UNSEEN: Final = 5000  # changes that go to OPA with each call
_UNSEEN_BYTES: Final = MAX_BODY_BYTES // 2  # of JSON of these, beside which the items have room
_ENVELOPE_BYTES: Final = 1024  # of JSON around items and changes
_OF_LIMIT: Final = 4  # a batch is to take a quarter of the time that a call may take
_AGE_INPUT: Final = {"operation": "CreateTopic", "request": {"topic": "warden.gateway.state-age"}}
_ORDERED: Final = frozenset({"AlterTopic", "CreateTopic", "DeleteTopic"})


class Overloaded(OpaError):
    """Raised where a client's time is over before OPA came to its request: nothing was decided."""


class ReplicaBehind(OpaError):
    """Raised where more was changed than is kept, and the replica shows none of it: nothing more is let change."""


class DecisionQueue:
    """The queue of one cluster.

    Changes of topics are decided one batch after the other, since each counts for those after it; all else beside them.

    Args:
        decider: Asks OPA.
        common: What all requests have in common.
        calls: How many calls of OPA there may be at once, of all clusters.
        report: Gets the seconds that a call took, how many items it was about, and whether it was too slow.
    """

    def __init__(
        self,
        decider: Decider,
        common: Mapping[str, Any],
        calls: asyncio.Semaphore,
        report: Callable[[float, int, bool], None],
    ) -> None:
        self._decider = decider
        self._common = common
        self._calls = calls
        self._report = report
        self._changes = PendingChanges()
        self._lanes = (_Lane(1), _Lane(decider.settings.in_flight))
        self._tasks: set[asyncio.Task[None]] = set()

    async def decide(self, inputs: Mapping[str, Any], common: Mapping[str, Any], seconds: float) -> BatchDecisions:
        """Return the decisions about the items of one request.

        Args:
            inputs: Decision inputs by item, in the request's order.
            common: What they have in common.
            seconds: How long its client waits.

        Raises:
            OpaInputTooLarge: One of them is too large.
            Overloaded: The time was over.
            OpaError: Nothing was decided.
        """
        self._decider.check_size(inputs)
        loop = asyncio.get_running_loop()
        claim = RequestChanges(self._changes)
        request = WaitingRequest(inputs, common, loop.time() + seconds, loop.create_future(), claim)
        ordered = any(document.get("operation") in _ORDERED for document in inputs.values())
        lane = self._lanes[0 if ordered else 1]
        lane.waiting.append(request)
        limit = loop.call_at(request.deadline, _shed, request)
        self._begin(lane)
        try:
            return await request.answer
        except BaseException:  # the client has gone, perhaps after the decision
            request.claim.release()
            raise
        finally:
            limit.cancel()

    def __len__(self) -> int:
        return sum(len(lane.waiting) for lane in self._lanes)

    def close(self) -> None:
        """End: nobody waits any more."""
        for task in self._tasks:
            task.cancel()

    def _begin(self, lane: "_Lane") -> None:
        if lane.running < lane.most and lane.waiting:
            lane.running += 1
            task = asyncio.get_running_loop().create_task(self._run(lane))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _run(self, lane: "_Lane") -> None:
        try:
            while lane.waiting:
                async with self._calls:
                    lane.drop_unwanted()
                    batch = take_batch(
                        lane.waiting,
                        lane.size,
                        requests=lane.take_turn(),
                        body_bytes=MAX_BODY_BYTES - _ENVELOPE_BYTES - self._changes.size,
                        measure=self._measure_item,
                    )
                    if batch.parts:
                        with batch.begin_span():
                            await self._call(lane, batch)
        finally:
            lane.running -= 1

    async def _call(self, lane: "_Lane", batch: DecisionBatch) -> None:
        loop = asyncio.get_running_loop()
        began, slow = loop.time(), False
        try:
            if lane is self._lanes[0] and self._is_full():
                await self._learn_state_age()
                if self._is_full():
                    raise ReplicaBehind("the replica shows nothing of the last changes: see the replicator")
            document = batch.to_document(self._common, self._changes.to_document(batch.topics))
            decisions, decision_id = await self._decider.decide(document, shows=self._changes.may_decide_by)
        except OpaTimeout:
            slow = True
            await self._forget_by_age()
            self._slow_down(lane, batch)
        except OpaError as error:
            if isinstance(error, OpaInputTooLarge) and await self._forget_by_age():
                batch.give_back(lane.waiting)
            else:
                self._fail(lane, batch, error)
        except Exception as error:  # a defect of ours: its clients shall not wait for ever
            for request, _ in batch.parts:
                request.fail(error)
        else:
            self._forget(decisions, loop.time() - began)
            lane.learn(len(batch), loop.time() - began, self._decider.settings.timeout)
            batch.deliver(decisions, decision_id)
        self._report(loop.time() - began, len(batch), slow)

    def _measure_item(self, document: Document) -> int:
        return measure_json(document) + self._changes.measure_states(document["request"].get("topic"))

    def _is_full(self) -> bool:
        return len(self._changes) > _UNSEEN or self._changes.size > _UNSEEN_BYTES

    async def _forget_by_age(self) -> bool:
        """Forget changes after a call that failed, perhaps since it has too many, and return whether any are gone."""
        before = len(self._changes)
        if before:
            with suppress(OpaError):
                await self._learn_state_age()
        return len(self._changes) < before

    async def _learn_state_age(self) -> None:
        """Forget what the replica shows by now, whose age an input without changes tells.

        Raises:
            OpaError: It does not.
        """
        began = asyncio.get_running_loop().time()
        decisions, _ = await self._decider.decide({"items": {"age": _AGE_INPUT}, "common": dict(self._common)})
        self._forget(decisions, asyncio.get_running_loop().time() - began)

    def _forget(self, decisions: Mapping[str, Document], waited: float) -> None:
        ages = [age for decision in decisions.values() if isinstance(age := decision.get("stateAge"), int | float)]
        if ages:
            self._changes.forget(self._decider.find_oldest(str(self._common.get("cluster")), max(ages), waited))

    def _slow_down(self, lane: "_Lane", batch: DecisionBatch) -> None:
        """Try fewer items at once; one that takes longer than a call may take, twice and alone, is shed."""
        if len(batch) > 1:
            lane.size = max(1, len(batch) // 2)
            batch.give_back(lane.waiting)
            return
        for request, _ in batch.parts:
            if request.tried_alone:
                _shed(request)
            else:
                request.tried_alone = True
                batch.give_back(lane.waiting)
                lane.waiting.rotate(-1)  # OPA may still be at what came before

    def _fail(self, lane: "_Lane", batch: DecisionBatch, error: OpaError) -> None:
        """Fail the request, or try each alone: one that OPA fails at must not fail the others."""
        if len(batch.parts) > 1 and not isinstance(error, OpaUnreachable | ReplicaBehind):
            batch.give_back(lane.waiting)
            lane.alone += len(batch.parts)
        else:
            for request, _ in batch.parts:
                request.fail(error)


class _Lane:
    """Requests that are decided in one order.

    Args:
        most: How many batches of them may be with OPA at once.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.running = 0
        self.waiting: deque[WaitingRequest] = deque()
        self.alone = 0
        self.pace = 0.0  # seconds for an item
        self.size = _FIRST  # items in the next batch

    def take_turn(self) -> int | None:
        """Return of how many requests the next batch may be; None for all."""
        if not self.alone:
            return None
        self.alone -= 1
        return 1

    def learn(self, count: int, seconds: float, limit: float) -> None:
        """Take note of how long a batch took."""
        pace = seconds / max(1, count)
        self.pace = (self.pace * 3 + pace) / 4 if self.pace else pace
        self.size = max(1, min(_MAX_BATCH_ITEMS, self.size * 2, int(limit / _OF_LIMIT / max(self.pace, 1e-6))))

    def drop_unwanted(self) -> None:
        """Forget the requests for which nobody waits any more."""
        if any(request.answer.done() for request in self.waiting):
            self.waiting = deque(request for request in self.waiting if not request.answer.done())


def _shed(request: WaitingRequest) -> None:
    if not request.answer.done():
        request.fail(Overloaded("OPA has more to decide than it can in the time that clients wait"))
