"""What controllers with tiered storage refuse of topics that ask for it: the engine beside a controller's validator.

No remote store comes with Kafka, so that no broker starts here with tiered storage: its controller's own
``ControllerConfigurationValidator`` runs, with the configuration that such a controller has.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest

from tests.policy.adapter.oracle import stored_topic
from tools.catalog.jvm import run_kafka_jvm
from warden.policy.opa.client import OpaClient
from warden.state.sources.kafka.read.configs import ConfigEntry, select_topic_defaults

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]

_Configs = dict[str, str]
_TIERED = "remote.storage.enable"
_SYSTEM = {"remote.log.storage.system.enable": "true"}

# What stands in the controller's file besides, and in the brokers' too.
_FILES: dict[str, _Configs] = {
    "Kafka's own": {},
    "little in all": {"log.retention.ms": "1000", "log.retention.bytes": "100"},
    "local by default": {"log.retention.hours": "1", "log.local.retention.ms": "3600000", "log.retention.bytes": "9"},
    "more local by default": {"log.retention.minutes": "1", "log.local.retention.ms": "60001"},
    "compacted": {"log.cleanup.policy": "compact"},
    "for ever": {"log.retention.ms": "-1", "log.local.retention.bytes": "5"},
}

# What the topic has before; a text that Java calls true, and one that only Kafka does.
_BEFORE: list[_Configs] = [{}, {_TIERED: "TRUE"}, {_TIERED: " true"}, {_TIERED: "false"}]

# What it has afterwards.
_AFTER: list[_Configs] = [
    {},
    {_TIERED: "true"},
    {_TIERED: " TRUE "},
    {_TIERED: "false"},
    {_TIERED: "false", "remote.log.delete.on.disable": "true"},
    {_TIERED: "false", "remote.log.delete.on.disable": " True"},
    {_TIERED: "false", "remote.log.delete.on.disable": "false", "remote.log.copy.disable": "true"},
    {"remote.log.delete.on.disable": "true"},
    {"local.retention.ms": "5000", "cleanup.policy": "compact"},
    *(
        {_TIERED: "true", **more}
        for more in (
            {"cleanup.policy": "compact"},
            {"cleanup.policy": "delete,compact"},
            {"cleanup.policy": ""},
            {"cleanup.policy": "delete, delete"},
            {"cleanup.policy": "compact", "local.retention.ms": "-1"},
            {"local.retention.ms": "-1"},
            {"local.retention.ms": "-2"},
            {"local.retention.ms": "1000"},
            {"local.retention.ms": "1001", "retention.ms": "1001"},
            {"local.retention.ms": "9223372036854775807"},
            {"local.retention.ms": "0", "retention.ms": "0"},
            {"local.retention.ms": "1", "retention.ms": "0"},
            {"local.retention.ms": "-1", "retention.ms": "-1"},
            {"local.retention.bytes": "-1"},
            {"local.retention.bytes": "10", "retention.bytes": "10"},
            {"local.retention.bytes": "11", "retention.bytes": "10"},
            {"local.retention.bytes": "11", "retention.bytes": "10", "local.retention.ms": "-1"},
            {"local.retention.bytes": "11", "retention.bytes": "-5"},
            {"remote.copy.lag.ms": "5", "local.retention.ms": "5"},
            {"remote.copy.lag.ms": "6", "local.retention.ms": "5"},
            {"remote.copy.lag.ms": "6", "local.retention.ms": "5", "remote.log.copy.disable": "true"},
            {"remote.copy.lag.ms": "604800001"},
            {"remote.copy.lag.ms": "-1", "local.retention.ms": "0"},
            {"remote.copy.lag.ms": "1", "local.retention.ms": "0"},
            {"remote.copy.lag.bytes": "11", "retention.bytes": "10"},
            {"remote.copy.lag.bytes": "11", "retention.bytes": "10", "remote.copy.lag.ms": "604800001"},
            {"remote.copy.lag.bytes": "11", "retention.bytes": "-1"},
            {"remote.log.copy.disable": "true"},
            {"remote.log.copy.disable": "true", "local.retention.ms": "500"},
            {"remote.log.copy.disable": "true", "local.retention.ms": "500", "retention.ms": "500"},
            {"remote.log.copy.disable": "true", "local.retention.bytes": "50"},
            {"remote.log.copy.disable": "true", "local.retention.bytes": "50", "local.retention.ms": "500"},
            {"remote.log.copy.disable": "true", "local.retention.bytes": "-2", "local.retention.ms": "-2"},
            {"remote.log.copy.disable": "false", "local.retention.bytes": "50"},
            {"cleanup.policy": "compact", "retention.ms": "x"},
            {"cleanup.policy": "compact", "min.compaction.lag.ms": "10", "max.compaction.lag.ms": "5"},
        )
    ),
]
_CASES = {str(n): case for n, case in enumerate(product(_FILES, _BEFORE, _AFTER))}


@pytest.fixture(scope="module")
def reported() -> Iterator[dict[str, list[str]]]:
    """What controllers say in each case."""
    with run_kafka_jvm() as jvm:
        topic = _topic(jvm)
        validators = {name: _validator(jvm, file) for name, file in _FILES.items()}
        befores, afters = ([_map(jvm, configs) for configs in each] for each in (_BEFORE, _AFTER))
        made = product(validators.values(), befores, afters)
        yield {
            key: _refused(validator, topic, before, after)
            for key, (validator, before, after) in zip(_CASES, made, strict=True)
        }


def test_alterations(reported: dict[str, list[str]], query_client: OpaClient) -> None:
    """The engine refuses an alteration in the words in which a controller does, and no other."""
    found = _refusals(query_client, {key: _altered(*case) for key, case in _CASES.items()})

    assert [] == [(_CASES[key], reported[key], found[key]) for key in reported if reported[key] != found[key]]


def test_creations(reported: dict[str, list[str]], query_client: OpaClient) -> None:
    """And so a creation: nothing was there before."""
    created = {key: case for key, case in _CASES.items() if not case[1] and case[2]}
    found = _refusals(query_client, {key: _created(file, after) for key, (file, _, after) in created.items()})

    assert [] == [(created[key], reported[key], found[key]) for key in created if reported[key] != found[key]]


def _validator(jvm: Any, file: Mapping[str, str]) -> Any:
    given = jvm.java.util.Properties()
    alone = {
        "process.roles": "controller",
        "node.id": "1",
        "controller.quorum.voters": "1@localhost:9093",
        "controller.listener.names": "CONTROLLER",
        "listeners": "CONTROLLER://localhost:9093",
    }
    for name, value in {**alone, **_SYSTEM, **file}.items():
        given.put(name, value)
    return jvm.kafka.server.ControllerConfigurationValidator(jvm.kafka.server.KafkaConfig(given, False))


def _topic(jvm: Any) -> Any:
    types = jvm.java.lang.Class.forName("org.apache.kafka.common.config.ConfigResource$Type").getEnumConstants()
    (topic,) = [kind for kind in types if str(kind.name()) == "TOPIC"]
    return jvm.org.apache.kafka.common.config.ConfigResource(topic, "t")


def _refused(validator: Any, topic: Any, before: Any, after: Any) -> list[str]:
    from py4j.protocol import Py4JJavaError

    try:
        validator.validate(topic, after, before)
    except Py4JJavaError as error:
        return [str(error.java_exception.getMessage())]
    return []


def _map(jvm: Any, configs: _Configs) -> Any:
    made = jvm.java.util.HashMap()
    for name, value in configs.items():
        made.put(name, value)
    return made


def _refusals(query_client: OpaClient, documents: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """What the engine refuses, all of it as a bad config, without what rules deny."""
    found = {}
    for key, decision in query_client.decide_many(documents, {"cluster": "oracle"}).items():
        found[key] = [error for error in decision["errors"] if not error.startswith("KFK-")]
        assert not found[key] or decision["error"]["name"] == "INVALID_CONFIG"
    return found


def _state(file: str) -> dict[str, Any]:
    defaults = select_topic_defaults({name: ConfigEntry(value, 4) for name, value in _FILES[file].items()})
    return {"brokers": {"1": {"configs": _SYSTEM}}, "defaults": defaults, "topics": {}}


def _created(file: str, after: _Configs) -> dict[str, Any]:
    request = {"topic": "t", "numPartitions": 1, "replicationFactor": 1, "configs": after}
    return {"operation": "CreateTopic", "request": request, "clusterState": _state(file)}


def _altered(file: str, before: _Configs, after: _Configs) -> dict[str, Any]:
    request = {"topic": "t", "configs": {"mode": "full", "entries": after}}
    state = {**_state(file), "topics": {"t": stored_topic(before)}}
    return {"operation": "AlterTopic", "request": request, "clusterState": state}
