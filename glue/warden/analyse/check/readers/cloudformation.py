"""Topics of MSK in CloudFormation's templates (``AWS::MSK::Topic``), in YAML with its short tags or in JSON.

``Configs`` is the text of JSON in Base64, as MSK's API has it. What a template leaves to the deployment (``Ref``,
``Fn::Sub`` and others) is unknown; a topic whose name it leaves open is an error.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from warden.analyse.check.model import Declaration, Found, Remark, UnusableDeclaration, read_or_fault
from warden.analyse.check.nodes import (
    Node,
    find,
    find_key_line,
    find_line,
    iter_entries,
    parse_string,
    parse_whole_number,
)
from warden.base.did_you_mean import did_you_mean

__all__ = ["MSK_TOPIC_TYPE", "has_msk_topics", "parse_msk_topics"]

MSK_TOPIC_TYPE: Final = "AWS::MSK::Topic"
"""The type of a resource that is a topic."""
_FIELDS: Final = ("ClusterArn", "Configs", "PartitionCount", "ReplicationFactor", "TopicName")
_NUMBERS: Final = {"numPartitions": "PartitionCount", "replicationFactor": "ReplicationFactor"}
_RETAINS: Final = ("Retain", "RetainExceptOnCreate")
_BASE64: Final = "Base64"


def has_msk_topics(node: Node) -> bool:
    """Whether a document is a template with a topic.

    Args:
        node: The document.
    """
    return any(_is_topic(resource) for _, resource in iter_entries(find(node, "Resources")))


def parse_msk_topics(node: Node, file: str) -> Iterator[Found]:
    """Yield the topics of a template; each that cannot be evaluated is a fault.

    Args:
        node: The document.
        file: Its file.
    """
    for name, resource in iter_entries(find(node, "Resources")):
        if _is_topic(resource):
            yield read_or_fault(file, _parse_topic, name, resource, file)
            yield from _iter_unknown_fields(resource, file)


def _is_topic(resource: Node) -> bool:
    kind = find(resource, "Type")
    return kind is not None and kind.value == MSK_TOPIC_TYPE


def _iter_unknown_fields(resource: Node, file: str) -> Iterator[Remark]:
    for key, _ in iter_entries(find(resource, "Properties")):
        if key.value not in _FIELDS:
            meant = did_you_mean(str(key.value), _FIELDS)
            said = f"unknown property {key.value} of {MSK_TOPIC_TYPE}, which is not read{meant}"
            yield Remark(file, find_line(key), said)


def _parse_topic(name: Node, resource: Node, file: str) -> Declaration:
    properties = find(resource, "Properties")
    topic = find(properties, "TopicName")
    if topic is None:
        raise UnusableDeclaration(find_line(name), "TopicName is missing: write it")
    if _is_open(topic):
        raise UnusableDeclaration(find_line(topic), "TopicName is known only once it is deployed: it is not evaluated")
    request: dict[str, Any] = {"topic": parse_string(topic, "TopicName")}
    lines = {"topic": find_key_line(properties, "TopicName")}
    unknown: list[str] = []
    for field, key in _NUMBERS.items():
        value = find(properties, key)
        lines[field] = find_key_line(properties, key)
        if value is None:
            raise UnusableDeclaration(find_line(name), f"{key} is missing: write it")
        if _is_open(value):
            unknown.append(f"/request/{field}")
        else:
            request[field] = parse_whole_number(value, key)
    configs, lines["configs"] = find(properties, "Configs"), find_key_line(properties, "Configs")
    request["configs"] = _read_configs(configs)
    if request["configs"] is None:
        request["configs"] = {}
        unknown.append("/request/configs")
    deletion = find(resource, "DeletionPolicy")
    return Declaration(
        format="cloudformation",
        operation="CreateTopic",
        request=request,
        file=file,
        line=find_line(name),
        lines=lines,
        unknown=tuple(unknown),
        stays=deletion is not None and deletion.value in _RETAINS,
        address=str(name.value),
        node=properties,
        fields=_NUMBERS,
    )


def _is_open(node: Node) -> bool:
    """Whether a value is a function of CloudFormation's, in short form or long."""
    return str(node.tag).startswith("!") or node.tag.endswith(":map")


def _read_configs(node: Node) -> Mapping[str, str] | None:
    """Configs by name, None where they are known only once they are deployed."""
    if node is None:
        return {}
    inner = find(node, f"Fn::{_BASE64}") if node.tag.endswith(":map") else node
    is_plain = inner is not node or node.tag == f"!{_BASE64}"
    if inner is None or (_is_open(inner) and inner.tag != f"!{_BASE64}") or not isinstance(inner.value, str):
        return None
    try:
        written = inner.value if is_plain else base64.b64decode(inner.value, validate=True).decode()
    except ValueError as why:
        raise UnusableDeclaration(find_line(node), "Configs is not Base64: write Fn::Base64 of its JSON") from why
    try:
        configs = json.loads(written)
        return {str(key): value if isinstance(value, str) else json.dumps(value) for key, value in configs.items()}
    except (ValueError, AttributeError, RecursionError) as why:
        raise UnusableDeclaration(
            find_line(node), f'Configs is not an object of JSON ({why}): write such as {{"retention.ms": "86400000"}}'
        ) from why
