"""Changes that were let through and the replica does not show yet: the ``changes`` of later decisions.

A change counts from its decision on, and is there for later requests once the broker has confirmed it. It is forgotten
once the replica was observed later. What it leaves of its topic and what it adds is the policy's to say.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from warden.policy.contract.decision import Document

__all__ = ["PendingChanges", "RequestChanges"]


_WITHIN: Final = "/request/"  # below it stands what counts within a request alone
_TOLERANCE: Final = 1.0  # seconds by which clocks may differ, as policy has it, which has the last word
_SLACK: Final = 3.0  # seconds of which _TOLERANCE is a part


@dataclass(slots=True, eq=False)
class _Step:
    """A change of one topic.

    Args:
        topic: Its name.
        operation: Of its decision input.
        state: The fields of the topic's state as it leaves them; None where it deletes the topic.
        charges: What it adds to what is capped.
        settled_at: When the broker confirmed it, or could not be heard any more; None while it is under way.
        confirmed: Whether the broker confirmed it.
    """

    topic: str
    operation: str
    state: Mapping[str, Any] | None
    charges: Mapping[str, float]
    settled_at: float | None = None
    confirmed: bool = False


class PendingChanges:
    """The changes of one cluster, by topic, in the order in which they were confirmed.

    Args:
        clock: Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._steps: dict[str, list[_Step]] = {}
        self._forgotten_until = float("-inf")

    def __len__(self) -> int:
        return sum(map(len, self._steps.values()))

    def to_document(self) -> dict[str, list[dict[str, Any]]]:
        """Return the ``changes`` of ``kafka/decisions``."""
        now = self._clock()
        return {
            topic: [
                {
                    "secondsAgo": now - step.settled_at if step.confirmed and step.settled_at is not None else None,
                    "state": step.state,
                    "charges": dict(step.charges),
                }
                for step in steps
            ]
            for topic, steps in self._steps.items()
        }

    def may_decide_by(self, state_age: float) -> bool:
        """Return whether a state of this age shows all that is forgotten, so that it may be decided by."""
        return self._forgotten_until <= self._clock() - state_age - _TOLERANCE

    def forget(self, state_age: float) -> None:
        """Forget what a state of this age shows.

        Args:
            state_age: Seconds since the oldest state was observed by which something is decided now.
        """
        observed = self._clock() - state_age - _SLACK
        for topic, steps in list(self._steps.items()):
            kept = [step for step in steps if step.settled_at is None or step.settled_at > observed]
            gone = [step.settled_at for step in steps if step.settled_at is not None and step.settled_at <= observed]
            self._forgotten_until = max([self._forgotten_until, *gone])
            if kept:
                self._steps[topic] = kept
            else:
                del self._steps[topic]

    def add(self, document: Document, decision: Document) -> _Step | None:
        """Count a change that is decided; return None where it changes no topic.

        A creation that is tried again, of which nobody knows what became, counts once.
        """
        topic = document["request"].get("topic")
        charges = {at: amount for at, amount in decision.get("charges", {}).items() if not at.startswith(_WITHIN)}
        if not isinstance(topic, str) or not (charges or "effect" in decision):
            return None
        step = _Step(topic, document["operation"], decision.get("effect", {}), charges)
        unheard = [
            old
            for old in self._steps.get(topic, ())
            if old.operation == step.operation == "CreateTopic" and old.settled_at is not None and not old.confirmed
        ]
        self._steps[topic] = [old for old in self._steps.get(topic, ()) if old not in unheard] + [step]
        return step

    def settle(self, step: _Step, *, confirmed: bool) -> None:
        """Keep a change until the replica was observed later: one that is confirmed is there for later requests."""
        step.settled_at, step.confirmed = self._clock(), confirmed
        steps = self._steps.get(step.topic, [])
        if confirmed and step in steps:  # behind those that were confirmed before
            steps.remove(step)
            steps.insert(sum(old.confirmed for old in steps), step)

    def drop(self, step: _Step) -> None:
        """Forget a change that came to nothing."""
        steps = self._steps.get(step.topic, [])
        if step in steps:
            steps.remove(step)
            if not steps:
                del self._steps[step.topic]


@dataclass(slots=True, eq=False)
class RequestChanges:
    """The changes of one request.

    Args:
        changes: Of its cluster.
    """

    changes: PendingChanges
    _steps: dict[str, _Step] = field(default_factory=dict)

    def add(self, key: str, document: Document, decision: Document) -> None:
        """Count what was decided about an item."""
        step = self.changes.add(document, decision) if decision.get("allowed") is True else None
        if step is not None:
            self._steps[key] = step

    def confirm(self, keys: Iterable[str]) -> None:
        """Take note that the broker has done what some items ask for."""
        for key in keys:
            if key in self._steps:
                self.changes.settle(self._steps.pop(key), confirmed=True)

    def mark_unconfirmed(self) -> None:
        """Take note that nobody knows whether the broker did what is left."""
        for step in self._steps.values():
            self.changes.settle(step, confirmed=False)
        self._steps = {}

    def retain_only(self, keys: Iterable[str]) -> None:
        """Take note that all but some items came to nothing."""
        self.release(self._steps.keys() - set(keys))

    def release(self, keys: Iterable[str] | None = None) -> None:
        """Take note that some items, or all that are left, came to nothing."""
        for key in list(self._steps) if keys is None else keys:
            if key in self._steps:
                self.changes.drop(self._steps.pop(key))
