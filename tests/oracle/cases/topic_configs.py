"""AlterTopic: overrides of topics in each mode of a change, by IncrementalAlterConfigs and AlterConfigs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.oracle.broker import Answers, Broker
from tests.oracle.cases import partitions
from tests.oracle.cases.changes import OPS, alter, as_read, choose, full, incremental, overrides, resolved, sent
from tests.oracle.cases.partitions import NO_TOPICS, OPERATION
from tests.oracle.cases.sampling import Case, complete
from tests.oracle.cases.topics import described, make, topic_state
from tests.oracle.cases.values import values
from warden.policy.bundle.catalog import read_catalog

__all__ = ["answers", "before", "cases", "draw", "edges", "requested"]

_TOPIC = 2
_BEFORE = {"retention.ms": "1000", "cleanup.policy": "compact,delete", "segment.ms": "7"}
_KEYS = ("retention.ms", "cleanup.policy", "compression.type", "my.key", "", "leader.replication.throttled.replicas")
_VALUES = {"cleanup.policy": "compact", "compression.type": "zstd", "leader.replication.throttled.replicas": "0:1"}
_INTERNAL = "__consumer_offsets"


def _case(
    name: str, topic: str, change: Mapping[str, Any], before: Mapping[str, str] | None, *, internal: bool = False
) -> Case:
    """A change of a topic with the overrides ``before``; None is not a topic."""
    state = {} if before is None else {topic: topic_state(1, before, internal=internal)}
    request = {"topic": topic, "configs": dict(change)}
    return Case(name, OPERATION, request, sent(_TOPIC, topic, change), {"topics": state})


def edges() -> Iterator[Case]:
    """Every operation on every sort of key, keys twice, nulls, replacements that leave something out, and no topics."""
    changes = {
        f"{op} {value!r} of {key!r}": incremental([(key, op, value)])
        for key in _KEYS
        for op in OPS
        for value in (_VALUES.get(key, "5000"), None)
    }
    changes |= {
        "a key twice": incremental([("retention.ms", "SET", "5"), ("retention.ms", "DELETE", None)]),
        "two nulls": incremental([("retention.ms", "SET", None), ("segment.ms", "APPEND", None)]),
        "nothing, one by one": incremental([]),
        "nothing, as all": full({}),
        "nothing, resolved": resolved(_BEFORE, {}),
        "a null among all": full({**_BEFORE, "segment.ms": None}),
        "a null, resolved": resolved(_BEFORE, {**_BEFORE, "segment.ms": None}),
        "one left out of all": full({"retention.ms": "1000"}),
        "one left out, resolved": resolved(_BEFORE, {"retention.ms": "1000"}),
        "all as they are": full(_BEFORE),
        "all as they are, resolved": resolved(_BEFORE, _BEFORE),
        "an unknown key among all": full({**_BEFORE, "my.key": "1"}),
        "an unknown key, resolved": resolved(_BEFORE, {"my.key": "1"}),
        "a bad value among all": full({"retention.ms": "x"}),
        "a bad value, resolved": resolved(_BEFORE, {"retention.ms": "x"}),
        "lags, the least above the most": incremental(
            [("min.compaction.lag.ms", "SET", "9"), ("max.compaction.lag.ms", "SET", "8")]
        ),
    }
    for i, (name, change) in enumerate(changes.items()):
        yield _case(f"configs, {name}", f"configs.{i}", change, _BEFORE)
    some = {
        "one": incremental([("retention.ms", "SET", "5")]),
        "a bad one": incremental([("retention.ms", "SET", "x")]),
        "an unknown one": incremental([("my.key", "SET", "5")]),
        "one removed": incremental([("retention.ms", "DELETE", None)]),
        "all": full({"retention.ms": "5"}),
        "none": full({}),
    }
    for topic in NO_TOPICS:
        for name, change in some.items():
            yield _case(f"configs, {topic[:9]!r}, {len(topic)} long, {name}", topic, change, None)
    yield _case("configs of an internal one", _INTERNAL, incremental([("segment.ms", "SET", "5")]), {}, internal=True)


def draw(source: Random, number: int) -> Case:
    """One to three keys, mostly in values at an edge, of a topic with or without overrides."""
    rows: dict[str, Any] = read_catalog("topic")["configs"]
    names = sorted(rows)
    ops = []
    for key in dict.fromkeys(source.choices(names, k=source.choice((1, 1, 2, 3)))):
        op = source.choices(OPS, (8, 1, 1, 1))[0]
        ops.append((key, op, None if op == "DELETE" else source.choice(values(rows[key]))))
    before = _BEFORE if source.random() < 0.5 else {}
    return _case("", f"configs.random.{number}", choose(source, ops, before), before)


def cases() -> list[Case]:
    """Return the cases of all that can be altered of a topic: its partitions, their replicas and its overrides."""
    every = [*partitions.edges(), *edges()]

    def either(source: Random, number: int) -> Case:
        return source.choice((partitions.draw, draw, draw))(source, number)

    return complete(OPERATION, every, either, least=len(every) + 300)


def requested(_case: Case, state: Any, _change: Any) -> Any:
    """What is compared of what rules see: the overrides as they are read, since Kafka shows no others."""
    return as_read(state["values"])


def before(case: Case) -> Any:
    """What there is before; `answers` compares it with what is still there."""
    topic = case.state["topics"].get(case.request["topic"])
    return None if topic is None else topic["configs"]


def answers(broker: Broker, every: Sequence[Case]) -> Answers:
    """What the broker answers to each case, and the topic's overrides then."""
    make(broker, {name: topic for case in every for name, topic in case.state["topics"].items()})
    found = alter(broker, every)
    described(broker, "oracle.configs.last")
    there = overrides(broker, [(_TOPIC, name) for case in every for name in case.state["topics"]])
    return {case.name: replace(found[case.name], after=there.get((_TOPIC, case.request["topic"]))) for case in every}
