"""Refusals of changes of configs by resource: the engine beside a real broker, which only validates."""

from typing import Any

import pytest

from tests.policy.adapter.oracle import Oracle
from warden.base.toolchain import versions
from warden.policy.adapter import parse_request
from warden.policy.opa.client import OpaClient
from warden.state.sources.kafka.read.features import read_features

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_TOPIC, _BROKER, _LOGGER, _METRICS, _GROUP = 2, 4, 8, 16, 32
_SET, _DELETE, _APPEND, _SUBTRACT = 0, 1, 2, 3

_CLASS = "kafka.server.KafkaApis"

# case → type, name, operations
_CASES: dict[str, tuple[int, str, list[tuple[str, int, str | None]]]] = {
    "broker, SET": (_BROKER, "1", [("log.cleaner.threads", _SET, "2")]),
    "broker, no number": (_BROKER, "1", [("log.cleaner.threads", _SET, "x")]),
    "broker, below the least": (_BROKER, "", [("log.cleaner.threads", _SET, "-1")]),
    "broker, APPEND to a number": (_BROKER, "1", [("log.retention.ms", _APPEND, "1")]),
    "broker, SUBTRACT from a number": (_BROKER, "1", [("log.retention.ms", _SUBTRACT, "1")]),
    "broker, APPEND to a name that Kafka lacks": (_BROKER, "1", [("x", _APPEND, "1")]),
    "broker, SET of a name that Kafka lacks": (_BROKER, "1", [("x", _SET, "1")]),
    "broker, a null": (_BROKER, "1", [("log.cleaner.threads", _SET, None)]),
    "broker, a key twice": (_BROKER, "1", [("log.cleaner.threads", _SET, "1"), ("log.cleaner.threads", _DELETE, None)]),
    "broker, read-only": (_BROKER, "1", [("num.partitions", _SET, "4")]),
    "broker, read-only for all": (_BROKER, "", [("num.partitions", _SET, "4")]),
    "all brokers, what each has of its own": (_BROKER, "", [("listeners", _SET, "PLAINTEXT://:9092")]),
    "broker, replicas in sync, its own": (_BROKER, "1", [("min.insync.replicas", _SET, "1")]),
    "all brokers, replicas in sync removed": (_BROKER, "", [("min.insync.replicas", _DELETE, None)]),
    "all brokers, replicas in sync": (_BROKER, "", [("min.insync.replicas", _SET, "1")]),
    "broker, APPEND up to the greatest length": (_BROKER, "1", [("sasl.enabled.mechanisms", _APPEND, "A" * 32760)]),
    "broker, APPEND beyond the greatest length": (_BROKER, "1", [("sasl.enabled.mechanisms", _APPEND, "A" * 32761)]),
    "broker, none of a list's choice": (_BROKER, "1", [("log.cleanup.policy", _SET, "delete,foo")]),
    "broker, an empty part of a list": (_BROKER, "1", [("log.cleanup.policy", _SET, "delete,")]),
    "broker, a list with the same twice": (_BROKER, "1", [("log.cleanup.policy", _SET, "delete,delete")]),
    "broker, an empty list": (_BROKER, "1", [("log.cleanup.policy", _SET, "")]),
    "topic without a name": (_TOPIC, "", [("retention.ms", _SET, "1")]),
    "topic without a name, no number": (_TOPIC, "", [("retention.ms", _SET, "x")]),
    "topic without a name, no list": (_TOPIC, "", [("retention.ms", _APPEND, "x")]),
    "topic that is not there": (_TOPIC, "none", [("retention.ms", _SET, "1")]),
    "topic that is not there, no number": (_TOPIC, "none", [("retention.ms", _SET, "x")]),
    "topic that is not there, too long": (_TOPIC, "none", [("cleanup.policy", _APPEND, "x" * 32767)]),
    "topic with an illegal name": (_TOPIC, "a b", [("retention.ms", _SET, "1")]),
    "topic with an illegal name, no number": (_TOPIC, "a b", [("retention.ms", _SET, "x")]),
    "topic with an illegal name, no list": (_TOPIC, "a b", [("retention.ms", _APPEND, "x")]),
    "topic with an illegal name, too long": (_TOPIC, "a b", [("cleanup.policy", _APPEND, "x" * 32767)]),
    "group, SET": (_GROUP, "g", [("consumer.session.timeout.ms", _SET, "50000")]),
    "group, APPEND": (_GROUP, "g", [("consumer.session.timeout.ms", _APPEND, "1")]),
    "group, no number": (_GROUP, "g", [("consumer.session.timeout.ms", _SET, "x")]),
    "metrics, SET": (_METRICS, "m", [("interval.ms", _SET, "1000")]),
    "metrics, APPEND": (_METRICS, "m", [("metrics", _APPEND, "a")]),
    "logger, SET": (_LOGGER, "1", [(_CLASS, _SET, "DEBUG")]),
    "logger, DELETE": (_LOGGER, "1", [(_CLASS, _DELETE, None)]),
    "logger, a level in small letters": (_LOGGER, "1", [(_CLASS, _SET, "debug")]),
    "logger, a level of Log4j that is none of Kafka": (_LOGGER, "1", [(_CLASS, _SET, "OFF")]),
    "logger, APPEND": (_LOGGER, "1", [(_CLASS, _APPEND, "INFO")]),
    "logger, SUBTRACT": (_LOGGER, "1", [(_CLASS, _SUBTRACT, "INFO")]),
    "logger, a null": (_LOGGER, "1", [(_CLASS, _SET, None)]),
    "logger, a key twice": (_LOGGER, "1", [(_CLASS, _SET, "INFO"), (_CLASS, _SET, "WARN")]),
    "logger, SET of the root": (_LOGGER, "1", [("root", _SET, "INFO")]),
    "logger, DELETE of the root": (_LOGGER, "1", [("root", _DELETE, None)]),
    "logger, no broker's number": (_LOGGER, "x", [(_CLASS, _SET, "INFO")]),
    "logger, of no broker": (_LOGGER, "", [(_CLASS, _SET, "INFO")]),
    "logger, another broker's": (_LOGGER, "2", [(_CLASS, _SET, "INFO")]),
    "logger that is not there": (_LOGGER, "1", [("nope.Nope", _SET, "INFO")]),
}


