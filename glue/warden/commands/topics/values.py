"""Parse values as Kafka's tools write them: ``key=value``, replica assignments, JSON files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from warden.base.errors import ConfigurationError, InputError
from warden.base.files.json_files import read_json

__all__ = ["parse_key_values", "parse_partitions", "parse_replica_assignment"]


def parse_key_values(option: str, texts: Sequence[str], *, example: str = "retention.ms=86400000") -> dict[str, str]:
    """Return ``key=value`` options by key; a value may hold ``=``, and the last of the same key stands.

    Raises:
        ConfigurationError: There is no key, or no ``=``.
    """
    pairs = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not key.strip() or not equals:
            raise ConfigurationError(f"{option} {text!r}: write it as key=value, such as {example}")
        pairs[key.strip()] = value
    return pairs


def parse_replica_assignment(text: str | None) -> list[list[int]]:
    """Return broker ids by partition from ``1:2,2:3`` (partition 0 on brokers 1 and 2, partition 1 on 2 and 3).

    Raises:
        ConfigurationError: It is written otherwise.
    """
    if text is None:
        return []
    try:
        return [[int(broker) for broker in replicas.split(":")] for replicas in text.split(",")]
    except ValueError:
        raise ConfigurationError(
            f"--replica-assignment {text!r}: write broker ids with colons and partitions with commas, such as 1:2,2:3"
        ) from None


def parse_partitions(path: Path, field: str) -> dict[str, list[dict[str, Any]]]:
    """Return the elements of a file's ``partitions`` by topic, in the file's order.

    Args:
        path: JSON as kafka-delete-records.sh and kafka-reassign-partitions.sh read it:
            ``{"version": 1, "partitions": [{"topic": …, "partition": …, …}]}``.
        field: What each element must have beside its topic and partition.

    Raises:
        InputError: The file cannot be read, or is not of that form.
    """
    document = read_json(path, "partitions as Kafka's own tools read them")
    version = document.get("version", 1) if isinstance(document, dict) else None
    if version != 1:
        raise InputError(f"{path}: unknown version {version}: write an object of version 1")
    elements = document.get("partitions")
    if not isinstance(elements, list) or not elements:
        raise InputError(f"{path}: partitions is missing or empty: list the partitions")
    by_topic: dict[str, list[dict[str, Any]]] = {}
    for index, element in enumerate(elements):
        if not isinstance(element, dict) or not {"topic", "partition", field} <= set(element):
            raise InputError(f"{path}: partitions[{index}]: give topic, partition and {field}")
        if not isinstance(element["topic"], str):
            raise InputError(f"{path}: partitions[{index}].topic: must be a string")
        by_topic.setdefault(element["topic"], []).append(element)
    return by_topic
