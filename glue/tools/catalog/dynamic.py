"""Dynamic configs of brokers and how each may change, read from Kafka's jars of 3.9 and later.

Sources, in the jars: ``DynamicBrokerConfig``, ``DynamicConfig.Broker``, ``DynamicThreadPool`` and
``DynamicListenerConfig``, which are objects of Scala until they move.
"""

from collections.abc import Callable
from typing import Any, Final

__all__ = ["add_dynamic", "read_private_constant", "read_private_field"]

# Pools whose size may at most double or halve in one change, beside those of ``DynamicThreadPool``; their names are in
# the code that compares (``SocketServer.validateReconfiguration``, ``DynamicRemoteLogConfig.validateReconfiguration``).
_POOLS: Final = (
    "num.network.threads",
    "remote.log.manager.copier.thread.pool.size",
    "remote.log.manager.expiration.thread.pool.size",
    "remote.log.manager.follower.thread.pool.size",
    "remote.log.reader.threads",
)
_DYNAMIC: Final = "org.apache.kafka.server.config.DynamicBrokerConfig"
_SCALA: Final = "kafka.server.DynamicBrokerConfig$"
_ONLY_PER_LISTENER: Final = ((_DYNAMIC, "DYNAMIC_SECURITY_CONFIGS"), (_SCALA, "DynamicSecurityConfigs"))
_FOR_ALL_LISTENERS: Final = ((_DYNAMIC, "CLUSTER_LEVEL_LISTENER_CONFIGS"), (_SCALA, "ClusterLevelListenerConfigs"))
_OF_LISTENERS: Final = (
    (f"{_DYNAMIC}$DynamicListenerConfig", "RECONFIGURABLE_CONFIGS"),
    ("kafka.server.DynamicListenerConfig$", "ReconfigurableConfigs"),
)
_OF_POOLS: Final = (
    ("org.apache.kafka.server.DynamicThreadPool", "RECONFIGURABLE_CONFIGS"),
    ("kafka.server.DynamicThreadPool$", "ReconfigurableConfigs"),
)
_RUNTIME: Final = (
    ("org.apache.kafka.server.config.DynamicConfig$Broker", "BROKER_CONFIGS"),
    ("kafka.server.DynamicConfig$Broker$", "brokerConfigs"),
)


def add_dynamic(jvm: Any, broker: dict[str, Any], describe: Callable[[Any], dict[str, Any]]) -> None:
    """Add how a broker's keys change at runtime, and the keys that it has at runtime only (throttles).

    Args:
        jvm: The Py4J view of a JVM with Kafka's jars.
        broker: The catalogue of brokers; changed in place.
        describe: Makes a catalogue entry of a ``ConfigDef.ConfigKey``.
    """
    configs = broker["configs"]
    pools = {*_read_names(jvm, _OF_POOLS), *(name for name in _POOLS if name in configs)}
    broker |= {"pools": sorted(pools), "ofListeners": sorted(_read_names(jvm, _OF_LISTENERS))}
    modes = _read_modes(jvm)
    for key, entry in configs.items():
        entry["dynamic"] = str(modes.get(key) or "read-only")
    for column, places in (("onlyPerListener", _ONLY_PER_LISTENER), ("forAllListeners", _FOR_ALL_LISTENERS)):
        for name in _read_names(jvm, places):
            configs[name][column] = True
    keys = _read_first(jvm, _RUNTIME).configKeys()
    for key in keys:
        if str(key) not in configs:
            configs[str(key)] = {**describe(keys[key]), "dynamic": "cluster-wide", "onlyDynamic": True}
            broker["types"][str(key)] = configs[str(key)]["type"]


def read_private_constant(jvm: Any, class_name: str, field_name: str) -> Any:
    """Return a constant that Kafka keeps to its own package, by the whole name of its class."""
    field = jvm.java.lang.Class.forName(class_name).getDeclaredField(field_name)
    field.setAccessible(True)
    return field.get(None)


def read_private_field(instance: Any, name: str) -> Any:
    """Return a field that Kafka keeps to its own package."""
    field = instance.getClass().getDeclaredField(name)
    field.setAccessible(True)
    return field.get(instance)


def _read_first(jvm: Any, places: tuple[tuple[str, str], tuple[str, str]]) -> Any:
    """A constant of Java's, or what an object of Scala's has in its place."""
    from py4j.protocol import Py4JJavaError

    (java, field), (scala, method) = places
    try:
        return read_private_constant(jvm, java, field)
    except Py4JJavaError:  # the class came later
        return getattr(read_private_constant(jvm, scala, "MODULE$"), method)()


def _read_names(jvm: Any, places: tuple[tuple[str, str], tuple[str, str]]) -> list[str]:
    names = _read_first(jvm, places)
    if not hasattr(names, "__len__"):  # a set of Scala's
        names = jvm.scala.jdk.javaapi.CollectionConverters.asJava(names)
    return [str(name) for name in names]


def _read_modes(jvm: Any) -> Any:
    from py4j.protocol import Py4JJavaError

    try:
        jvm.java.lang.Class.forName(_DYNAMIC)
    except Py4JJavaError:  # as above
        return read_private_constant(jvm, _SCALA, "MODULE$").dynamicConfigUpdateModes()
    return jvm.org.apache.kafka.server.config.DynamicBrokerConfig.dynamicConfigUpdateModes()
