"""What a client accepts, compared with Kafka's own classes over thousands of configs."""

import random
from typing import Any

import pytest

from tests.fixtures.asking import Ask
from tests.fixtures.case_counts import sample_or_all
from tests.rego.client_configs.kafka_clients import Clients, Outcome

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

Configs = dict[str, str]

_ACKS = ["all", "-1", "0", "1", " all ", " 1", "2", " 2 ", "ALL", ""]
_PRODUCER = {
    "acks": ["all", "-1", "0", "1", " all", "1 "],
    "enable.idempotence": ["true", "false", "TRUE", " false "],
    "retries": ["0", "1", "2147483647", " 0"],
    "max.in.flight.requests.per.connection": ["1", "5", "6"],
    "transactional.id": ["t"],
    "linger.ms": ["5"],
}
_PRODUCER_BAD = {
    "acks": "2",
    "enable.idempotence": "yes",
    "retries": "-1",
    "max.in.flight.requests.per.connection": " 0",
}
_SESSIONS = ["6000", "6001", "10000", "45000", " 45001 ", "1800000"]
_HEARTBEATS = ["1", "2999", "3000", "6000", "6001", "10000", "45000", "45001"]
_REFUSED = {
    "session.timeout.ms": ["5999", " 5999 ", "1800001", "6s", " 6s ", ""],
    "heartbeat.interval.ms": ["0", "-1", "+0", "x"],
}


@pytest.fixture(scope="module")
def clients(jvm: Any) -> Clients:
    """Kafka's own classes."""
    return Clients(jvm)


def _some(rng: random.Random, choices: dict[str, list[str]], share: float) -> Configs:
    return {name: rng.choice(values) for name, values in choices.items() if rng.random() < share}


def producers(count: int) -> list[tuple[Configs, str]]:
    """Static configs of producers and a dynamic acks; one in ten has one value that Kafka refuses."""
    rng = random.Random(649)
    found = []
    for _ in range(count):
        static = _some(rng, _PRODUCER, 0.4)
        if rng.random() < 0.1:
            name = rng.choice(list(_PRODUCER_BAD))
            static[name] = _PRODUCER_BAD[name]
        found.append((static, rng.choice(_ACKS)))
    return found


def expected_of_producer(clients: Clients, static: Configs, acks: str) -> dict[str, Any]:
    """What Kafka itself says of a producer that gets this acks: the reason to ignore it, or what is in force then."""
    if isinstance(refused := clients.producer({"acks": acks}), str):
        return {"ignored": refused}
    if isinstance(refused := clients.producer(static), str):
        return {"ignored": f"the client's own configs are refused: {refused}"}
    decision = clients.producer({**static, "acks": acks})
    return {"ignored": decision} if isinstance(decision, str) else {"accepted": decision}


def reported_of_producer(clients: Clients, answer: dict[str, Any]) -> dict[str, Any]:
    """The same of an answer; what it says is in force goes through ProducerConfig, as a producer would take it."""
    if answer["ignored"]:
        return {"ignored": answer["ignored"]["acks"]}
    configs = answer["configs"]
    decision: Outcome = clients.producer(configs)
    assert isinstance(decision, dict), (configs, decision)
    said = {
        "acks": configs["acks"],
        "enable.idempotence": configs.get("enable.idempotence", decision["enable.idempotence"]),
    }
    assert said | {"enable.idempotence": said["enable.idempotence"].strip().lower()} == decision
    return {"accepted": decision}


@sample_or_all(300, 3000)
def test_producers(count: int, clients: Clients, ask: Ask) -> None:
    """Producers: accepted or ignored for Kafka's own reason, and acks and idempotence come out the same."""
    cases = producers(count)
    questions = [{"kind": "producer", "static": static, "dynamic": {"acks": acks}} for static, acks in cases]
    answers = ask("kafka.client_configs.accepted", questions)
    differing = [
        (question, expected, reported)
        for (static, acks), question, answer in zip(cases, questions, answers, strict=True)
        if (expected := expected_of_producer(clients, static, acks))
        != (reported := reported_of_producer(clients, answer))
    ]

    assert [] == differing[:3], f"{len(differing)} differ"
    assert {("accepted",), ("ignored",)} == {tuple(expected_of_producer(clients, *case)) for case in cases[:50]}


def consumers(count: int) -> list[tuple[Configs, Configs]]:
    """Static and dynamic configs of consumers, of both group protocols."""
    rng = random.Random(714)
    found = []
    for _ in range(count):
        times = {"session.timeout.ms": _SESSIONS, "heartbeat.interval.ms": _HEARTBEATS}
        protocol = {"group.protocol": ["classic", "CLASSIC", "consumer", "Consumer"], "group.id": ["g"]}
        static = _some(rng, times, 0.4) | _some(rng, protocol, 0.3)
        if static.get("group.protocol", "classic").lower() == "consumer":
            static = {name: value for name, value in static.items() if name not in times}
        dynamic = _some(rng, times, 0.6)
        if rng.random() < 0.2:
            name = rng.choice(list(_REFUSED))
            dynamic[name] = rng.choice(_REFUSED[name])
        found.append((static, dynamic))
    return found


def expected_of_consumer(clients: Clients, static: Configs, dynamic: Configs) -> tuple[set[str], Configs]:
    """The keys that a consumer takes and what is in force then, by ConsumerConfig and Heartbeat."""
    usable = {name: value for name, value in dynamic.items() if value not in _REFUSED[name]}
    decision = clients.consumer({**static, **usable})
    if isinstance(decision, dict):
        return set(usable), decision
    own = clients.consumer(static)
    return set(), own if isinstance(own, dict) else {}


@sample_or_all(250, 2500)
def test_consumers(count: int, clients: Clients, ask: Ask) -> None:
    """Consumers: the same keys are taken, and the timeouts in force come out the same."""
    cases = consumers(count)
    questions = [{"kind": "consumer", "static": static, "dynamic": dynamic} for static, dynamic in cases]
    answers = ask("kafka.client_configs.accepted", questions)
    differing = []
    for (static, dynamic), answer in zip(cases, answers, strict=True):
        decision = clients.consumer(answer["configs"])
        reported = set(answer["accepted"]), decision if isinstance(decision, dict) else {}
        expected = expected_of_consumer(clients, static, dynamic)
        if expected != reported or set(dynamic) != set(answer["accepted"]) | set(answer["ignored"]):
            differing.append((static, dynamic, expected, answer))

    assert [] == differing[:3], f"{len(differing)} differ"
