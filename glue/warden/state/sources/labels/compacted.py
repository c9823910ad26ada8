"""Labels in a compacted topic: a record for each topic, its name as the key and its labels as JSON."""

import time
from collections.abc import Callable
from typing import Any

from warden.base.errors import InputError, KafkaUnreachable
from warden.base.files.json_files import is_unicode, parse_json

__all__ = ["CompactedTopic"]

_PATIENCE = 10.0  # seconds in which nothing comes of what is there


class CompactedTopic:
    """Reads a topic from its beginning, and then what is added.

    A record's value is a JSON object of labels; null (a tombstone) takes them away. What cannot be read is left out and
    named in ``problem``, until a later record of the same key. Where a partition ends before what was read already, the
    topic was made anew or has lost records: it is read from its beginning.

    Args:
        topic: Its name.
        consumer: Makes kafka-python's consumer, connected.

    Attributes:
        problem: What is wrong, None where nothing is.
    """

    def __init__(self, topic: str, consumer: Callable[[], Any]) -> None:
        self._topic, self._make = topic, consumer
        self._consumer: Any = None
        self._labels: dict[str, dict[str, str]] = {}
        self._unread: set[str] = set()
        self.problem: str | None = None

    def refresh(self) -> bool:
        """Read what was added, all of it the first time, and return whether labels may be others.

        Raises:
            KafkaUnreachable, KafkaError: The topic cannot be read.
        """
        from kafka.errors import KafkaError as LibraryError

        try:
            changed = self._begin() if self._consumer is None else False
            if self._consumer is None:
                return False
            ends = self._consumer.end_offsets(self._consumer.assignment())
            if any(self._consumer.position(partition) > end for partition, end in ends.items()):
                self.close()
                return self.refresh()
            waited_since = time.monotonic()
            while any(self._consumer.position(partition) < end for partition, end in ends.items()):
                polled = self._consumer.poll(timeout_ms=1000)
                if polled:
                    waited_since = time.monotonic()
                elif time.monotonic() - waited_since > _PATIENCE:
                    raise self._close_with_error("its records do not come: look whether its brokers run")
                for records in polled.values():
                    for record in records:
                        changed |= self._take_in(record.key, record.value)
        except LibraryError as error:
            raise self._close_with_error(error) from error
        if self._unread:
            self.problem = f"topic {self._topic}: the labels of {min(self._unread)!r} are not a JSON object of strings"
        else:
            self.problem = None
        return changed

    def get(self, topic: str) -> dict[str, str]:
        """Return the labels of a topic."""
        return self._labels.get(topic, {})

    def close(self) -> None:
        """Close the connection."""
        if self._consumer is not None:
            self._consumer.close()
            self._consumer = None

    def _close_with_error(self, why: object) -> KafkaUnreachable:
        self.close()
        return KafkaUnreachable(f"the labels in the topic {self._topic} cannot be read: {why}")

    def _begin(self) -> bool:
        from kafka.structs import TopicPartition

        consumer = self._consumer = self._make()
        partitions = consumer.partitions_for_topic(self._topic)
        if not partitions:
            self.close()
            self.problem = f"topic {self._topic}: there is no such topic, or it may not be described"
            return False
        self._labels, self._unread = {}, set()
        consumer.assign([TopicPartition(self._topic, partition) for partition in sorted(partitions)])
        consumer.seek_to_beginning()
        return True

    def _take_in(self, key: bytes | None, value: bytes | None) -> bool:
        topic = (key or b"").decode("utf-8", "replace")
        self._unread.discard(topic)
        old = self._labels.pop(topic, None)
        if value is not None:
            labels = _parse_labels(value)
            if labels is None:
                self._unread.add(topic)
            else:
                self._labels[topic] = labels
        return old != self._labels.get(topic)


def _parse_labels(value: bytes) -> dict[str, str] | None:
    """The labels of a record, None where it has none; OPA would make another character of half a surrogate pair."""
    try:
        labels = parse_json(value, "the record", "labels")
    except InputError:
        return None
    is_fit = isinstance(labels, dict) and all(isinstance(label, str) for label in labels.values())
    return labels if is_fit and is_unicode(labels) else None
