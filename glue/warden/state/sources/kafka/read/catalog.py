"""The contract's ``catalog``: what a cluster's Kafka is, beside what the shipped catalogue says of it."""

from collections.abc import Callable
from typing import Any

from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.read.brokers import Cluster
from warden.state.sources.kafka.read.learnt_keys import LearntKeys, SendToNode
from warden.state.sources.kafka.read.release import ReleaseReader

__all__ = ["CatalogReader", "read_cluster_catalog"]


class CatalogReader:
    """Reads the release and the learnt keys, again and again.

    Args:
        connection: The cluster.
        ask: Sends the requests for keys; None for sending them anew each time.
        forget: As of `LearntKeys`.
        release: The release that somebody states.
    """

    def __init__(
        self,
        connection: Connection,
        ask: SendToNode | None = None,
        forget: Callable[[str], None] = lambda _key: None,
        release: str | None = None,
    ) -> None:
        self._connection = connection
        self._ask = ask or (lambda _key, request, node: connection.send(request, node, check=False))
        self._keys, self._release = LearntKeys(forget), ReleaseReader(release)

    @property
    def gaps(self) -> list[str]:
        """Sentences about what is not known."""
        return [*self._keys.gaps, *self._release.gaps]

    def read(self, cluster: Cluster, topic: str | None) -> dict[str, Any] | None:
        """Return what is known, None where nothing is.

        Args:
            cluster: Its brokers.
            topic: A topic that may be described; None where there is none.
        """
        release = self._release.read(self._connection, cluster)
        keys = self._keys.read(self._ask, topic, [broker.id for broker in cluster.live_brokers])
        return {**({} if release is None else {"release": release}), **(keys or {})} or None


def read_cluster_catalog(
    connection: Connection, cluster: Cluster, topic: str | None, gaps: list[str]
) -> dict[str, Any] | None:
    """Return the contract's ``catalog`` by one reading, None where nothing is known.

    Args:
        connection: The cluster.
        cluster: Its brokers.
        topic: A topic that may be described; None where there is none.
        gaps: Gets a line for each kind whose keys are not known, and one for a release that is not.
    """
    reader = CatalogReader(connection)
    catalog = reader.read(cluster, topic)
    gaps += reader.gaps
    return catalog
