"""Topics as they were declared in files, in any form that `warden check` reads."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from warden.analyse.check.files import read_paths
from warden.analyse.check.model import Declaration
from warden.base.errors import InputError

__all__ = ["DeclaredTopic", "read_declared_topics"]


@dataclass(frozen=True)
class DeclaredTopic:
    """One topic as it should be.

    Args:
        cluster: Where.
        topic: Its name.
        partitions, replicas: None where the declaration leaves them to the cluster.
        configs: Overrides, as Kafka writes values.
        file: Where it is declared.
    """

    cluster: str
    topic: str
    partitions: int | None
    replicas: int | None
    configs: dict[str, str]
    file: str


def read_declared_topics(directory: Path, clusters: Iterable[str]) -> list[DeclaredTopic]:
    """Read every declaration of a topic below a directory, in order of files.

    A topic's cluster is the one that the declaration names, else the name of a directory above the file, else the only
    cluster that there is.

    Args:
        directory: The files.
        clusters: The clusters of the estate.

    Raises:
        InputError: A file cannot be read, or names a topic that another one has declared.
    """
    cluster_names = sorted(clusters)
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory: name the one with the declarations")
    contents = read_paths([directory])
    for fault in contents.faults:
        raise InputError(f"{fault.file}:{fault.line}: {fault.message}")
    declared: dict[tuple[str, str], DeclaredTopic] = {}
    for declaration in contents.declared:
        if declaration.operation != "CreateTopic":
            continue
        topic = _build_declared_topic(
            declaration, declaration.cluster or _infer_cluster(Path(declaration.file), directory, cluster_names)
        )
        if (before := declared.get((topic.cluster, topic.topic))) is not None:
            where = f"{declaration.file}:{declaration.line}"
            raise InputError(f"{where}: {topic.topic} on {topic.cluster} is declared in {before.file} too")
        declared[topic.cluster, topic.topic] = topic
    if not declared:
        raise InputError(f"{directory}: no topic is declared in it: write YAML files with topics")
    return list(declared.values())


def _build_declared_topic(declaration: Declaration, cluster: str | None) -> DeclaredTopic:
    request = declaration.request
    if cluster is None:
        raise InputError(
            f"{declaration.file}:{declaration.line}: the cluster of {declaration.name} is not known: "
            "write cluster:, or put it under a directory of its name"
        )
    partitions, replicas = (request.get(name, -1) for name in ("numPartitions", "replicationFactor"))
    return DeclaredTopic(
        cluster,
        declaration.name,
        None if partitions == -1 else partitions,
        None if replicas == -1 else replicas,
        dict(request.get("configs") or {}),
        declaration.file,
    )


def _infer_cluster(path: Path, directory: Path, clusters: list[str]) -> str | None:
    named = [piece for piece in path.relative_to(directory).parts[:-1] if piece in clusters]
    if named:
        return named[-1]
    return clusters[0] if len(clusters) == 1 else None
