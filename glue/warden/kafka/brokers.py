"""The brokers of a cluster (DescribeCluster, KIP-700; Metadata on older ones) and their configurations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warden.errors import KafkaUnreachable
from warden.kafka.configs import BROKER, Entry, describe
from warden.kafka.connection import Connection, NotAvailable

__all__ = ["Broker", "read_broker_configs", "read_brokers"]


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

    def document(self, configs: Mapping[str, Entry]) -> dict[str, Any]:
        """Return its entry in the contract's ``brokers``: overrides only, without secrets."""
        shown = {
            name: entry.value for name, entry in sorted(configs.items()) if entry.is_shown and entry.value is not None
        }
        return {"host": self.host, "rack": self.rack, "configs": shown}


def read_brokers(connection: Connection) -> tuple[list[Broker], int]:
    """Return all registered brokers in order of id, and the id of the one to ask what the controller knows.

    Raises:
        KafkaError: The cluster does not answer usefully.
    """
    from kafka.protocol.admin import DescribeClusterRequest
    from kafka.protocol.metadata import MetadataRequest

    try:
        cluster = connection.send(DescribeClusterRequest(include_fenced_brokers=True))
        found = [Broker(item.broker_id, item.host, item.rack, bool(item.is_fenced)) for item in cluster.brokers]
    except NotAvailable:  # before Kafka 2.8
        cluster = connection.send(MetadataRequest(topics=[]), check=False)
        found = [Broker(item.node_id, item.host, item.rack) for item in cluster.brokers]
    return sorted(found, key=lambda broker: broker.id), int(cluster.controller_id)


def read_broker_configs(
    connection: Connection, brokers: list[Broker], missing: list[str]
) -> dict[int, Mapping[str, Entry]]:
    """Return what each broker reports about itself; what cannot be had is added to ``missing``."""
    found: dict[int, Mapping[str, Entry]] = {}
    for broker in brokers:
        if broker.fenced:
            missing.append(f"brokers.{broker.id}.configs: the broker is fenced, so it cannot be asked")
            continue
        try:
            (described,) = describe(connection, BROKER, [str(broker.id)], broker.id)
        except (NotAvailable, KafkaUnreachable) as error:
            missing.append(f"brokers.{broker.id}.configs: {error}")
            continue
        if described.error:
            missing.append(f"brokers.{broker.id}.configs: {described.error}")
        else:
            found[broker.id] = described.configs
    return found
