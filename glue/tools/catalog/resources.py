"""Config definitions of brokers, groups and client metrics, read from Kafka's jars.

Sources, in the jars: ``AbstractKafkaConfig.CONFIG_DEF``, for what of it is dynamic see `dynamic`;
``GroupConfig.CONFIG_DEF``, ``ClientMetricsConfigs.configDef``.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tools.catalog.dynamic import add_dynamic, read_private_constant

__all__ = ["read_definition", "read_resources"]

Describe = Callable[[Any], dict[str, Any]]
BuildTables = Callable[[dict[str, Any], Any], dict[str, Any]]

_CONFIGS: Final = {  # of releases before a class, the kind has no keys
    "broker": (("org.apache.kafka.server.config.AbstractKafkaConfig", "CONFIG_DEF"),),
    "topic": (("org.apache.kafka.storage.internals.log.LogConfig", "CONFIG"),),
    "group": tuple(("org.apache.kafka.coordinator.group.GroupConfig", member) for member in ("CONFIG_DEF", "CONFIG")),
    "clientMetrics": (("org.apache.kafka.server.metrics.ClientMetricsConfigs", "CONFIG"),),
}


def read_resources(jvm: Any, describe: Describe, tables: BuildTables) -> dict[str, dict[str, Any]]:
    """Return the catalogues by the directory they belong in: ``broker``, ``group`` and ``clientMetrics``.

    Args:
        jvm: The Py4J view of a JVM with Kafka's jars, of 3.9 or later.
        describe: Makes a catalogue entry of a ``ConfigDef.ConfigKey``.
        tables: Makes the ready-made look-up tables of entries and their ``ConfigKey``s.
    """
    catalogs = {}
    for name in ("broker", "group", "clientMetrics"):
        keys = read_definition(jvm, name)
        configs = {str(key): describe(keys[key]) for key in keys}
        catalogs[name] = {"configs": configs, **tables(configs, keys)}
    add_dynamic(jvm, catalogs["broker"], describe)
    _add_bounds(catalogs["group"], catalogs["broker"]["configs"])
    catalogs["clientMetrics"] |= _read_client_metrics(jvm)
    return catalogs


def read_definition(jvm: Any, kind: str) -> Mapping[Any, Any]:
    """Return the ``ConfigKey``s of a kind of resource by name, none where the release has no such kind.

    Args:
        jvm: A JVM with the jars of the release's server.
        kind: ``broker``, ``topic``, ``group`` or ``clientMetrics``.
    """
    from py4j.protocol import Py4JJavaError

    for name, member in _CONFIGS[kind]:
        try:
            keys: Mapping[Any, Any] = read_private_constant(jvm, name, member).configKeys()
        except Py4JJavaError:  # the class, or the field, came later or is gone
            continue
        return keys
    if kind == "broker":  # before 4.0
        before: Mapping[Any, Any] = jvm.kafka.server.KafkaConfig.configDef().configKeys()
        return before
    return {}


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


def _read_client_metrics(jvm: Any) -> dict[str, Any]:
    """What ``ClientMetricsConfigs.validate`` compares in code."""
    name = "org.apache.kafka.server.metrics.ClientMetricsConfigs"
    limits = {side: read_private_constant(jvm, name, f"{side.upper()}_INTERVAL_MS") for side in ("min", "max")}
    parameters = sorted(str(parameter) for parameter in read_private_constant(jvm, name, "ALLOWED_MATCH_PARAMS"))
    return {"interval": limits, "matchParameters": parameters}
