"""Warden's own YAML: topics by the contract's names.

topic: shop.orders             topics:
cluster: prod-eu                 shop.orders: {numPartitions: 12}
numPartitions: 12                shop.carts:
configs: {retention.ms: 1000}      replicationFactor: 3
"""

from collections.abc import Iterator
from typing import Any

from warden.analyse.check.model import Declaration, UnusableDeclaration
from warden.analyse.check.nodes import (
    Node,
    find,
    find_key_line,
    find_line,
    iter_entries,
    parse_config_value,
    parse_string,
    parse_whole_number,
)

__all__ = ["is_warden_yaml", "parse_warden_topics"]

_ABOVE = ("cluster", "topics")
_FIELDS = ("topic", "cluster", "numPartitions", "replicationFactor", "configs", "labels")


def is_warden_yaml(node: Node) -> bool:
    """Whether a document without ``kind`` is of this form: ``topic``, or ``topics`` with the contract's names."""
    if find(node, "topic") is not None:
        return True
    topics = find(node, "topics")
    inner = {key.value for _, topic in iter_entries(topics) for key, _ in iter_entries(topic)}
    return topics is not None and not inner & {"partitions", "replication"}


def parse_warden_topics(node: Node, file: str) -> Iterator[Declaration]:
    """Yield the topics of a document.

    Raises:
        UnusableDeclaration: A field is not one of a topic, or has another type.
    """
    topics = find(node, "topics")
    cluster = find(node, "cluster")
    if topics is None:
        yield _parse_topic(find(node, "topic"), node, cluster, file)
        return
    if not topics.tag.endswith(":map"):
        raise UnusableDeclaration(
            find_line(topics), "topics is not a mapping: write each topic's fields under its name"
        )
    for key, _ in iter_entries(node):
        if key.value not in _ABOVE:
            raise UnusableDeclaration(
                find_line(key),
                f"{key.value} stands beside topics, where only cluster may: write it under a topic's name",
            )
    for name, topic in iter_entries(topics):
        yield _parse_topic(name, topic, cluster, file)


def _parse_topic(name: Node, node: Node, cluster: Node, file: str) -> Declaration:
    topic = parse_string(name, "the topic's name")
    if not node.tag.endswith((":map", ":null")):
        raise UnusableDeclaration(find_line(node), f"{topic} is not a mapping: write fields of a topic")
    for key, _ in iter_entries(node):
        if key.value not in _FIELDS:
            raise UnusableDeclaration(
                find_line(key), f"{key.value} is not a field of a topic: use {', '.join(sorted(_FIELDS))}"
            )
    cluster = find(node, "cluster") or cluster
    lines = {"topic": find_line(name)}
    request: dict[str, Any] = {"topic": topic}
    for field in ("numPartitions", "replicationFactor"):
        if (value := parse_whole_number(find(node, field), field)) is not None:
            if value != -1 and value < 1:
                raise UnusableDeclaration(
                    find_key_line(node, field), f"{field} of {topic} is {value}, not a number of 1 or more"
                )
            request[field] = value
            lines[field] = find_key_line(node, field)
    for field in ("configs", "labels"):
        values = find(node, field)
        if values is not None and not values.tag.endswith(":map"):
            raise UnusableDeclaration(find_line(values), f"the {field} of {topic} are not a mapping: write name: value")
        if values is not None or field == "configs":
            request[field] = {
                key.value: parse_config_value(value, key.value, lists=True) for key, value in _skip_nulls(values)
            }
        lines |= {f"{field}/{key.value}": find_line(key) for key, _ in iter_entries(values)}
        lines[field] = find_key_line(node, field)
    return Declaration(
        format="warden",
        operation="CreateTopic",
        request=request,
        file=file,
        line=find_line(name),
        cluster=None if cluster is None else parse_string(cluster, "cluster"),
        lines=lines,
        node=node,
        fields={"numPartitions": "numPartitions", "replicationFactor": "replicationFactor", "configs": "configs"},
    )


def _skip_nulls(node: Node) -> Iterator[tuple[Node, Node]]:
    yield from ((key, value) for key, value in iter_entries(node) if not value.tag.endswith(":null"))
