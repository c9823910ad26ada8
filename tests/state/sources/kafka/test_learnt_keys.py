"""Keys that a cluster describes and the catalogue lacks: of a real broker, whose catalogue a test makes poorer."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from warden.base.errors import KafkaUnreachable
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.catalog import read_catalog
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.login.error_codes import NotDisclosed
from warden.state.sources.kafka.read import learnt_keys as module
from warden.state.sources.kafka.read.collect import collect
from warden.state.sources.kafka.read.learnt_keys import LearntKeys, find_learnt_keys

_LACKING: Mapping[str, Mapping[str, dict[str, Any]]] = {
    "topic": {
        "preallocate": {"type": "boolean", "default": "false", "synonyms": ["log.preallocate"]},
        "cleanup.policy": {"type": "list", "default": "delete", "synonyms": ["log.cleanup.policy"]},
        "min.cleanable.dirty.ratio": {
            "type": "double",
            "default": "0.5",
            "synonyms": ["log.cleaner.min.cleanable.ratio"],
        },
    },
    "broker": {
        "num.io.threads": {"type": "int", "default": "8"},
        "ssl.key.password": {"type": "password", "sensitive": True},
        "alter.config.policy.class.name": {"type": "class", "readOnly": True},
    },
    "group": {
        "consumer.session.timeout.ms": {
            "type": "int",
            "default": "45000",
            "synonyms": ["group.consumer.session.timeout.ms"],
        }
    },
    "clientMetrics": {"interval.ms": {"type": "int", "default": "300000"}},
}


@pytest.fixture
def poorer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalogue without some of Kafka's keys."""

    def without(kind: str) -> dict[str, Any]:
        whole = read_catalog(kind)
        lacking = _LACKING.get(kind, {})
        return {**whole, "configs": {name: row for name, row in whole["configs"].items() if name not in lacking}}

    monkeypatch.setattr(module, "read_catalog", without)


@pytest.mark.kafka
def test_what_a_cluster_has_that_the_catalog_lacks(broker: LocalBroker, poorer: None) -> None:
    """Of every kind its keys with their types, whoever has set them; of secrets no value, and of nothing a value."""
    catalog = collect(broker.bootstrap_servers)["catalog"]
    documented = {
        kind: {name: row.pop("documentation") for name, row in keys.items()}
        for kind, keys in catalog["configs"].items()
    }

    assert catalog == {"release": "4.4", "beside": read_catalog("topic")["kafka"], "configs": _LACKING}
    assert all(0 < len(text) <= 250 for keys in documented.values() for text in keys.values())


@pytest.mark.kafka
def test_a_catalog_that_lacks_nothing(broker: LocalBroker) -> None:
    """Kafka's own release: every kind is there, and none has a key of its own."""
    state = collect(broker.bootstrap_servers)

    assert state["catalog"]["configs"] == {"broker": {}, "clientMetrics": {}, "group": {}, "topic": {}}
    assert [line for line in state["meta"]["missing"] if line.startswith("catalog")] == []


@pytest.mark.kafka
def test_without_topic_or_broker(broker: LocalBroker) -> None:
    """A kind that nobody describes is not there, and why is said."""
    keys = LearntKeys()
    with connect(broker.bootstrap_servers) as connection:
        catalog = keys.read(lambda _key, request, node: connection.send(request, node, check=False), None, [])

    assert catalog is not None
    assert catalog["configs"] == {"clientMetrics": {}, "group": {}}
    assert keys.gaps == [
        "catalog.configs.broker: the cluster has no broker that tells them",
        "catalog.configs.topic: the cluster has no topic that tells them",
    ]


def test_keys_that_are_refused_and_given_again() -> None:
    """A refused kind is not there, the others stay, and an answer that is the same as before keeps what it said."""
    answers: dict[str, Any] = {}

    def ask(key: str, _request: Any, _node: int | None) -> Any:
        answer = answers.get(key.split(".")[1], _described())
        if isinstance(answer, Exception):
            raise answer
        return answer

    keys = LearntKeys()
    whole = keys.read(ask, "t", [1])
    answers |= {"group": NotDisclosed("denied"), "topic": None}
    without = keys.read(ask, "t", [1])
    del answers["group"]

    assert whole is not None
    assert without is not None
    assert sorted(whole["configs"]) == ["broker", "clientMetrics", "group", "topic"]
    assert sorted(without["configs"]) == ["broker", "clientMetrics", "topic"]
    assert keys.gaps == ["catalog.configs.group: denied"]
    assert keys.read(ask, "t", [1]) == whole
    assert keys.gaps == []


def test_a_broker_that_cannot_be_reached() -> None:
    """The next one tells the keys of brokers; where none does, they are not known, and all else is."""
    away = {1}

    def ask(_key: str, _request: Any, node: int | None) -> Any:
        if node in away:
            raise KafkaUnreachable(f"broker {node} did not answer")
        return _described()

    keys = LearntKeys()
    whole = keys.read(ask, "t", [1, 2])
    gaps = keys.gaps
    away.add(2)
    without = keys.read(ask, "t", [1, 2])

    assert (["broker", "clientMetrics", "group", "topic"], []) == (sorted((whole or {})["configs"]), gaps)
    assert ["clientMetrics", "group", "topic"] == sorted((without or {})["configs"])
    assert ["catalog.configs.broker: broker 2 did not answer"] == keys.gaps


def test_what_a_row_holds() -> None:
    """Long texts are cut, or left out; secrets have no default; what a listener sets is not a key."""
    response = _described(
        _key("own.long", 5, value="1" * 300, documentation="x" * 400),
        _key("own.secret", 9, value="hunter2", is_sensitive=True),
        _key("own.flag", 1, value="true", config_source=4, synonyms=[_synonym("own.flag", "false", 5)]),
        _key("own.strange", 0, value="a"),
        _key("listener.name.a.ssl.keystore.type", 2, value="PEM"),
        _key("listener.name.a.own.flag", 1, value="true", config_source=4),
    )

    assert find_learnt_keys("broker", response) == {
        "own.flag": {"type": "boolean", "default": "false"},
        "own.long": {"type": "long", "documentation": "x" * 250},
        "own.secret": {"type": "password", "sensitive": True},
    }


def test_more_keys_than_a_state_takes() -> None:
    """Too many keys are no list that something may be concluded from."""
    response = _described(*(_key(f"own.{number}", 3, value="1") for number in range(1001)))

    with pytest.raises(NotDisclosed, match="1001 that the catalogue lacks, at most 1000 are taken"):
        find_learnt_keys("topic", response)


def _described(*keys: Any) -> Any:
    return SimpleNamespace(results=[SimpleNamespace(error_code=0, error_message=None, configs=keys)])


def _key(name: str, kind: int, **fields: Any) -> Any:
    defaults = {"config_source": 5, "is_sensitive": False, "read_only": False, "synonyms": [], "documentation": ""}
    return SimpleNamespace(name=name, config_type=kind, **{**defaults, **fields})


def _synonym(name: str, value: str, source: int) -> Any:
    return SimpleNamespace(name=name, value=value, source=source)
