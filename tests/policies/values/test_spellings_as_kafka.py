"""What the pairs rest on: Kafka's own definitions read a configuration's two texts as one value."""

from typing import Any

import pytest

from tests.policies.values.pairs import catalog
from tests.policies.values.spellings import bases, spellings
from tools.catalog.jvm import kafka_jvm

pytestmark = [pytest.mark.kafka]

# What else than ConfigDef says that the two are the same: `noLimit` has a test of its own, and the order of policies is
# that of no list that LogConfig keeps.
_BEYOND = {"no limit", "order"}


def _definitions(jvm: Any) -> dict[str, Any]:
    group = jvm.java.lang.Class.forName("org.apache.kafka.coordinator.group.GroupConfig").getDeclaredField("CONFIG_DEF")
    group.setAccessible(True)
    return {
        "topic": jvm.org.apache.kafka.storage.internals.log.LogConfig.configKeys(),
        "broker": jvm.org.apache.kafka.server.config.AbstractKafkaConfig.CONFIG_DEF.configKeys(),
        "clientMetrics": jvm.org.apache.kafka.server.metrics.ClientMetricsConfigs.configDef().configKeys(),
        "group": group.get(None).configKeys(),
    }


def _read(jvm: Any, key: Any, text: str) -> str:
    """The value as Kafka reads it, in words, in capitals where its validator does not look at them."""
    given = jvm.java.util.HashMap()
    given.put(key.name, text)
    definition = jvm.org.apache.kafka.common.config.ConfigDef().define(key)
    read = str(jvm.java.lang.String.valueOf(definition.parse(given).get(key.name)))
    return read.upper() if "(case insensitive)" in str(key.validator) else read


def test_kafka_reads_both_texts_as_one_value() -> None:
    """Of every configuration of the catalogue, not only of those that rules read."""
    different: list[Any] = []
    compared: set[str] = set()
    pairs = 0
    with kafka_jvm() as jvm:
        for document, keys in _definitions(jvm).items():
            rows = catalog(document)["configs"]
            for name in sorted(map(str, keys)):
                for base in bases(rows[name], set()) if rows[name]["type"] != "class" else ():
                    one = _read(jvm, keys[name], base)
                    others = [(how, text) for how, text in spellings(name, rows[name], base) if how not in _BEYOND]
                    pairs += len(others)
                    compared.add(f"{document} {name}")
                    different += [(name, base, text, one) for _, text in others if _read(jvm, keys[name], text) != one]
    print(f"{pairs} pairs of {len(compared)} configurations")

    assert [] == different[:20]
    assert pairs >= 1500
