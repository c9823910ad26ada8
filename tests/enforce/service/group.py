"""A consumer group of three static members, polled in turn."""

import threading
from collections import Counter
from functools import partial
from queue import SimpleQueue
from typing import Any

from confluent_kafka import Producer
from kafka import ConsumerRebalanceListener

from tests.enforce.service.proxied import Seen
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.dynamic_clients import ConfigService, DynamicConsumer, DynamicKafkaConsumer

__all__ = ["Group", "KafkaPythonGroup"]

_NAMES = "abc"


class Group:
    """Three members of confluent-kafka, who read all of a topic.

    Args:
        address: The broker's.
        topic: The topic; the group has its name, and so begin its members' names.
        partitions: How many it has.
        service: Where they take their configs from.
        seen: The requests that the broker gets.

    Attributes:
        read: How often each number was read.
        called: Which callbacks of the subscription were called, and whose.
    """

    def __init__(self, address: str, topic: str, partitions: int, service: ConfigService, seen: Seen) -> None:
        self.read: Counter[int] = Counter()
        self.called: list[str] = []
        self.names = [f"{topic}-{name}" for name in _NAMES]
        self._address, self._topic, self._service, self._seen = address, topic, service, seen
        self._partitions, self._written = partitions, 0
        self._producer = Producer({"bootstrap.servers": address})
        self._members = [self._member(name) for name in self.names]

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
        return {(self._seen.generations[name] or [-1])[-1] for name in self.names}

    def beats(self) -> list[int]:
        """Return how many heartbeats each member has sent."""
        return [len(self._seen.generations[name]) for name in self.names]

    def joined_with(self, session_timeout: int) -> bool:
        """Whether each member has joined with a session timeout, in milliseconds."""
        return all(session_timeout in self._seen.session_timeouts[name] for name in self.names)

    def moves(self) -> Any:
        """Return what tells of a rebalance: whose callbacks were called, in order, and the generation."""
        return list(self.called), self.generation()

    def settled(self) -> bool:
        """Whether each member has one partition, in the same generation."""
        generation = self.generation()
        return (
            all(len(partitions) == 1 for partitions in self.assignment())
            and len(generation - {-1}) == 1
            and (-1 not in generation)
        )

    def close(self) -> None:
        """End them."""
        for member in self._members:
            member.close()

    def _configs(self, name: str) -> dict[str, Any]:
        return {
            "bootstrap.servers": self._address,
            "group.id": self._topic,
            "client.id": name,
            "group.instance.id": name,
            "auto.offset.reset": "earliest",
            "session.timeout.ms": 60000,
            "heartbeat.interval.ms": 500,
            "enable.auto.commit": False,  # nothing but positions tells the next one where the one before was
        }

    def _member(self, name: str) -> Any:
        member = DynamicConsumer(self._configs(name), service=self._service)
        tells = {when: partial(self._tell, f"{name} {when}") for when in ("on_assign", "on_revoke")}
        member.subscribe([self._topic], **tells)
        return member

    def _tell(self, what: str, *_: Any) -> None:
        self.called.append(what)


class KafkaPythonGroup(Group):
    """Three members of kafka-python, each polled in a thread: it does nothing for a group but in a call of it."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._found: SimpleQueue[int] = SimpleQueue()
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._poll, args=(member,), daemon=True) for member in self._members]
        for thread in self._threads:
            thread.start()

    def read_all(self) -> bool:
        """Return whether all that was written is read."""
        while not self._found.empty():
            self.read[self._found.get()] += 1
        return len(self.read) == self._written

    def close(self) -> None:
        """End them."""
        self._stop.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        super().close()

    def moves(self) -> Any:
        """Return who was ever assigned what: kafka-python may join twice, and is assigned anew what it had."""
        return set(self.called)

    def _member(self, name: str) -> Any:
        # A join that is lost holds up the others for so long.
        patient = self._configs(name) | {"max.poll.interval.ms": 65_000, "metadata.max.age.ms": 5_000}
        configs = {key.replace(".", "_"): value for key, value in patient.items()}
        member = DynamicKafkaConsumer(service=self._service, **configs)
        member.subscribe([self._topic], listener=_Listener(lambda assigned: self._tell(f"{name} {assigned}")))
        # A leader that learns of the topic after its join joins again, or assigns nothing for good (3.0.12).
        eventually(lambda: self._topic in member.topics(), "the topic is known")
        return member

    def _poll(self, member: Any) -> None:
        while not self._stop.is_set():
            for records in member.poll(100).values():
                for record in records:
                    self._found.put(int(record.value))


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc] # kafka-python has no types
    def __init__(self, tell: Any) -> None:
        self._tell = tell

    def on_partitions_revoked(self, revoked: Any) -> None:
        pass

    def on_partitions_assigned(self, assigned: Any) -> None:
        if assigned:
            self._tell(sorted(assigned))
