"""State of a snapshot's clusters, given to OPAs for decisions that were made with OPA's own."""

from collections.abc import Iterable
from pathlib import Path

from warden.policy.opa.per_host import HostOpa
from warden.state.snapshot.directory import read_partition
from warden.state.snapshot.layout import select_latest_partitions

__all__ = ["push_states"]


def push_states(opas: Iterable[HostOpa], snapshot: Path, clusters: Iterable[str]) -> list[str]:
    """Give OPAs the state of some clusters, as a replicator does, and return those that the snapshot holds.

    Args:
        opas: OPAs of this process.
        snapshot: The snapshot directory; each cluster's newest day counts.
        clusters: Names of clusters.
    """
    names = set(clusters)
    partitions = [partition for partition in select_latest_partitions(snapshot) if partition.cluster in names]
    for partition in partitions:
        state = read_partition(partition)
        for opa in opas:
            with opa.build_client(opa.tokens.replicator) as client:
                client.put_data(["clusters", partition.cluster], state)
    return [partition.cluster for partition in partitions]