_OWN_WORDS = ("topic that is not there", "logger, another broker's")
_DIFFERENT = {
    "logger that is not there": "loggers come as a broker loads classes: whether there is one only it can say",
}


def _marks(case: str) -> Any:
    return pytest.mark.xfail(strict=True, reason=_DIFFERENT[case]) if case in _DIFFERENT else ()


@pytest.fixture(scope="module")
def features(oracle: Oracle) -> dict[str, int]:
    """The broker's features as Warden collects them; eligible leader replicas are among them."""
    return read_features(oracle.connection)


@pytest.mark.parametrize("case", [pytest.param(case, marks=_marks(case)) for case in _CASES])
def test_refusals(case: str, oracle: Oracle, features: dict[str, int], query_client: OpaClient) -> None:
    """The engine refuses what a broker refuses, with its code and text, and nothing besides."""
    kind, name, ops = _CASES[case]
    configs = [{"name": key, "configOperation": op, "value": value} for key, op, value in ops]
    request = {"resources": [{"resourceType": kind, "resourceName": name, "configs": configs}], "validateOnly": True}
    ((_, (code, message)),) = oracle.answers("IncrementalAlterConfigs", request)
    decision, refusals = _decision(request, features, query_client)

    assert code == decision, (message, refusals)
    assert code != 0 or [] == refusals
    assert code == 0 or case in _OWN_WORDS or message in refusals


def test_loggers_replaced(oracle: Oracle) -> None:
    """The older form does not know loggers: the adapter refuses them in the broker's words, and asks nobody."""
    configs = [{"name": _CLASS, "value": "INFO"}]
    resource = {"resourceType": _LOGGER, "resourceName": "1", "configs": configs}
    request = {"resources": [resource], "validateOnly": True}
    (item,) = parse_request("AlterConfigs", request).items.values()

    assert item.refusal is not None
    assert [("1", (item.refusal.error_code, item.refusal.error_message))] == oracle.answers("AlterConfigs", request)


def _decision(request: dict[str, Any], features: dict[str, int], query_client: OpaClient) -> tuple[int, list[str]]:
    """What adapter and engine together refuse, without what rules deny: the code, and the texts."""
    (item,) = parse_request("IncrementalAlterConfigs", request).items.values()
    if item.input is None:
        assert item.refusal is not None
        return item.refusal.error_code, [str(item.refusal.error_message)]
    state: dict[str, Any] = {
        "brokers": {"1": {"configs": {}}},
        "catalog": {"release": versions.KAFKA},
        "features": features,
        "groups": {},
        "topics": {},
    }
    decision = query_client.decide({**item.input, "cluster": "oracle", "clusterState": state})
    refusals = [error for error in decision["errors"] if not error.startswith("KFK-")]
    return (decision["error"]["code"] if refusals else 0), refusals
