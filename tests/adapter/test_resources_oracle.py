"""Refusals of changes to brokers, groups and client metrics: the engine beside a real broker, which only validates."""

from typing import Any

import pytest

from tests.adapter.oracle import Oracle
from warden.adapter import read
from warden.opa.client import OpaClient

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_BROKER, _METRICS, _GROUP = 4, 16, 32
_SET, _DELETE, _APPEND, _SUBTRACT = 0, 1, 2, 3

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
    "group, SET": (_GROUP, "g", [("consumer.session.timeout.ms", _SET, "50000")]),
    "group, APPEND": (_GROUP, "g", [("consumer.session.timeout.ms", _APPEND, "1")]),
    "group, no number": (_GROUP, "g", [("consumer.session.timeout.ms", _SET, "x")]),
    "metrics, SET": (_METRICS, "m", [("interval.ms", _SET, "1000")]),
    "metrics, APPEND": (_METRICS, "m", [("metrics", _APPEND, "a")]),
}


@pytest.mark.parametrize("case", _CASES)
def test_refusals(case: str, oracle: Oracle, opa: OpaClient) -> None:
    """The engine refuses what a broker refuses, with its code and text, and nothing besides."""
    kind, name, ops = _CASES[case]
    configs = [{"name": key, "configOperation": op, "value": value} for key, op, value in ops]
    request = {"resources": [{"resourceType": kind, "resourceName": name, "configs": configs}], "validateOnly": True}
    ((_, (code, message)),) = oracle.answers("IncrementalAlterConfigs", request)
    (input,) = read("IncrementalAlterConfigs", request).inputs.values()
    state: dict[str, Any] = {"brokers": {"1": {"configs": {}}}, "groups": {}}
    decision = opa.decide({**input, "cluster": "oracle", "clusterState": state})
    refusals = [error for error in decision["errors"] if not error.startswith("KFK-")]

    if code == 0:
        assert [] == refusals
    else:
        assert (code, True) == (decision["error"]["code"], message in refusals), (message, refusals)
