"""One broker for all polls of a load, and never one that is behind what was seen before."""

import random

from warden.base.errors import KafkaUnreachable
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.read.brokers import Cluster
from warden.state.sources.kafka.read.features import read_metadata_offset

__all__ = ["MetadataLogPosition"]


class MetadataLogPosition:
    """How far the metadata log of a cluster had come when it was last looked at, over loads and connections.

    Brokers follow the log each at its own pace. What one that is behind lacks was not deleted.
    """

    def __init__(self) -> None:
        self._cluster = ""
        self._offset: int | None = None

    def choose_broker(self, connection: Connection, cluster: Cluster) -> int:
        """Return the id of a broker that is at least as far as the last poll was.

        Raises:
            KafkaUnreachable: None is, of those that answer.
        """
        brokers = [broker.id for broker in cluster.live_brokers]
        random.shuffle(brokers)
        for broker in brokers:
            try:
                offset = read_metadata_offset(connection, broker)
            except KafkaUnreachable:
                continue
            if self._offset is None or offset is None or self._cluster != cluster.id or offset >= self._offset:
                return broker
        raise KafkaUnreachable(
            f"no broker of the cluster at {connection.bootstrap_servers} that answers has followed the metadata log to "
            f"offset {self._offset}, which was seen before: wait until they have, or restart the replicator if the "
            "cluster was restored from a backup"
        )

    def advance(self, connection: Connection, cluster: Cluster, broker: int) -> None:
        """Take in how far a broker is, after it was looked at."""
        offset = read_metadata_offset(connection, broker)
        if offset is not None and (self._cluster != cluster.id or self._offset is None or offset > self._offset):
            self._cluster, self._offset = cluster.id, offset
