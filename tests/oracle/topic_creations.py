"""CreateTopic: new topics with numbers, assignments and overrides, by CreateTopics."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.oracle.broker import Answer, Answers, Broker
from tests.oracle.cases import Case, complete
from tests.oracle.values import values
from warden.sources.kafka.configs import catalogue

__all__ = ["answers", "cases"]

_OPERATION = "CreateTopic"
_COUNTS = (-2, -1, 0, 1, 2, 5)


def _case(name: str, topic: str, partitions: int, replicas: int, configs: Mapping[str, str | None]) -> Case:
    sent = {
        "name": topic,
        "numPartitions": partitions,
        "replicationFactor": replicas,
        "assignments": [],
        "configs": [{"name": key, "value": value} for key, value in configs.items()],
    }
    request = {"topic": topic, "numPartitions": partitions, "replicationFactor": replicas, "configs": dict(configs)}
    return Case(name, _OPERATION, request, sent)


def _draw(source: Random, number: int) -> Case:
    rows: dict[str, Any] = catalogue("topic")["configs"]
    names = [name for name in sorted(rows) if name != "remote.storage.enable"]
    size = source.choices([0, 1, 2, 3], [10, 60, 20, 10])[0]
    chosen = [source.choice([*names, "my.key"]) if source.random() < 0.95 else "my.key" for _ in range(size)]
    configs = {name: source.choice(values(rows.get(name, {"type": "string"}))) for name in chosen}
    wrong = source.random() < 0.2
    partitions, replicas = (source.choice(_COUNTS), source.choice((-2, -1, 0, 1, 2))) if wrong else (1, 1)
    topic = source.choice(["", ".", "a b", "x" * 250]) if source.random() < 0.05 else f"oracle-create-{number}"
    return _case(str(number), topic, partitions, replicas, configs)


def cases() -> list[Case]:
    """Return the cases."""
    return complete(_OPERATION, [], _draw, least=600)


def answers(oracle: Broker, every: Sequence[Case]) -> Answers:
    """Return what the broker says of each case, which it only checks: nothing is created."""
    found = {}
    for case in every:
        fields = {"topics": [case.sent], "timeoutMs": 30000, "validateOnly": True}
        (result,) = oracle.send("CreateTopics", fields).topics
        message = result.error_message
        found[case.name] = Answer(result.error_code, () if message is None else (message,))
    return found
