"""A document of a topic, read by the row of its format."""

from collections.abc import Iterator, Mapping
from typing import Any

from warden.analyse.check.model import Declaration, SkippedDocument, UnusableDeclaration
from warden.analyse.check.nodes import (
    Node,
    find,
    find_key_line,
    find_line,
    iter_entries,
    list_items,
    parse_config_value,
    parse_string,
    parse_templated_string,
    parse_whole_number,
)
from warden.analyse.check.readers.topic_formats import TopicFormat

__all__ = ["parse_topic", "read_topic_name", "skip_unmanaged"]

_MINUTE = 60_000  # milliseconds


def parse_topic(row: TopicFormat, node: Node, file: str) -> Declaration | SkippedDocument:
    """Return the topic in a document, skipped where nobody manages what it says.

    Args:
        row: Its format.
        node: The document.
        file: Where it is, for messages.

    Raises:
        UnusableDeclaration: A value is missing, of another type, a template, or can be read in two ways.
    """
    path, value = row.unmanaged_annotation
    if path and (mark := find(node, path)) is not None and mark.tag.endswith(":str") and mark.value == value:
        return skip_unmanaged(row, node, file)
    if find(node, row.partitions.split()[0]) is None:
        raise UnusableDeclaration(find_line(node), "this has no spec: a patch is not a declaration; render it first")
    if row.config_refs_path and (references := list_items(find(node, row.config_refs_path))):
        line = find_line(references[0])
        raise UnusableDeclaration(
            line, "configs in other documents are not evaluated: write them out in the topic's own"
        )
    name, line, cluster = read_topic_name(row, node)
    lines = {"topic": line}
    request: dict[str, Any] = {"topic": name}
    for field, place in (("numPartitions", row.partitions), ("replicationFactor", row.replicas)):
        request[field] = _read_count(row, node, place)
        lines[field] = find_key_line(node, place)
    request["configs"] = dict(_iter_configs(row, node, lines))
    if labels := dict(_iter_labels(row, node)):
        request["labels"] = labels
        lines["labels"] = find_key_line(node, row.labels)
    return Declaration(
        format=row.id,
        operation="CreateTopic",
        request=request,
        file=file,
        line=lines["topic"],
        cluster=cluster,
        lines=lines,
        unlisted_configs=row.unlisted_configs,
        untouched=(*row.untouched_configs, *_list_skipped_configs(row, node)),
        node=node,
        fields={
            "numPartitions": row.partitions,
            "replicationFactor": row.replicas,
            **_map_config_fields(row, request["configs"]),
        },
    )


def read_topic_name(row: TopicFormat, node: Node) -> tuple[str, int, str | None]:
    """Return the name of the topic in a document, its line, and the cluster that it names.

    Args:
        row: Its format.
        node: The document.

    Raises:
        UnusableDeclaration: It has no name, or one of the two is not a string.
    """
    names = _list_names(row, node)
    if not names:
        raise UnusableDeclaration(find_line(node), f"the topic has no name: write {row.name[-1].replace(' ', '.')}")
    return parse_string(names[0][1], "the topic's name"), find_key_line(node, names[0][0]), _read_cluster(row, node)


def _list_names(row: TopicFormat, node: Node) -> list[tuple[str, Node]]:
    """Paths and values of the name, the one that counts first."""
    return [(path, at) for path in row.name if (at := find(node, path)) is not None and at.value != ""]


def _read_cluster(row: TopicFormat, node: Node) -> str | None:
    cluster = find(node, row.cluster) if row.cluster else None
    return None if cluster is None else parse_templated_string(cluster, row.cluster.replace(" ", "."))


def skip_unmanaged(row: TopicFormat, node: Node, file: str) -> SkippedDocument:
    """Return a topic that nobody manages, with its name where it has one.

    Args:
        row: Its format.
        node: The document.
        file: Where it is.
    """
    line = find_line(node)
    topic = None
    if names := _list_names(row, node):
        request = {"topic": parse_string(names[0][1], "the topic's name")}
        cluster = _read_cluster(row, node)
        topic = Declaration(
            format=row.id, operation="CreateTopic", request=request, file=file, line=line, cluster=cluster
        )
    return SkippedDocument(file, line, f"{row.id} {row.kind} that nobody manages", topic, is_known=True)


def _read_count(row: TopicFormat, node: Node, place: str) -> int:
    what = place.replace(" ", ".")
    value = parse_whole_number(find(node, place), what)
    value = row.absent_number if value is None else value
    if value is None:
        raise UnusableDeclaration(find_key_line(node, place), f"{what} is missing: write it")
    return value


def _iter_labels(row: TopicFormat, node: Node) -> Iterator[tuple[str, str]]:
    for key, value in iter_entries(find(node, row.labels)):
        names_cluster = row.cluster == f"{row.labels} {key.value}"  # which an option may replace
        yield key.value, (parse_templated_string if names_cluster else parse_string)(value, f"the label {key.value}")
    for tag in list_items(find(node, row.tags_path)) if row.tags_path else []:
        value = find(tag, "value")
        yield (
            parse_string(find(tag, "key"), "a tag's key"),
            "" if value is None else parse_string(value, "a tag's value"),
        )


def _list_skipped_configs(row: TopicFormat, node: Node) -> list[str]:
    """The configs that the file names without a value, so that the tool leaves them as they are."""
    if not row.may_skip_configs:
        return []
    return [key.value for key, value in iter_entries(find(node, row.configs)) if value.tag.endswith(":null")]


def _map_config_fields(row: TopicFormat, configs: Mapping[str, str]) -> dict[str, str]:
    """Where configs stand; of a form with fields of its own only those that are there, since others have types."""
    if not row.has_snake_configs:
        return {"configs": row.configs}
    return {f"configs/{name}": f"{row.configs} {name.replace('.', '_')}" for name in configs}


def _iter_configs(row: TopicFormat, node: Node, lines: dict[str, int]) -> Iterator[tuple[str, str]]:
    place = find(node, row.configs)
    lines["configs"] = find_key_line(node, row.configs)
    if place is not None and not place.tag.endswith(":map"):
        raise UnusableDeclaration(
            find_line(place), f"{row.configs.replace(' ', '.')} is not a mapping: write keys with values"
        )
    skipped = _list_skipped_configs(row, node)
    for key, value in iter_entries(place):
        name = key.value.replace("_", ".") if row.has_snake_configs else key.value
        if name not in skipped:
            lines[f"configs/{name}"] = find_line(key)
            yield name, parse_config_value(value, key.value, lists=row.joins_lists)
    if (
        row.retention_minutes_path
        and (
            minutes := parse_whole_number(
                find(node, row.retention_minutes_path), row.retention_minutes_path.replace(" ", ".")
            )
        )
        is not None
    ):
        lines["configs/retention.ms"] = find_key_line(node, row.retention_minutes_path)
        yield "retention.ms", str(minutes * _MINUTE)
