"""Changes that were let through and the replica does not show yet: the ``changes`` of later decisions.

A change counts from its decision on, and is there for later requests once the broker has confirmed it. It is forgotten
once the replica was observed later. What it leaves of its topic and what it adds is the policy's to say.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from warden.policy.contract.decision import Document
from warden.policy.opa.item_size import measure_json

__all__ = ["PendingChanges", "RequestChanges"]


_WITHIN: Final = "/request/"  # below it stands what counts within a request alone
_TOLERANCE: Final = 1.0  # seconds by which clocks may differ, as policy has it, which has the last word
_SLACK: Final = 3.0  # seconds of which _TOLERANCE is a part
_CLOCK_BYTES: Final = 32  # of the seconds since a change, as JSON


@dataclass(slots=True, eq=False)
class _PendingChange:
    """A change of one topic.

    Args:
        topic: Its name.
        operation: Of its decision input.
        state: The fields of the topic's state as it leaves them; None where it deletes the topic.
        charges: What it adds to what is capped.
        settled_at: When the broker confirmed it, or could not be heard any more; None while it is under way.
        confirmed: Whether the broker confirmed it.
        size: Bytes that it has in each document.
        state_size: Bytes of its whole state, which is in those about its topic alone.
    """

    topic: str
    operation: str
    state: Mapping[str, Any] | None
    charges: Mapping[str, float]
    settled_at: float | None = None
    confirmed: bool = False
    size: int = field(init=False)
    state_size: int = field(init=False)

    def __post_init__(self) -> None:
        self.size = measure_json({self.topic: [self.to_step(None, whole=False)]}) + _CLOCK_BYTES
        self.state_size = measure_json(self.state)

    def to_step(self, now: float | None, *, whole: bool) -> dict[str, Any]:
        """Return it as a step of its topic.

        Args:
            now: By the clock of `settled_at`; None where the time does not matter.
            whole: Whether with all of its state, or as much as the contract wants of topics that no item is about.
        """
        ago = None if now is None or self.settled_at is None or not self.confirmed else now - self.settled_at
        state = self.state
        if state is not None and not whole:
            state = {name: value for name, value in state.items() if name == "numPartitions"}
        return {"secondsAgo": ago, "state": state, "charges": dict(self.charges)}


class PendingChanges:
    """The changes of one cluster, by topic, in the order in which they were confirmed.

    Args:
        clock: Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changes: dict[str, list[_PendingChange]] = {}
        self._forgotten_until = float("-inf")

    def __len__(self) -> int:
        return sum(map(len, self._changes.values()))

    @property
    def size(self) -> int:
        """Bytes of JSON that they have in a document that is about none of their topics."""
        return sum(change.size for changes in self._changes.values() for change in changes)

    def measure_states(self, topic: Any) -> int:
        """Return the bytes of JSON that they have besides in a document about a topic."""
        return sum(change.state_size for change in self._changes.get(topic, ())) if isinstance(topic, str) else 0

    def to_document(self, topics: Collection[str]) -> dict[str, list[dict[str, Any]]]:
        """Return the ``changes`` of ``kafka/decisions``.

        Args:
            topics: Those that the items are about.
        """
        now = self._clock()
        return {
            topic: [change.to_step(now, whole=topic in topics) for change in changes]
            for topic, changes in self._changes.items()
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
        for topic, changes in list(self._changes.items()):
            kept = [change for change in changes if change.settled_at is None or change.settled_at > observed]
            gone = [at for change in changes if (at := change.settled_at) is not None and at <= observed]
            self._forgotten_until = max([self._forgotten_until, *gone])
            if kept:
                self._changes[topic] = kept
            else:
                del self._changes[topic]

    def add(self, document: Document, decision: Document) -> _PendingChange | None:
        """Count a change that is decided; return None where it changes no topic.

        A creation that is tried again, of which nobody knows what became, counts once.
        """
        topic = document["request"].get("topic")
        charges = {at: amount for at, amount in decision.get("charges", {}).items() if not at.startswith(_WITHIN)}
        if not isinstance(topic, str) or not (charges or "effect" in decision):
            return None
        change = _PendingChange(topic, document["operation"], decision.get("effect", {}), charges)
        unheard = [
            old
            for old in self._changes.get(topic, ())
            if old.operation == change.operation == "CreateTopic" and old.settled_at is not None and not old.confirmed
        ]
        self._changes[topic] = [old for old in self._changes.get(topic, ()) if old not in unheard] + [change]
        return change

    def settle(self, change: _PendingChange, *, confirmed: bool) -> None:
        """Keep a change until the replica was observed later: one that is confirmed is there for later requests."""
        change.settled_at, change.confirmed = self._clock(), confirmed
        changes = self._changes.get(change.topic, [])
        if confirmed and change in changes:  # behind those that were confirmed before
            changes.remove(change)
            changes.insert(sum(old.confirmed for old in changes), change)

    def drop(self, change: _PendingChange) -> None:
        """Forget a change that came to nothing."""
        changes = self._changes.get(change.topic, [])
        if change in changes:
            changes.remove(change)
            if not changes:
                del self._changes[change.topic]


@dataclass(slots=True, eq=False)
class RequestChanges:
    """The changes of one request.

    Args:
        changes: Of its cluster.
    """

    changes: PendingChanges
    _by_key: dict[str, _PendingChange] = field(default_factory=dict)

    def add(self, key: str, document: Document, decision: Document) -> None:
        """Count what was decided about an item."""
        change = self.changes.add(document, decision) if decision.get("allowed") is True else None
        if change is not None:
            self._by_key[key] = change

    def confirm(self, keys: Iterable[str]) -> None:
        """Take note that the broker has done what some items ask for."""
        for key in keys:
            if key in self._by_key:
                self.changes.settle(self._by_key.pop(key), confirmed=True)

    def mark_unconfirmed(self) -> None:
        """Take note that nobody knows whether the broker did what is left."""
        for change in self._by_key.values():
            self.changes.settle(change, confirmed=False)
        self._by_key = {}

    def retain_only(self, keys: Iterable[str]) -> None:
        """Take note that all but some items came to nothing."""
        self.release(self._by_key.keys() - set(keys))

    def release(self, keys: Iterable[str] | None = None) -> None:
        """Take note that some items, or all that are left, came to nothing."""
        for key in list(self._by_key) if keys is None else keys:
            if key in self._by_key:
                self.changes.drop(self._by_key.pop(key))
