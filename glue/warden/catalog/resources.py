"""Reading the configurations of the resources other than topics: brokers, groups and client metrics.

Sources, in the jars: ``AbstractKafkaConfig.CONFIG_DEF``, ``DynamicBrokerConfig.dynamicConfigUpdateModes``,
``GroupConfig.CONFIG_DEF``, ``ClientMetricsConfigs.configDef``.
"""

from collections.abc import Callable
from typing import Any

__all__ = ["read_resources"]

Describe = Callable[[Any], dict[str, Any]]
Tables = Callable[[dict[str, Any], Any], dict[str, Any]]


def read_resources(jvm: Any, describe: Describe, tables: Tables) -> dict[str, dict[str, Any]]:
    """Return the catalogues by the directory they belong in: ``broker``, ``group`` and ``clientMetrics``.

    Args:
        jvm: The Py4J view of a JVM with Kafka's jars.
        describe: Makes a catalogue entry of a ``ConfigDef.ConfigKey``.
        tables: Makes the ready-made look-up tables of entries and their ``ConfigKey``s.
    """
    modes = jvm.org.apache.kafka.server.config.DynamicBrokerConfig.dynamicConfigUpdateModes()
    definitions = {
        "broker": jvm.org.apache.kafka.server.config.AbstractKafkaConfig.CONFIG_DEF,
        "group": _private_constant(jvm, "org.apache.kafka.coordinator.group.GroupConfig", "CONFIG_DEF"),
        "clientMetrics": jvm.org.apache.kafka.server.metrics.ClientMetricsConfigs.configDef(),
    }
    catalogues = {}
    for name, definition in definitions.items():
        keys = definition.configKeys()
        configs = {str(key): describe(keys[key]) for key in keys}
        if name == "broker":
            for key, entry in configs.items():
                entry["dynamic"] = str(modes.get(key) or "read-only")
        catalogues[name] = {"configs": configs, **tables(configs, keys)}
    return catalogues


def _private_constant(jvm: Any, class_name: str, field_name: str) -> Any:
    field = jvm.java.lang.Class.forName(class_name).getDeclaredField(field_name)
    field.setAccessible(True)
    return field.get(None)
