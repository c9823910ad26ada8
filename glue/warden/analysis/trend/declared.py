"""Topics declared in YAML files: Strimzi's KafkaTopic manifests, or topics as the contract has them.

apiVersion: kafka.strimzi.io/v1          topic: shop.orders          topics:
kind: KafkaTopic                         cluster: prod-eu              shop.orders: {numPartitions: 12}
metadata: {name: shop-orders,            numPartitions: 12
           labels: {strimzi.io/cluster: prod-eu}}
spec: {topicName: shop.orders,           configs:
       partitions: 12, replicas: 3,        retention.ms: 1000
       config: {retention.ms: 1000}}
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warden.errors import InputError
from warden.files.yaml_files import read_yaml_documents

__all__ = ["Declared", "read_declared"]

_FIELDS = {"topic", "cluster", "numPartitions", "replicationFactor", "configs", "labels"}


@dataclass(frozen=True)
class Declared:
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


def read_declared(directory: Path, clusters: Iterable[str]) -> list[Declared]:
    """Read every declaration below a directory (``*.yaml``, ``*.yml``), in order of files.

    A topic's cluster is the one that the declaration names, else the name of a directory above the file, else the only
    cluster that there is.

    Args:
        directory: The files.
        clusters: The clusters of the estate.

    Raises:
        InputError: A file is not such a declaration, or names a topic that another one has declared.
    """
    cluster_names = sorted(clusters)
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory: name the one with the declarations")
    declared: dict[tuple[str, str], Declared] = {}
    files = sorted(path for path in directory.rglob("*") if path.suffix in (".yaml", ".yml") and path.is_file())
    for path in files:
        for document in _documents(path):
            for fields in _topics(path, document):
                topic = _declared(path, fields, _above(path, directory, cluster_names))
                if (before := declared.get((topic.cluster, topic.topic))) is not None:
                    raise InputError(f"{path}: {topic.topic} on {topic.cluster} is declared in {before.file} too")
                declared[topic.cluster, topic.topic] = topic
    if not declared:
        raise InputError(f"{directory}: no topic is declared in it: write YAML files with topics")
    return list(declared.values())


def _documents(path: Path) -> Iterator[Mapping[str, Any]]:
    for document in (each.value for each in read_yaml_documents(path)):
        if document is None:
            continue
        if not isinstance(document, Mapping):
            raise InputError(f"{path}: not a mapping: write a KafkaTopic, a topic, or topics by name")
        yield document


def _topics(path: Path, document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The fields of each topic in a document, by our names."""
    if "kind" in document:
        if document["kind"] == "KafkaTopic":
            yield _manifest(path, document)
        return
    if "topics" in document:
        topics = document["topics"]
        if not isinstance(topics, Mapping):
            raise InputError(f"{path}: topics is not a mapping of names to topics")
        for name, topic in topics.items():
            if not isinstance(topic, Mapping | None):
                raise InputError(f"{path}: topics.{name} is not a mapping")
            yield {"cluster": document.get("cluster"), **(topic or {}), "topic": name}
        return
    if "topic" not in document:
        raise InputError(f"{path}: neither kind: KafkaTopic, nor topic:, nor topics: write one of them")
    yield dict(document)


def _manifest(path: Path, document: Mapping[str, Any]) -> dict[str, Any]:
    metadata, spec = document.get("metadata") or {}, document.get("spec") or {}
    if not isinstance(metadata, Mapping) or not isinstance(spec, Mapping):
        raise InputError(f"{path}: metadata and spec of a KafkaTopic are mappings")
    return {
        "topic": spec.get("topicName") or metadata.get("name"),
        "cluster": (metadata.get("labels") or {}).get("strimzi.io/cluster"),
        "numPartitions": spec.get("partitions"),
        "replicationFactor": spec.get("replicas"),
        "configs": spec.get("config"),
    }


def _declared(path: Path, fields: Mapping[str, Any], above: str | None) -> Declared:
    if unknown := sorted(fields.keys() - _FIELDS):
        raise InputError(f"{path}: {unknown[0]} is not a field of a topic: use {', '.join(sorted(_FIELDS))}")
    topic, cluster = fields.get("topic"), fields.get("cluster") or above
    if not isinstance(topic, str) or not topic:
        raise InputError(f"{path}: a topic has no name")
    if not isinstance(cluster, str):
        raise InputError(
            f"{path}: the cluster of {topic} is not known: write cluster:, or put it under a directory of its name"
        )
    configs = fields.get("configs") or {}
    if not isinstance(configs, Mapping):
        raise InputError(f"{path}: the configs of {topic} are not a mapping")
    texts = {str(name): _text(value) for name, value in configs.items() if value is not None}
    return Declared(
        cluster,
        topic,
        _count(path, topic, fields, "numPartitions"),
        _count(path, topic, fields, "replicationFactor"),
        texts,
        str(path),
    )


def _count(path: Path, topic: str, fields: Mapping[str, Any], name: str) -> int | None:
    """None, and -1 as in Kafka's requests, leave it to the cluster."""
    value = fields.get(name)
    if value is None or value == -1:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InputError(f"{path}: {name} of {topic} is {value!r}, not a number of 1 or more")
    return value


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(_text(each) for each in value) if isinstance(value, list) else str(value)


def _above(path: Path, directory: Path, clusters: list[str]) -> str | None:
    named = [piece for piece in path.relative_to(directory).parts[:-1] if piece in clusters]
    if named:
        return named[-1]
    return clusters[0] if len(clusters) == 1 else None
