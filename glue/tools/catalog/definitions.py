"""Table of the classes that define each component's list-typed configs, as the catalogue names components."""

from dataclasses import dataclass
from typing import Final

__all__ = ["COMPONENTS", "Definition"]


@dataclass(frozen=True)
class Definition:
    """A ``ConfigDef`` in the jars.

    Args:
        name: Name of the class below ``org.apache.kafka``.
        member: The static field, or the static method, that holds or makes it; Kafka may keep
            it to its own package.
        takes: Class below ``org.apache.kafka`` whose constant ``SYSTEM`` the method takes.
    """

    name: str
    member: str
    takes: str | None = None

    @property
    def class_name(self) -> str:
        """The whole name of the class."""
        return f"org.apache.kafka.{self.name}"


def _build_definition(name: str, member: str = "CONFIG_DEF") -> tuple[Definition, ...]:
    return (Definition(name, member),)


def _build_mirror_definition(name: str, member: str) -> tuple[Definition, ...]:
    return _build_definition(f"connect.mirror.{name}", member)


COMPONENTS: Final[dict[str, tuple[Definition, ...]]] = {
    "admin": _build_definition("clients.admin.AdminClientConfig", "CONFIG"),
    # The parts come first, so that a row names the class that defines it; the last one is what a broker reads.
    "broker": tuple(
        Definition(name, member)
        for name, member in (
            ("common.config.internals.BrokerSecurityConfigs", "CONFIG_DEF"),
            ("coordinator.group.GroupCoordinatorConfig", "CONFIG_DEF"),
            ("network.SocketServerConfigs", "CONFIG_DEF"),
            ("raft.KRaftConfigs", "CONFIG_DEF"),
            ("raft.QuorumConfig", "CONFIG_DEF"),
            ("server.config.ServerConfigs", "CONFIG_DEF"),
            ("server.metrics.MetricConfigs", "CONFIG_DEF"),
            ("storage.internals.log.LogConfig", "SERVER_CONFIG_DEF"),
            ("server.config.AbstractKafkaConfig", "CONFIG_DEF"),
        )
    ),
    "client-metrics": _build_definition("server.metrics.ClientMetricsConfigs", "CONFIG"),
    "connect": (
        Definition("connect.runtime.rest.RestServerConfig$PublicConfig", "config"),
        Definition("connect.runtime.WorkerConfig", "baseConfigDef"),
        Definition("connect.runtime.distributed.DistributedConfig", "config", "connect.runtime.distributed.Crypto"),
        Definition("connect.connector.policy.AllowlistConnectorClientConfigOverridePolicy", "CONFIG_DEF"),
    ),
    "connect-sink": _build_definition("connect.runtime.SinkConnectorConfig", "configDef"),
    "connect-source": _build_definition("connect.runtime.SourceConnectorConfig", "configDef"),
    "connect-topic-creation": _build_definition("connect.runtime.TopicCreationConfig", "defaultGroupConfigDef"),
    "consumer": _build_definition("clients.consumer.ConsumerConfig", "CONFIG"),
    "mirror-checkpoint": _build_mirror_definition("MirrorCheckpointConfig", "CONNECTOR_CONFIG_DEF"),
    "mirror-checkpoint-task": _build_mirror_definition("MirrorCheckpointTaskConfig", "TASK_CONFIG_DEF"),
    "mirror-client": _build_mirror_definition("MirrorClientConfig", "CONFIG_DEF"),
    "mirror-config-filter": _build_mirror_definition("DefaultConfigPropertyFilter$ConfigPropertyFilterConfig", "DEF"),
    "mirror-connector": _build_mirror_definition("MirrorConnectorConfig", "BASE_CONNECTOR_CONFIG_DEF"),
    "mirror-group-filter": _build_mirror_definition("DefaultGroupFilter$GroupFilterConfig", "DEF"),
    "mirror-heartbeat": _build_mirror_definition("MirrorHeartbeatConfig", "CONNECTOR_CONFIG_DEF"),
    "mirror-maker": _build_mirror_definition("MirrorMakerConfig", "config"),
    "mirror-source": _build_mirror_definition("MirrorSourceConfig", "CONNECTOR_CONFIG_DEF"),
    "mirror-source-task": _build_mirror_definition("MirrorSourceTaskConfig", "TASK_CONFIG_DEF"),
    "mirror-topic-filter": _build_mirror_definition("DefaultTopicFilter$TopicFilterConfig", "DEF"),
    "producer": _build_definition("clients.producer.ProducerConfig", "CONFIG"),
    "streams": _build_definition("streams.StreamsConfig", "CONFIG"),
    "tools": _build_definition("tools.BrokerApiVersionsCommand$AdminClient", "ADMIN_CONFIG_DEF"),
    "topic": _build_definition("storage.internals.log.LogConfig", "CONFIG"),
    **{
        f"transform-{name}": _build_definition(f"connect.transforms.{name}")
        for name in ("Cast", "DropHeaders", "HeaderFrom", "MaskField", "ReplaceField", "ValueToKey")
    },
}
"""Component → its definitions; where two define a key, the earlier one counts."""
