"""Cluster states of a snapshot as the driver wants them, and which of them stand for the clusters of a day.

Tasks that want more of a state read its file again (`spark_jobs.sources.cluster_states`), and compare its hash.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from warden.state.snapshot.directory import StoredState, read_partition, read_stored_state
from warden.state.snapshot.layout import SnapshotPartition

__all__ = ["SnapshotStates"]


class SnapshotStates:
    """The states of the partitions that are scanned.

    Args:
        partitions: These partitions.
        history: Whether they are of several days; otherwise they are one for each cluster.
        together: Whether those that are seen together are read together. These and the next one stay in memory, else
            one: each is read once by who wants them day by day.
    """

    def __init__(self, partitions: Sequence[SnapshotPartition], *, history: bool, together: bool) -> None:
        self._partitions, self._history = sorted(partitions, key=lambda partition: partition.day), history
        kept = len({partition.cluster for partition in partitions}) + 1 if together else 1
        self._stored = lru_cache(kept)(read_stored_state)
        self._whole = lru_cache(kept)(read_partition)

    def read_stored(self, part: SnapshotPartition) -> StoredState:
        """Return the state of a partition without its topics, and the hash of its file."""
        return self._stored(part)

    def read_state(self, part: SnapshotPartition, *, topics: bool = False) -> Mapping[str, Any]:
        """Return the state of a partition, with its topics where they are wanted."""
        state = self._stored(part).state
        return {**state, "topics": self._whole(part)["topics"]} if topics else state

    def select_visible(self, part: SnapshotPartition) -> list[SnapshotPartition]:
        """Return what a partition is seen with: one of each cluster, in a history none of a later day."""
        seen = (other for other in self._partitions if not self._history or other.day <= part.day)
        return list({other.cluster: other for other in seen}.values())

    def read_cluster_states(self, part: SnapshotPartition, *, topics: bool) -> dict[str, Mapping[str, Any]]:
        """Return the states of all clusters, as they are seen with a partition."""
        return {other.cluster: self.read_state(other, topics=topics) for other in self.select_visible(part)}
