"""DeleteTopic and DeleteRecords: of topics that are there and are not, by DeleteTopics and DeleteRecords."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID

from tests.fixtures.conditions import eventually
from tests.oracle.broker import Answer, Answers, Broker
from tests.oracle.cases.sampling import Case, complete
from tests.oracle.cases.topics import described, make, topic_state

__all__ = ["RECORDS_STATE", "delete_records", "delete_topics", "is_there", "lows", "record_cases", "topic_cases"]

_NO_TOPICS = (
    *("", " ", "a b", ".", "..", "...", "ä", "x" * 249, "x" * 250, "a/b", "a:b", "*", "__cluster_metadata", "none"),
    *("__consumer", "None", "none.", "none_", "none-", "\t"),
)


# Topics whose records are deleted, by their names. Most are empty, so that 0 and -1 are all that can be deleted.
_INTERNAL = "__share_group_state"
_FILLED = {f"oracle.filled.{i}": topic_state(2, {}) for i in range(45)}  # with records 0, 1 and 2 in each partition
_RECORDS = 3
_TOPICS = {
    "oracle.plain": topic_state(3, {}),
    "oracle.one": topic_state(1, {"retention.ms": "-1"}),
    "oracle.compacted": topic_state(2, {"cleanup.policy": "compact"}),
    "oracle.compacted.spaced": topic_state(1, {"cleanup.policy": " compact "}),
    "oracle.both": topic_state(2, {"cleanup.policy": "compact,delete"}),
    "oracle.neither": topic_state(2, {"cleanup.policy": ""}),
    "oracle.doubled": topic_state(1, {"cleanup.policy": "compact,compact"}),
    _INTERNAL: topic_state(2, {"cleanup.policy": "compact"}, internal=True),
}
RECORDS_STATE: dict[str, Any] = {"topics": {**_TOPICS, **_FILLED}}
"""The cluster before records are deleted."""

_EARLIEST = -2  # of ListOffsets
_OFFSETS = (-(2**63), -3, -2, -1, 0, 1, 2, 2**31, 2**63 - 1)
# Of what a request is refused for in some partitions and not in others, the engine names one, in this order.
_FIRST = (3, 17, 44, 1)


def topic_cases() -> list[Case]:
    """Names that no topic has, legal and illegal, and topics that are there."""
    edges = [_deletion(f"{name[:20]!r}, {len(name)} long", name) for name in _NO_TOPICS]
    edges += [_deletion(f"one that is there, {i}", f"oracle.gone.{i}", topic_state(1, {})) for i in range(20)]
    return complete("DeleteTopic", edges, _draw_topic)


def _deletion(name: str, topic: str, there: dict[str, Any] | None = None) -> Case:
    state = {"topics": {topic: there}} if there else {}
    return Case(name, "DeleteTopic", {"topic": topic}, topic, state)


def _draw_topic(source: Random, number: int) -> Case:
    letters = "abcXYZ019._-" if source.random() < 0.7 else "ab._- /ä\x00"
    return _deletion("", "".join(source.choices(letters, k=source.randint(1, 12))) + str(number))


def is_there(case: Case, *_what: Any) -> Any:
    """Whether the topic is there after a case: what is allowed to go is gone, and nothing that is there is refused."""
    return not _what and case.sent in case.state.get("topics", {})


def record_cases() -> list[Case]:
    """Every offset in every sort of topic, partitions that are not there, and random ones together."""
    names = (*_TOPICS, "oracle.none", "", "a b")
    edges = [_records(f"{name!r} to {offset}", name, {0: offset}) for name in names for offset in _OFFSETS]
    edges += [
        _records(f"{name!r}, partition {place}", name, {place: 0}) for name in names for place in (1, 3, 2**31 - 1)
    ]
    offsets = (*((i, j) for i in (-1, 0, 1, 2, 3) for j in (-1, 0, 1, 2, 3)), *((i, i) for i in (-2, -3, 4, 2**62)))
    edges += [
        _records(f"{i} and {j} of three records", name, {0: i, 1: j})
        for name, (i, j) in zip(_FILLED, offsets, strict=False)
    ]
    return complete("DeleteRecords", edges, _draw_records)


def _draw_records(source: Random, number: int) -> Case:
    name = source.choice(("oracle.plain", "oracle.both", "oracle.neither", *_TOPICS, "oracle.none"))
    offsets = [source.choice(_OFFSETS) if source.random() < 0.15 else source.choice((0, -1)) for _ in range(4)]
    partitions = source.sample(range(4 if source.random() < 0.2 else 2), k=source.randint(1, 2))
    return _records("", name, dict(zip(partitions, offsets, strict=False)))


def _records(name: str, topic: str, offsets: dict[int, int]) -> Case:
    request = {"topic": topic, "deletedMessageOffsets": {str(place): offset for place, offset in offsets.items()}}
    partitions = [{"partitionIndex": place, "offset": offset} for place, offset in offsets.items()]
    return Case(name, "DeleteRecords", request, {"name": topic, "partitions": partitions})


def lows(case: Case, *_what: Any) -> Any:
    """The first offsets that are left in the partitions of a topic with records; None of another topic."""
    if case.request["topic"] not in _FILLED:
        return None
    done = case.request["deletedMessageOffsets"] if _what else {}
    return {place: _RECORDS if done.get(place, 0) == -1 else done.get(place, 0) for place in ("0", "1")}


def delete_topics(broker: Broker, every: Sequence[Case]) -> Answers:
    """What the broker answers to each case, and whether the topic is there then."""
    _create(broker, {name: topic for case in every for name, topic in case.state.get("topics", {}).items()})
    found = broker.answers(
        "DeleteTopics",
        {case.name: (case.sent, case.sent) for case in every},
        lambda names: {
            "topics": [{"name": name, "topicId": UUID(int=0)} for name in names],
            "topicNames": [],
            "timeoutMs": 300_000,
        },
        lambda response: ((topic.name, topic.error_code, topic.error_message) for topic in response.responses),
    )
    there = described(broker, "oracle.gone.last")
    return {case.name: replace(found[case.name], after=case.sent in there) for case in every}


def delete_records(broker: Broker, every: Sequence[Case]) -> Answers:
    """What the broker answers to each case, of partitions that are refused one, and the first offsets left then."""
    _create(broker, {**_TOPICS, **_FILLED})
    _fill(broker)
    found = _delete(broker, every)
    left = _left(broker)
    return {case.name: replace(found[case.name], after=left.get(case.request["topic"])) for case in every}


def _fill(broker: Broker) -> None:
    from kafka import KafkaProducer

    producer = KafkaProducer(bootstrap_servers=broker.connection.bootstrap_servers, linger_ms=100)
    for topic in _FILLED:
        for i in range(2 * _RECORDS):
            producer.send(topic, b"record", partition=i % 2)
    producer.flush()
    producer.close()


def _left(broker: Broker) -> dict[str, dict[str, int]]:
    partitions = [{"partitionIndex": place, "timestamp": _EARLIEST} for place in (0, 1)]
    topics = [{"name": name, "partitions": partitions} for name in _FILLED]
    fields = {"replicaId": -1, "isolationLevel": 0, "topics": topics, "timeoutMs": 300_000}
    return {
        topic.name: {str(part.partition_index): part.offset for part in topic.partitions}
        for topic in broker.send("ListOffsets", fields).topics
    }


def _delete(broker: Broker, every: Sequence[Case]) -> dict[str, Answer]:
    return broker.answers(
        "DeleteRecords",
        {case.name: (case.sent["name"], case.sent) for case in every},
        lambda topics: {"topics": topics, "timeoutMs": 300_000},
        lambda response: (
            (topic.name, min((part.error_code for part in topic.partitions), key=_place), None)
            for topic in response.topics
        ),
    )


def _place(code: int) -> int:
    return _FIRST.index(code) if code in _FIRST else len(_FIRST) + (code == 0)


def _create(broker: Broker, topics: Mapping[str, dict[str, Any]]) -> None:
    """Create topics where they are not there, and wait until the broker leads all of their partitions."""
    make(broker, topics)
    probes = [_records(name, name, dict.fromkeys(range(topic["numPartitions"]), 0)) for name, topic in topics.items()]
    eventually(
        lambda: {answer.code for answer in _delete(broker, probes).values()} <= {0, 17, 44},
        "the broker leads all topics",
    )
