"""The brokers of a cluster (DescribeCluster, KIP-700; Metadata on older ones) and their configurations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warden.base.errors import KafkaUnreachable
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed
from warden.state.sources.kafka.read.config_layers import select_cluster_wide, split_layers
from warden.state.sources.kafka.read.configs import BROKER, ConfigEntry, request_descriptions

__all__ = ["Broker", "Cluster", "build_broker_documents", "read_broker_configs", "read_cluster"]

_OPERATIONS = {"include_cluster_authorized_operations": True}
_DESCRIBE = 8  # AclOperation.DESCRIBE


@dataclass(frozen=True)
class Broker:
    """A registered broker.

    Args:
        id: Its node id.
        host: Where clients reach it.
        rack: Its ``broker.rack``, None where it has none.
        fenced: Whether it is registered but not alive; only Kafka 4.0 and newer tell of such brokers.
    """

    id: int
    host: str
    rack: str | None
    fenced: bool = False

    def to_document(self, configs: Mapping[str, ConfigEntry]) -> dict[str, Any]:
        """Return its entry in the contract's ``brokers``."""
        return {"host": self.host, "rack": self.rack, **split_layers(configs)}


@dataclass(frozen=True)
class Cluster:
    """A cluster's identity and brokers.

    Args:
        id: The id that Kafka gave it when its storage was formatted.
        controller: Id of the broker to ask what the controller knows; None where any will do.
        brokers: All registered brokers, in order of id.
        describes_cluster: Whether the principal has DESCRIBE on the cluster. Without it Kafka leaves out, in silence,
            what the principal may not see.
    """

    id: str
    controller: int | None
    brokers: tuple[Broker, ...]
    describes_cluster: bool

    @property
    def live_brokers(self) -> list[Broker]:
        """The brokers that can be reached."""
        return [broker for broker in self.brokers if not broker.fenced]


def read_cluster(connection: Connection) -> Cluster:
    """Return the cluster's id and brokers.

    Raises:
        KafkaError: The cluster does not answer usefully.
    """
    from kafka.protocol.admin import DescribeClusterRequest
    from kafka.protocol.metadata import MetadataRequest

    try:
        cluster = connection.send(DescribeClusterRequest(**_OPERATIONS, include_fenced_brokers=True))
        brokers = [Broker(item.broker_id, item.host, item.rack, bool(item.is_fenced)) for item in cluster.brokers]
    except NotDisclosed:  # before Kafka 2.8
        cluster = connection.send(MetadataRequest(topics=[], **_OPERATIONS), check=False)
        brokers = [Broker(item.node_id, item.host, item.rack) for item in cluster.brokers]
    controller = cluster.controller_id if cluster.controller_id >= 0 else None
    return Cluster(
        id=str(cluster.cluster_id),
        controller=controller,
        brokers=tuple(sorted(brokers, key=lambda broker: broker.id)),
        describes_cluster=_DESCRIBE in (cluster.authorized_operations or ()),
    )


def build_broker_documents(
    cluster: Cluster, configs: Mapping[int, Mapping[str, ConfigEntry]]
) -> dict[str, dict[str, Any]]:
    """Return the contract's ``brokers``, with the cluster-wide default under "" where it sets anything.

    Args:
        cluster: Its brokers.
        configs: What each broker reports about itself, as far as it could be read.
    """
    documents = {str(broker.id): broker.to_document(configs.get(broker.id, {})) for broker in cluster.brokers}
    shared = select_cluster_wide(configs)
    return {"": {"configs": shared}, **documents} if shared else documents


def read_broker_configs(
    connection: Connection, cluster: Cluster, gaps: list[str]
) -> dict[int, Mapping[str, ConfigEntry]]:
    """Return what each broker reports about itself; what cannot be had is added to ``gaps``."""
    by_id: dict[int, Mapping[str, ConfigEntry]] = {}
    for broker in cluster.brokers:
        if broker.fenced:
            gaps.append(f"brokers.{broker.id}.configs: the broker is fenced, so it cannot be read")
            continue
        try:
            (described,) = request_descriptions(connection, BROKER, [str(broker.id)], broker.id)
        except (NotDisclosed, KafkaUnreachable) as error:
            gaps.append(f"brokers.{broker.id}.configs: {error}")
            continue
        if described.error:
            gaps.append(f"brokers.{broker.id}.configs: {described.error}")
        else:
            by_id[broker.id] = described.configs
    return by_id
