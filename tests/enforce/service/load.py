"""A thread that sends numbers without an end, and what became of each."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from confluent_kafka import Consumer, TopicPartition

from tests.fixtures.conditions import eventually
from warden.base.process.closing import ManagedProgram

__all__ = ["PARTITIONS", "Load", "confluent_load", "kafka_python_load", "stored"]

PARTITIONS = 3

_Deliver = Callable[[int, Any], None]


class Load(ManagedProgram):
    """Sends until it is stopped.

    Args:
        send: Sends a number, and has what it is given called with the number and the error, or None.

    Attributes:
        delivered: How often the callback of each number was called.
        order: The numbers in the order of their callbacks.
        failed: Errors.
        sent: How many were sent.
    """

    def __init__(self, send: Callable[[int, _Deliver], None]) -> None:
        self.delivered: Counter[int] = Counter()
        self.order: list[int] = []
        self.failed: list[Any] = []
        self.sent = 0
        self._send, self._stop, self._error = send, threading.Event(), None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; what was sent may still be under way."""
        self._stop.set()
        self._thread.join(300)
        assert not self._thread.is_alive()

    def more(self, count: int, patience: float) -> None:
        """Wait until the next that are sent are delivered, so many of them: some of each partition."""
        first = self.sent + 1  # one may be under way
        following = range(first, first + count)
        eventually(lambda: all(number in self.delivered for number in following), "records are delivered", patience)

    def check_callbacks(self) -> None:
        """Each record once, none failed, in order in each partition."""
        self.check_delivered()
        for partition in range(PARTITIONS):
            numbers = [number for number in self.order if number % PARTITIONS == partition]
            assert sorted(numbers) == numbers

    def check_delivered(self) -> None:
        """Each record once, none failed."""
        assert [] == self.failed
        assert Counter(range(self.sent)) == self.delivered

    def _run(self) -> None:
        while not self._stop.wait(0.001):
            self._send(self.sent, self._deliver)
            self.sent += 1

    def _deliver(self, number: int, error: Any) -> None:
        self.delivered[number] += 1
        self.order.append(number)
        if error is not None:
            self.failed.append(error)


def confluent_load(producer: Any, topic: str) -> Load:
    """Sends with confluent-kafka."""

    def send(number: int, deliver: _Deliver) -> None:
        call = lambda error, _message: deliver(number, error)  # noqa: E731 - one line of it
        producer.produce(topic, str(number).encode(), partition=number % PARTITIONS, on_delivery=call)
        producer.poll(0)

    return Load(send)


def kafka_python_load(producer: Any, topic: str) -> Load:
    """Sends with kafka-python."""

    def send(number: int, deliver: _Deliver) -> None:
        sent = producer.send(topic, str(number).encode(), partition=number % PARTITIONS)
        sent.add_callback(lambda _: deliver(number, None))
        sent.add_errback(lambda error: deliver(number, error))

    return Load(send)


def stored(address: str, topic: str, count: int, patience: float) -> list[list[int]]:
    """Return the numbers in each partition, as they lie there, each once: a client may repeat what a broker died over.

    Args:
        address: The broker's.
        topic: The topic.
        count: How many different ones there are, from 0.
        patience: Seconds that reading may take.

    Raises:
        AssertionError: Some are not there, with their numbers.
    """
    found: list[list[int]] = [[] for _ in range(PARTITIONS)]
    consumer = Consumer({"bootstrap.servers": address, "group.id": f"reader-of-{topic}"})
    consumer.assign([TopicPartition(topic, partition, 0) for partition in range(PARTITIONS)])

    missing, deadline = set(range(count)), time.monotonic() + patience
    while missing and time.monotonic() < deadline:
        for message in consumer.consume(1000, 0.5):
            if message.error() is None:
                found[message.partition() or 0].append(int(message.value() or b""))
        missing.difference_update(*found)
    consumer.close()
    assert not missing, f"not read within {patience:g} s: {sorted(missing)}"
    return [list(dict.fromkeys(numbers)) for numbers in found]
