"""A consumer group of three static members, polled in turn."""

from collections import Counter
from functools import partial
from typing import Any

from confluent_kafka import Producer

from tests.serve.proxied import Seen
from warden.clients import ConfigService, DynamicConsumer

__all__ = ["Group"]

_NAMES = "abc"


class Group:
    """Three members, who read all of a topic.

    Args:
        address: The broker's.
        topic: The topic.
        partitions: How many it has.
        configs: Where they take their configs from.
        seen: The requests that the broker gets.

    Attributes:
        read: How often each number was read.
        called: Which callbacks of the subscription were called, and whose.
    """

    def __init__(self, address: str, topic: str, partitions: int, configs: ConfigService, seen: Seen) -> None:
        self.read: Counter[int] = Counter()
        self.called: list[str] = []
        self._topic, self._partitions, self._seen, self._written = topic, partitions, seen, 0
        self._producer = Producer({"bootstrap.servers": address})
        own = {
            "bootstrap.servers": address,
            "group.id": "group",
            "auto.offset.reset": "earliest",
            "session.timeout.ms": "60000",
            "heartbeat.interval.ms": "500",
            "enable.auto.commit": False,  # nothing but positions tells the next one where the one before was
        }
        self._members = [
            DynamicConsumer({**own, "client.id": name, "group.instance.id": name}, service=configs) for name in _NAMES
        ]
        for name, member in zip(_NAMES, self._members, strict=True):
            tells = {when: partial(self._tell, f"{name} {when}") for when in ("on_assign", "on_revoke")}
            member.subscribe([topic], **tells)

    def write(self, count: int) -> None:
        """Write the next numbers."""
        for number in range(self._written, self._written + count):
            self._producer.produce(self._topic, str(number).encode(), partition=number % self._partitions)
        assert 0 == self._producer.flush(180)
        self._written += count

    def read_all(self) -> bool:
        """Poll each member once, and return whether all that was written is read."""
        for member in self._members:
            message = member.poll(0.05)
            if message is not None and message.error() is None:
                self.read[int(message.value())] += 1
        return len(self.read) == self._written

    def assignment(self) -> list[list[tuple[str, int]]]:
        """Return the partitions of each member."""
        return [sorted((one.topic, one.partition) for one in member.assignment()) for member in self._members]

    def generation(self) -> set[int]:
        """Return the generations of the members' last heartbeats."""
        return {self._seen.generations.get(name, [-1])[-1] for name in _NAMES}

    def settled(self) -> bool:
        """Whether each member has one partition, in the same generation."""
        return all(len(partitions) == 1 for partitions in self.assignment()) and len(self.generation() | {-1}) == 2

    def close(self) -> None:
        """End them."""
        for member in self._members:
            member.close()

    def _tell(self, what: str, _: Any, _partitions: Any) -> None:
        self.called.append(what)
