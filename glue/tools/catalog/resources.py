"""Config definitions of brokers, groups and client metrics, read from Kafka's jars.

Sources, in the jars: ``AbstractKafkaConfig.CONFIG_DEF``; ``DynamicBrokerConfig``, ``DynamicConfig.Broker`` and
``DynamicThreadPool`` for what of it is dynamic; ``GroupConfig.CONFIG_DEF``, ``ClientMetricsConfigs.configDef``.
"""

from collections.abc import Callable
from typing import Any

__all__ = ["private_constant", "read_resources"]

Describe = Callable[[Any], dict[str, Any]]
Tables = Callable[[dict[str, Any], Any], dict[str, Any]]


def read_resources(jvm: Any, describe: Describe, tables: Tables) -> dict[str, dict[str, Any]]:
    """Return the catalogues by the directory they belong in: ``broker``, ``group`` and ``clientMetrics``.

    Args:
        jvm: The Py4J view of a JVM with Kafka's jars.
        describe: Makes a catalogue entry of a ``ConfigDef.ConfigKey``.
        tables: Makes the ready-made look-up tables of entries and their ``ConfigKey``s.
    """
    definitions = {
        "broker": jvm.org.apache.kafka.server.config.AbstractKafkaConfig.CONFIG_DEF,
        "group": private_constant(jvm, "org.apache.kafka.coordinator.group.GroupConfig", "CONFIG_DEF"),
        "clientMetrics": jvm.org.apache.kafka.server.metrics.ClientMetricsConfigs.configDef(),
    }
    catalogues = {}
    for name, definition in definitions.items():
        keys = definition.configKeys()
        configs = {str(key): describe(keys[key]) for key in keys}
        catalogues[name] = {"configs": configs, **tables(configs, keys)}
    _add_dynamic(jvm, catalogues["broker"], describe)
    _add_bounds(catalogues["group"], catalogues["broker"]["configs"])
    catalogues["clientMetrics"] |= _client_metrics(jvm)
    return catalogues


def _add_bounds(group: dict[str, Any], broker: dict[str, Any]) -> None:
    """Add the broker's keys that bound a group's, and the key that a session has to outlast.

    ``GroupConfig.validate`` compares them in code; their names are those of the group's keys. The oracle of AlterConfig
    holds the result to a broker.
    """
    for key, entry in group["configs"].items():
        kind, _, rest = key.partition(".")
        names = {side: f"group.{kind}.{side}.{rest.removeprefix('num.')}" for side in ("min", "max")}
        if bounds := {side: name for side, name in names.items() if name in broker}:
            entry["bounds"] = bounds
        if (inherited := f"group.{key}") in broker:
            entry["broker"] = inherited
        if rest == "session.timeout.ms":
            entry["above"] = f"{kind}.heartbeat.interval.ms"


def _client_metrics(jvm: Any) -> dict[str, Any]:
    """What ``ClientMetricsConfigs.validate`` compares in code."""
    name = "org.apache.kafka.server.metrics.ClientMetricsConfigs"
    limits = {side: private_constant(jvm, name, f"{side.upper()}_INTERVAL_MS") for side in ("min", "max")}
    parameters = sorted(str(one) for one in private_constant(jvm, name, "ALLOWED_MATCH_PARAMS"))
    return {"interval": limits, "matchParameters": parameters}


# Pools whose size may at most double or halve in one change, beside those of ``DynamicThreadPool``; their names are in
# the code that compares (``SocketServer.validateReconfiguration``, ``DynamicRemoteLogConfig.validateReconfiguration``).
_POOLS = (
    "num.network.threads",
    "remote.log.manager.copier.thread.pool.size",
    "remote.log.manager.expiration.thread.pool.size",
    "remote.log.manager.follower.thread.pool.size",
    "remote.log.reader.threads",
)


def _add_dynamic(jvm: Any, broker: dict[str, Any], describe: Describe) -> None:
    """Add how a broker's keys change at runtime, and the keys that it has at runtime only (throttles)."""
    dynamic = "org.apache.kafka.server.config.DynamicBrokerConfig"
    modes = jvm.org.apache.kafka.server.config.DynamicBrokerConfig.dynamicConfigUpdateModes()
    columns = {
        "onlyPerListener": private_constant(jvm, dynamic, "DYNAMIC_SECURITY_CONFIGS"),
        "forAllListeners": private_constant(jvm, dynamic, "CLUSTER_LEVEL_LISTENER_CONFIGS"),
    }
    pools = private_constant(jvm, "org.apache.kafka.server.DynamicThreadPool", "RECONFIGURABLE_CONFIGS")
    listeners = private_constant(jvm, f"{dynamic}$DynamicListenerConfig", "RECONFIGURABLE_CONFIGS")
    broker["pools"] = sorted([*map(str, pools), *_POOLS])
    broker["ofListeners"] = sorted(map(str, listeners))
    configs = broker["configs"]
    for key, entry in configs.items():
        entry["dynamic"] = str(modes.get(key) or "read-only")
    for column, names in columns.items():
        for name in names:
            configs[str(name)][column] = True
    keys = private_constant(jvm, "org.apache.kafka.server.config.DynamicConfig$Broker", "BROKER_CONFIGS").configKeys()
    for key in keys:
        if str(key) not in configs:
            configs[str(key)] = {**describe(keys[key]), "dynamic": "cluster-wide", "onlyDynamic": True}
            broker["types"][str(key)] = configs[str(key)]["type"]


def private_constant(jvm: Any, class_name: str, field_name: str) -> Any:
    """Return a constant that Kafka keeps to its own package, by the whole name of its class."""
    field = jvm.java.lang.Class.forName(class_name).getDeclaredField(field_name)
    field.setAccessible(True)
    return field.get(None)
