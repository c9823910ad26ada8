"""State of clusters while files are decided: of a snapshot, a live cluster, a file, or none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from warden.analyse.check.decisions import ClusterContext
from warden.analyse.check.model import UNNAMED, Declaration, UnusableDeclaration
from warden.analyse.check.nodes import find_template
from warden.base.errors import ConfigurationError
from warden.policy.contract.decision_text import escape_line

__all__ = ["KnownState", "read_known_state"]


@dataclass(frozen=True, kw_only=True)
class KnownState:
    """Cluster states by name, and which cluster a declaration is for.

    Args:
        states: By cluster; None is the key of what is known of whichever cluster is named. Those of a snapshot are its
            partitions, which are read when a declaration needs them.
        cluster: The cluster that all declarations are for, in place of what files say; None where files decide.
        is_live: Whether the one state is of a live cluster, which every declaration is then for.
        is_snapshot: Whether states are partitions of a snapshot.
    """

    states: Mapping[str | None, Any] = field(default_factory=dict)
    cluster: str | None = None
    is_live: bool = False
    is_snapshot: bool = False

    def assign_cluster(self, declared: Declaration) -> Declaration:
        """Return a declaration with its cluster.

        Raises:
            ConfigurationError: Several clusters are known, and nothing says which it is for.
            UnusableDeclaration: What its file says is a template, and nothing else says which it is for.
        """
        only = next(iter(self.states)) if len(self.states) == 1 else None
        if self.is_live:
            return replace(declared, cluster=str(only))
        name = self.cluster or declared.cluster or only
        if mark := find_template(name or ""):
            raise UnusableDeclaration(
                declared.line, f"its cluster {name} is a template ({mark}): render it first, or give --cluster"
            )
        if name is None and len(self.states) > 1:
            raise ConfigurationError(
                escape_line(
                    f"{declared.file}:{declared.line}: the cluster of {declared.name} is not known: give --cluster"
                )
            )
        return replace(declared, cluster=name or UNNAMED)

    def iter_clusters(self, declared: Sequence[Declaration]) -> Iterator[ClusterContext]:
        """Yield each cluster that declarations are for, with what is known of it.

        Raises:
            ConfigurationError: A snapshot has nothing of one.
        """
        from warden.state.snapshot.directory import read_partition

        for name in dict.fromkeys(str(declaration.cluster) for declaration in declared):
            state = self.states.get(name, self.states.get(None))
            if self.is_snapshot:
                if state is None:
                    first = next(declaration for declaration in declared if declaration.cluster == name)
                    names = ", ".join(sorted(map(str, self.states)))
                    raise ConfigurationError(
                        f"{first.file}:{first.line}: the snapshot has no cluster {name}, it has {names}: give --cluster"
                    )
                state = read_partition(state)
            yield ClusterContext(name, state)


def read_known_state(
    *,
    snapshot: Path | None = None,
    bootstrap_server: str | None = None,
    command_config: Path | None = None,
    state: Path | None = None,
    cluster: str | None = None,
) -> KnownState:
    """Read what declarations are held against; of the three ways to know a cluster one is given at most.

    Args:
        snapshot: A snapshot's directory: its newest partitions count.
        bootstrap_server: ``HOST:PORT`` of a live cluster.
        command_config: Kafka client properties for the live cluster.
        state: A file with the contract's cluster state in JSON.
        cluster: As in `KnownState`.

    Raises:
        ConfigurationError: The arguments contradict each other, or something cannot be read.
        InputError: The state is none, or there is no snapshot.
    """
    if sum(way is not None for way in (snapshot, bootstrap_server, state)) > 1:
        raise ConfigurationError("--snapshot, --bootstrap-server and --state are three ways: give one")
    if command_config is not None and bootstrap_server is None:
        raise ConfigurationError("--command-config is for a live cluster: give --bootstrap-server too")
    if state is not None:
        from warden.analyse.check.state_file import read_state

        return KnownState(states={None: read_state(state)}, cluster=cluster)
    if bootstrap_server is not None:
        from warden.state.sources.kafka.login.security import read_properties
        from warden.state.sources.kafka.read.collect import collect

        live = collect(bootstrap_server, security=read_properties(command_config) if command_config else {})
        return KnownState(states={cluster or live["meta"]["clusterId"]: live}, cluster=cluster, is_live=True)
    if snapshot is not None:
        from warden.state.snapshot.layout import select_latest_partitions

        partitions: dict[str | None, Any] = {
            partition.cluster: partition for partition in select_latest_partitions(snapshot)
        }
        return KnownState(states=partitions, cluster=cluster, is_snapshot=True)
    return KnownState(cluster=cluster)
