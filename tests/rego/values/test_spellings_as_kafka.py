"""What the pairs rest on: Kafka's own definitions read a configuration's two texts as one value."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.rego.values.pairs import catalog
from tests.rego.values.spellings import bases, spellings

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


def _reader(jvm: Any, key: Any) -> Callable[[str], str]:
    """Return what reads a value as Kafka does: in words, in capitals where its validator does not look at them."""
    definition = jvm.org.apache.kafka.common.config.ConfigDef().define(key)
    name, given, words = str(key.name), jvm.java.util.HashMap(), jvm.java.lang.String
    any_case = "(case insensitive)" in str(key.validator)

    def read(text: str) -> str:
        given.put(name, text)
        found = str(words.valueOf(definition.parse(given).get(name)))
        return found.upper() if any_case else found

    return read


def test_kafka_reads_both_texts_as_one_value(jvm: Any) -> None:
    """Of every configuration of the catalogue, not only of those that rules read."""
    different: list[Any] = []
    compared: set[str] = set()
    pairs = 0
    for document, keys in _definitions(jvm).items():
        rows = catalog(document)["configs"]
        for name in sorted(map(str, keys)):
            read = _reader(jvm, keys[name])
            for base in bases(rows[name], set()) if rows[name]["type"] != "class" else ():
                one = read(base)
                others = [(how, text) for how, text in spellings(name, rows[name], base) if how not in _BEYOND]
                pairs += len(others)
                compared.add(f"{document} {name}")
                different += [(name, base, text, one) for _, text in others if read(text) != one]
    print(f"{pairs} pairs of {len(compared)} configurations")

    assert [] == different[:20]
    assert pairs >= 1500
