"""What a change makes of a topic's configs, and what is refused of it: the engine beside a real broker."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.policy.adapter.oracle import Answer, Oracle, stored_topic
from warden.base.toolchain import versions
from warden.policy.opa.client import OpaClient
from warden.state.sources.kafka.read.request_state import collect_topics_state

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_POLICY = "cleanup.policy"
_THROTTLED = "leader.replication.throttled.replicas"


def _throttled(last: str) -> str:
    """A list of 32,760 characters and its last part: with one of seven it is as long as a value can be."""
    return ",".join([*(f"{partition}:1" for partition in range(10000, 14095)), last])


# Each case has a topic of its own: what that sets before, and the operations with name, kind and value.
_INCREMENTAL: dict[str, tuple[dict[str, str], list[tuple[str, str, str | None]]]] = {
    "nothing": ({"retention.ms": "1"}, []),
    "SET": ({}, [("retention.ms", "SET", "1000")]),
    "SET of what is there": ({"retention.ms": "1000"}, [("retention.ms", "SET", "1000")]),
    "SET in another spelling": ({"retention.ms": "1000"}, [("retention.ms", "SET", " +1000 ")]),
    "SET of a boolean in capitals": ({}, [("preallocate", "SET", "TRUE")]),
    "SET of a double": ({}, [("min.cleanable.dirty.ratio", "SET", "1e-1")]),
    "SET of an empty list": ({}, [(_POLICY, "SET", "")]),
    "SET of a doubled list": ({}, [(_POLICY, "SET", "delete,delete")]),
    "SET of a list with spaces": ({}, [(_POLICY, "SET", "compact, compact")]),
    "SET of replicas to throttle": ({}, [(_THROTTLED, "SET", "1:2")]),
    "SET of all replicas to throttle": ({}, [(_THROTTLED, "SET", "*")]),
    "DELETE": ({"retention.ms": "1000"}, [("retention.ms", "DELETE", None)]),
    "DELETE with a value": ({"retention.ms": "1000"}, [("retention.ms", "DELETE", "77")]),
    "DELETE of what is absent": ({"retention.ms": "1000"}, [("segment.ms", "DELETE", None)]),
    "DELETE of a name that Kafka lacks": ({}, [("my.key", "DELETE", None)]),
    "APPEND of what the override has": ({_POLICY: "compact"}, [(_POLICY, "APPEND", "compact")]),
    "APPEND of what the default has": ({}, [(_POLICY, "APPEND", "delete")]),
    "APPEND to the default": ({}, [(_POLICY, "APPEND", "compact")]),
    "APPEND to an override": ({_POLICY: "compact"}, [(_POLICY, "APPEND", "delete")]),
    "APPEND to an empty override": ({_POLICY: ""}, [(_POLICY, "APPEND", "compact")]),
    "APPEND of two, one there": ({}, [(_POLICY, "APPEND", "compact,delete")]),
    "APPEND of the same twice": ({_POLICY: "delete"}, [(_POLICY, "APPEND", "compact,compact")]),
    "APPEND with a space": ({_POLICY: "delete"}, [(_POLICY, "APPEND", " delete")]),
    "APPEND of a comma": ({_POLICY: "delete"}, [(_POLICY, "APPEND", ",")]),
    "APPEND of replicas to throttle": ({_THROTTLED: "0:1"}, [(_THROTTLED, "APPEND", "1:1")]),
    "APPEND up to the greatest length": ({_THROTTLED: _throttled("0:1")}, [(_THROTTLED, "APPEND", "1:1")]),
    "APPEND beyond the greatest length": ({_THROTTLED: _throttled("10:1")}, [(_THROTTLED, "APPEND", "1:1")]),
    "APPEND to the longest of what it has": ({_THROTTLED: _throttled("14095:1")}, [(_THROTTLED, "APPEND", "14095:1")]),
    "too long and a number appended": (
        {_THROTTLED: _throttled("14095:1")},
        [(_THROTTLED, "APPEND", "1:1"), ("segment.ms", "APPEND", "1")],
    ),
    "too long and no number": (
        {_THROTTLED: _throttled("14095:1")},
        [("retention.ms", "SET", "x"), (_THROTTLED, "APPEND", "1:1")],
    ),
    "SUBTRACT of what is absent, override": ({_POLICY: "compact"}, [(_POLICY, "SUBTRACT", "delete")]),
    "SUBTRACT of what is absent, no override": ({}, [(_POLICY, "SUBTRACT", "compact")]),
    "SUBTRACT of the last": ({_POLICY: "compact"}, [(_POLICY, "SUBTRACT", "compact")]),
    "SUBTRACT of the default's last": ({}, [(_POLICY, "SUBTRACT", "delete")]),
    "SUBTRACT on a doubled list": ({_POLICY: "delete,delete"}, [(_POLICY, "SUBTRACT", "delete")]),
    "SUBTRACT past a space": ({_POLICY: "compact, delete"}, [(_POLICY, "SUBTRACT", "delete")]),
    "SUBTRACT of nothing": ({_POLICY: "delete"}, [(_POLICY, "SUBTRACT", "")]),
    "several at once": (
        {"retention.ms": "1000", "segment.ms": "7"},
        [("retention.ms", "DELETE", None), ("flush.ms", "SET", "5"), (_POLICY, "APPEND", "compact")],
    ),
    "APPEND of an empty text": ({_POLICY: "delete"}, [(_POLICY, "APPEND", "")]),
    "APPEND of commas around": ({_POLICY: "delete"}, [(_POLICY, "APPEND", ",compact,")]),
    "APPEND of no policy": ({}, [(_POLICY, "APPEND", "remove")]),
    "APPEND to a number": ({}, [("retention.ms", "APPEND", "1")]),
    "SUBTRACT from a number": ({}, [("retention.ms", "SUBTRACT", "1")]),
    "APPEND to a name that Kafka lacks": ({}, [("my.key", "APPEND", "1")]),
    "SET of null": ({}, [("retention.ms", "SET", None)]),
    "SET of nulls": ({}, [("segment.ms", "SET", None), ("retention.ms", "SET", None)]),
    "APPEND of null": ({}, [(_POLICY, "APPEND", None)]),
    "a key twice": ({}, [("retention.ms", "SET", "1"), ("retention.ms", "DELETE", None)]),
    "a key twice and a null": ({}, [("retention.ms", "SET", None), ("retention.ms", "DELETE", None)]),
    "a null and a number appended": ({}, [("retention.ms", "SET", None), ("segment.ms", "APPEND", "1")]),
    "no number": ({}, [("retention.ms", "SET", "x")]),
    "an empty number": ({}, [("retention.ms", "SET", "")]),
    "below the least": ({}, [("retention.ms", "SET", "-2")]),
    "beyond an int": ({}, [("segment.bytes", "SET", "2147483648")]),
    "above a double's greatest": ({}, [("min.cleanable.dirty.ratio", "SET", "1.5")]),
    "no double": ({}, [("min.cleanable.dirty.ratio", "SET", "a")]),
    "no boolean": ({}, [("preallocate", "SET", "yes")]),
    "no such choice": ({}, [("compression.type", "SET", "brotli")]),
    "a choice in other letters": ({}, [("message.timestamp.type", "SET", "createTime")]),
    "no such policy": ({}, [(_POLICY, "SET", "remove")]),
    "an empty piece": ({}, [(_POLICY, "SET", "delete,,compact")]),
    "between the range and the one beside it": ({}, [("compression.gzip.level", "SET", "0")]),
    "no replicas to throttle": ({}, [(_THROTTLED, "SET", "a")]),
    "least lag above the greatest": (
        {},
        [("min.compaction.lag.ms", "SET", "10"), ("max.compaction.lag.ms", "SET", "5")],
    ),
    "two bad values": ({}, [("retention.ms", "SET", "x"), ("segment.ms", "SET", "y")]),
    "SET of a name that Kafka lacks": ({}, [("my.key", "SET", "1")]),
    "tiered storage that brokers lack": ({}, [("remote.storage.enable", "SET", "true")]),
}

# case → overrides before, entries of a full replacement
_FULL: dict[str, tuple[dict[str, str], dict[str, str | None]]] = {
    "full, one removed unsaid": ({"retention.ms": "1000", "segment.ms": "5000"}, {"retention.ms": "2000"}),
    "full and empty": ({"retention.ms": "1000"}, {}),
    "full, as it is": ({"retention.ms": "1000"}, {"retention.ms": "1000"}),
    "full, a list": ({}, {_POLICY: "compact,delete"}),
    "full with a null": ({"retention.ms": "1000"}, {"retention.ms": None}),
    "full with nulls": ({}, {"flush.ms": "1", "retention.ms": None, "segment.ms": None}),
    "full, no number": ({"retention.ms": "1000"}, {"retention.ms": "x"}),
    "full, no such policy": ({}, {_POLICY: "compact,remove"}),
    "full, a name that Kafka lacks": ({}, {"my.key": "x"}),
}

_CODES = {"SET": 0, "DELETE": 1, "APPEND": 2, "SUBTRACT": 3}
_TOPICS = {case: f"case-{number}" for number, case in enumerate([*_INCREMENTAL, *_FULL])}


@pytest.fixture(scope="module")
def reported(oracle: Oracle) -> dict[str, tuple[Answer, dict[str, str]]]:
    """What the broker answers in each case, and the overrides that the topic then has."""
    befores = {case: before for case, (before, _) in [*_INCREMENTAL.items(), *_FULL.items()]}
    oracle.create({_TOPICS[case]: before for case, before in befores.items()})
    incremental = [
        _resource(case, [{"name": name, "configOperation": _CODES[op], "value": value} for name, op, value in ops])
        for case, (_, ops) in _INCREMENTAL.items()
    ]
    full = [
        _resource(case, [{"name": name, "value": value} for name, value in entries.items()])
        for case, (_, entries) in _FULL.items()
    ]
    answers = dict(oracle.answers("IncrementalAlterConfigs", {"resources": incremental, "validateOnly": False}))
    answers |= dict(oracle.answers("AlterConfigs", {"resources": full, "validateOnly": False}))
    stored = oracle.stored()
    return {case: (answers[topic], stored.get(topic, {})) for case, topic in _TOPICS.items()}


@pytest.fixture(scope="module")
def brokers(oracle: Oracle) -> dict[str, Any]:
    """The brokers as Warden collects them."""
    found: dict[str, Any] = collect_topics_state(oracle.connection, [])["brokers"]
    return found


@pytest.mark.parametrize("case", _TOPICS)
def test_configs_after(
    case: str, reported: Mapping[str, tuple[Answer, dict[str, str]]], brokers: dict[str, Any], query_client: OpaClient
) -> None:
    """Overrides afterwards are the broker's, character by character; what the broker refuses, the engine refuses."""
    (code, message), stored = reported[case]
    before, change = _change(case)
    changed = query_client.evaluate(
        "kafka/configs/change", {"resourceType": "topic", "before": before, "change": change}
    )
    decision = query_client.decide(_alter_topic(before, change, brokers))
    refusals = [error for error in decision["errors"] if not error.startswith("KFK-")]

    if code == 0:
        assert (stored, [], []) == (changed["after"], changed["errors"], refusals)
    else:
        assert before == stored
        assert code == decision["error"]["code"]
        assert message in refusals


def _resource(case: str, configs: list[dict[str, Any]]) -> dict[str, Any]:
    return {"resourceType": 2, "resourceName": _TOPICS[case], "configs": configs}


def _change(case: str) -> tuple[dict[str, str], dict[str, Any]]:
    if case in _FULL:
        before, entries = _FULL[case]
        return before, {"mode": "full", "entries": entries}
    before, ops = _INCREMENTAL[case]
    return before, {
        "mode": "incremental",
        "ops": [{"name": name, "op": op, "value": value} for name, op, value in ops],
    }


def _alter_topic(before: dict[str, str], change: dict[str, Any], brokers: dict[str, Any]) -> dict[str, Any]:
    return {
        "operation": "AlterTopic",
        "cluster": "oracle",
        "request": {"topic": "t", "configs": change},
        "clusterState": {
            "topics": {"t": stored_topic(before)},
            "brokers": brokers,
            "catalog": {"release": versions.KAFKA},
        },
    }
