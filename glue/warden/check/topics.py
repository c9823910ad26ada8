"""A document of a topic, read by the row of its format."""

from collections.abc import Iterator
from typing import Any

from warden.check.formats import TopicFormat
from warden.check.model import Declared, Refused, Skipped
from warden.check.nodes import Node, config_text, entries, find, items, key_line, line_of_node, number, text

__all__ = ["topic_of"]

_MINUTE = 60_000  # milliseconds


def topic_of(row: TopicFormat, node: Node, file: str) -> Declared | Skipped:
    """Return the topic in a document, skipped where nobody manages what it says.

    Args:
        row: Its format.
        node: The document.
        file: Where it is, for messages.

    Raises:
        Refused: A value is missing, of another type, a template, or can be read in two ways.
    """
    path, value = row.let_go
    if path and (mark := find(node, path)) is not None and mark.tag.endswith(":str") and mark.value == value:
        return _unmanaged(row, node, file)
    if find(node, row.partitions.split()[0]) is None:
        raise Refused(line_of_node(node), "this has no spec: a patch is no declaration; render it first")
    if row.elsewhere and (references := items(find(node, row.elsewhere))):
        line = line_of_node(references[0])
        raise Refused(line, "configs in other documents are not evaluated: write them out in the topic's own")
    names = _names(row, node)
    if not names:
        raise Refused(line_of_node(node), f"the topic has no name: write {row.name[-1].replace(' ', '.')}")
    lines = {"topic": key_line(node, names[0][0])}
    request: dict[str, Any] = {"topic": text(names[0][1], "the topic's name")}
    for field, place in (("numPartitions", row.partitions), ("replicationFactor", row.replicas)):
        request[field] = _count(row, node, place)
        lines[field] = key_line(node, place)
    request["configs"] = dict(_configs(row, node, lines))
    if labels := find(node, row.labels):
        request["labels"] = {key.value: text(value, f"the label {key.value}") for key, value in entries(labels)}
        lines["labels"] = key_line(node, row.labels)
    return Declared(
        format=row.id,
        operation="CreateTopic",
        request=request,
        file=file,
        line=lines["topic"],
        cluster=_cluster(row, node),
        lines=lines,
        left_out=row.left_out,
        node=node,
        fields={"numPartitions": row.partitions, "replicationFactor": row.replicas, "configs": row.configs},
    )


def _names(row: TopicFormat, node: Node) -> list[tuple[str, Node]]:
    """Paths and values of the name, the one that counts first."""
    return [(each, at) for each in row.name if (at := find(node, each)) is not None and at.value != ""]


def _cluster(row: TopicFormat, node: Node) -> str | None:
    cluster = find(node, row.cluster) if row.cluster else None
    return None if cluster is None else text(cluster, row.cluster.replace(" ", "."))


def _unmanaged(row: TopicFormat, node: Node, file: str) -> Skipped:
    line = line_of_node(node)
    topic = None
    if names := _names(row, node):
        request = {"topic": text(names[0][1], "the topic's name")}
        cluster = _cluster(row, node)
        topic = Declared(format=row.id, operation="CreateTopic", request=request, file=file, line=line, cluster=cluster)
    return Skipped(file, line, f"{row.id} {row.kind} that nobody manages", topic)


def _count(row: TopicFormat, node: Node, place: str) -> int:
    what = place.replace(" ", ".")
    value = number(find(node, place), what)
    value = row.absent if value is None else value
    if value is None:
        raise Refused(key_line(node, place), f"{what} is missing: write it")
    return value


def _configs(row: TopicFormat, node: Node, lines: dict[str, int]) -> Iterator[tuple[str, str]]:
    place = find(node, row.configs)
    lines["configs"] = key_line(node, row.configs)
    if place is not None and not place.tag.endswith(":map"):
        raise Refused(line_of_node(place), f"{row.configs.replace(' ', '.')} is not a mapping: write keys with values")
    for key, value in entries(place):
        lines[f"configs/{key.value}"] = line_of_node(key)
        yield key.value, config_text(value, key.value, lists=row.joins_lists)
    if row.minutes and (minutes := number(find(node, row.minutes), row.minutes.replace(" ", "."))) is not None:
        lines["configs/retention.ms"] = key_line(node, row.minutes)
        yield "retention.ms", str(minutes * _MINUTE)
