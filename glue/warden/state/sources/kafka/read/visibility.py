"""Visibility of topics: Kafka leaves out of a list, in silence, what a principal may not describe.

Requested by name, a topic that a principal may not describe is refused whether or not it exists
(``TOPIC_AUTHORIZATION_FAILED``, ``KafkaApis.handleTopicMetadataRequest``). And the rights to a name depend only on the
ACLs whose patterns match it. So a principal sees all topics where it may describe every name that stands in an ACL, a
name with nothing but each prefix in common, and one that no ACL of a name or prefix matches. No ACL is interpreted.
"""

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from warden.policy.bundle.catalog import read_catalog
from warden.state.sources.kafka.login.connection import Connection

__all__ = [
    "PARTS_OF_VISIBLE_TOPICS",
    "describe_unseen",
    "list_names_to_try",
    "make_random_name",
    "sees_all_topics",
    "select_hidden_topics",
    "select_present_topics",
]

PARTS_OF_VISIBLE_TOPICS = frozenset({"consumers", "deletions", "groups", "namesByMetric", "topics", "totals"})
"""The contract's parts that nobody knows who does not see all topics; of ``topics`` those that are seen are known."""

_DENIED = 29  # TOPIC_AUTHORIZATION_FAILED
_CHUNK = 1000


def select_hidden_topics(connection: Connection, names: Iterable[str], node: int | None = None) -> set[str]:
    """Return which of some topics the principal may not describe, whether or not they exist.

    Args:
        connection: The cluster.
        names: Names of topics.
        node: Broker that must answer; None for any.
    """
    return {name for name, code in _request_topics(connection, names, node) if code == _DENIED}


def select_present_topics(connection: Connection, names: Iterable[str], node: int | None = None) -> set[str]:
    """Return which of some topics are there and shown to the principal; arguments as in `select_hidden_topics`."""
    return {name for name, code in _request_topics(connection, names, node) if code == 0}


def _request_topics(connection: Connection, names: Iterable[str], node: int | None) -> Iterator[tuple[str, int]]:
    """Topics requested by name, with the error code of each."""
    from kafka.protocol.metadata import MetadataRequest

    ordered = sorted(names)
    for start in range(0, len(ordered), _CHUNK):
        topics = [MetadataRequest.MetadataRequestTopic(name=name) for name in ordered[start : start + _CHUNK]]
        request = MetadataRequest(topics=topics, allow_auto_topic_creation=False)
        response = connection.send(request, node, check=False)
        yield from ((str(topic.name), topic.error_code) for topic in response.topics)


def sees_all_topics(
    connection: Connection,
    acls: Mapping[str, Iterable[Mapping[str, Any]]] | None,
    topics: Collection[str],
    node: int | None = None,
    *,
    stated: bool = False,
) -> bool:
    """Return whether the principal may describe every topic that there is or could be.

    Args:
        connection: The cluster.
        acls: All ACLs, as the contract has them; none without an authorizer, None where they are not known.
        topics: Names of topics that the principal was shown.
        node: Broker that must answer; None for any.
        stated: Whether somebody says that no ACL hides a topic, where they are not known.
    """
    if acls is None:
        return stated and not select_hidden_topics(connection, [make_random_name()], node)
    return not select_hidden_topics(connection, list_names_to_try(acls, topics), node)


def list_names_to_try(acls: Mapping[str, Iterable[Mapping[str, Any]]], topics: Collection[str]) -> set[str]:
    """Return names of topics, there or not: who may describe these may describe every topic.

    Args:
        acls: All ACLs, as the contract has them.
        topics: Names of topics that the principal was shown.
    """
    patterns = {
        (acl["patternType"], acl["resourceName"])
        for entries in acls.values()
        for acl in entries
        if acl["resourceType"] == "TOPIC"
    }
    names = {make_random_name()}
    for pattern, name in patterns:
        if pattern == "PREFIXED":
            names.add(make_random_name(name))
        elif name != "*" and name not in topics:
            names.add(name)
    return names


def make_random_name(prefix: str = "") -> str:
    """Return a name that nobody else has thought of: whoever may see it may see any with that prefix."""
    return f"{prefix}{secrets.token_hex(16)}"[: read_catalog("limits")["topicName"]]


def describe_unseen(acls: object) -> str:
    """Return the sentence for ``meta.missing`` where not all topics are seen; ``acls`` is None where they are not."""
    why = "topics: only those that this principal may see, it needs DESCRIBE on all of them"
    return why if acls is not None else f"{why} and on the cluster, or the word for it (sees: all)"
