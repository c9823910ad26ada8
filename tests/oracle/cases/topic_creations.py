"""CreateTopic: new topics with numbers, assignments and overrides, by CreateTopics."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.oracle.broker import Answer, Answers, Broker
from tests.oracle.cases.changes import as_read, overrides
from tests.oracle.cases.sampling import Case, complete
from tests.oracle.cases.topics import described, make, topic_state
from tests.oracle.cases.values import values
from warden.policy.bundle.catalog import read_catalog

__all__ = ["answers", "cases", "creation_of", "make_first", "requested", "unchanged"]

_OPERATION = "CreateTopic"
_TOPIC = 2
_MANY = 10000
_COUNTS = (-2, -1, 0, 1, 2, 5)
_NAMES = ("", " ", "a b", ".", "..", "...", "ä", "x" * 249, "x" * 250, "a/b", "__cluster_metadata", "\t")
_LEGAL = ("...", "x" * 249)
_THERE = ("create_there", "create_there.too")
# Broker 1 is the only one.
_LISTS: tuple[list[int], ...] = ([], [1], [2], [0], [-1], [1, 1], [2, 2], [1, 2], [1, 2, 1])
Lists = Mapping[int, list[int]]


def _case(
    name: str,
    topic: str,
    partitions: int,
    replicas: int,
    configs: Mapping[str, str | None],
    lists: Lists | None = None,
) -> Case:
    sent = {
        "name": topic,
        "numPartitions": partitions,
        "replicationFactor": replicas,
        "assignments": [{"partitionIndex": place, "brokerIds": ids} for place, ids in (lists or {}).items()],
        "configs": [{"name": key, "value": value} for key, value in configs.items()],
    }
    request = {"topic": topic, "numPartitions": partitions, "replicationFactor": replicas, "configs": dict(configs)}
    if lists is not None:
        request["replicasAssignments"] = {str(place): ids for place, ids in lists.items()}
    return Case(name, _OPERATION, request, sent)


def creation_of(name: str, topic: str, configs: Mapping[str, str]) -> Case:
    """A new topic of one partition with these configs."""
    return _case(name, topic, 1, 1, configs)


def make_first(broker: Broker) -> None:
    """Make the topics that are there before, and wait until the broker knows of them."""
    make(broker, {name: topic_state(1, {}) for name in _THERE})
    described(broker, "oracle.create.first")


def _edges() -> Iterator[Case]:
    """Every name, number and list, counts beside lists, partitions with gaps, and nulls."""
    for name in _NAMES:
        yield _case(f"{name[:20]!r}, {len(name)} long", name, 1, 1, {})
        if name not in _LEGAL:
            yield _case(f"{name[:20]!r}, {len(name)} long, and all else wrong", name, 0, 0, {"retention.ms": "x"})
    for name in _THERE:
        yield _case(f"{name!r}, which is there", name, 1, 1, {})
        yield _case(f"{name!r}, which is there, and all else wrong", name, 0, 0, {"retention.ms": "x"})
        yield _case(f"{name!r} with a dot", name.replace("_", "."), 1, 1, {})
    for partitions in _COUNTS:
        for replicas in (-2, -1, 0, 1, 2):
            topic = f"create.{partitions}.{replicas}"
            yield _case(f"{partitions} partitions, {replicas} replicas", topic, partitions, replicas, {})
    for i, ids in enumerate(_LISTS):
        yield _case(f"on {ids}", f"create.on.{i}", -1, -1, {}, {0: ids})
        yield _case(f"on [1] and {ids}", f"create.on.both.{i}", -1, -1, {}, {0: [1], 1: ids})
    for i, places in enumerate(([1], [0, 2], [1, 0], [2, 1], [0, 2**31 - 1])):
        yield _case(f"partitions {places} on 1", f"create.places.{i}", -1, -1, {}, {place: [1] for place in places})
    for partitions, replicas in ((1, -1), (-1, 1), (1, 1), (0, -1), (-1, 0), (-2, -2)):
        topic = f"create.beside.{partitions}.{replicas}"
        yield _case(f"on [1], with {partitions} and {replicas}", topic, partitions, replicas, {}, {0: [1]})
    yield from _many()
    yield _case("a null", "create.null", 1, 1, {"retention.ms": None})
    yield _case("a null and a bad value", "create.null.bad", 1, 1, {"retention.ms": None, "segment.ms": "x"})
    yield _case("an unknown key and a bad value", "create.unknown", 1, 1, {"my.key": "1", "segment.ms": "x"})
    yield _case("no key", "create.no.key", 1, 1, {"": "1"})


def _many() -> Iterator[Case]:
    """So many partitions as no request can have, or nearly."""
    for name, configs in (("create.many", {}), ("create_there", {}), ("a b", {}), ("create.bad", {"segment.ms": "x"})):
        for many in (10000, 10001, 2**31 - 1) if name != "create_there" else (10001,):
            yield _case(f"{many} partitions of {name!r}", name, many, 1, configs)
            yield _case(f"{many} partitions of {name!r}, no replicas", name, many, 0, configs)


def _draw(source: Random, number: int) -> Case:
    rows: dict[str, Any] = read_catalog("topic")["configs"]
    names = sorted(rows)
    size = source.choices([0, 1, 2, 3], [10, 60, 20, 10])[0]
    chosen = [source.choice([*names, "my.key"]) if source.random() < 0.95 else "my.key" for _ in range(size)]
    configs = {name: source.choice(values(rows.get(name, {"type": "string"}))) for name in chosen}
    wrong = source.random() < 0.2
    partitions, replicas = (source.choice(_COUNTS), source.choice((-2, -1, 0, 1, 2))) if wrong else (1, 1)
    topic = source.choice(["", ".", "a b", "x" * 250]) if source.random() < 0.05 else f"oracle-create-{number}"
    if source.random() < 0.15:
        lists = {place: source.choice(([1], source.choice(_LISTS))) for place in range(source.randint(1, 3))}
        return _case(str(number), topic, -1, -1, configs, lists)
    return _case(str(number), topic, partitions, replicas, configs)


def cases() -> list[Case]:
    """Return the cases."""
    return complete(_OPERATION, _edges(), _draw, least=600)


def requested(_case: Case, state: Any, _change: Any) -> Any:
    """What is compared of what rules see: numbers, replicas where they were given, and overrides as they are read."""
    return {
        "numPartitions": state["numPartitions"],
        "replicationFactor": state["replicationFactor"],
        "replicas": state["replicasAssignments"],
        "configs": as_read(state["values"]),
    }


def unchanged(_case: Case) -> Any:
    """What is there of a topic that is not created."""
    return "no topic"


def answers(broker: Broker, every: Sequence[Case]) -> Answers:
    """What the broker answers to each case, and the topic that is there then."""
    # So many partitions as a request cannot have, which then fails with all its topics.
    whole = [case for case in every if case.request["numPartitions"] >= _MANY]
    found = {name: answer for case in whole for name, answer in _create(broker, [case]).items()}
    found |= _create(broker, [case for case in every if case not in whole])
    there = described(broker, "oracle.create.last")
    configs = overrides(broker, [(_TOPIC, case.request["topic"]) for case in every if case.request["topic"] in there])
    return {case.name: replace(found[case.name], after=_after(case, there, configs)) for case in every}


def _create(broker: Broker, every: Sequence[Case]) -> dict[str, Answer]:
    return broker.answers(
        "CreateTopics",
        {case.name: (case.request["topic"], case.sent) for case in every},
        lambda topics: {"topics": topics, "timeoutMs": 300_000, "validateOnly": False},
        lambda response: ((topic.name, topic.error_code, topic.error_message) for topic in response.topics),
    )


def _after(
    case: Case,
    there: Mapping[str, Mapping[str, list[int]]],
    configs: Mapping[tuple[int, str], Mapping[str, str]],
) -> Any:
    topic = case.request["topic"]
    if topic in _THERE:
        return None
    if topic not in there:
        return "no topic"
    return {
        "numPartitions": len(there[topic]),
        "replicationFactor": len(there[topic]["0"]),
        "replicas": there[topic] if case.request.get("replicasAssignments") else {},
        "configs": configs[_TOPIC, topic],
    }
