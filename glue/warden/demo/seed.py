"""Fill the demo's cluster through the admin client."""

import time
from collections.abc import Sequence
from typing import Any

from warden.base.errors import KafkaError
from warden.demo.content import ACLS, GROUPS, QUOTAS, Topic
from warden.state.sources.kafka.login.connection import Connection

__all__ = ["fill"]

_CHUNK = 100
_PATIENCE = 60.0  # seconds


def fill(connection: Connection, topics: Sequence[Topic]) -> None:
    """Create the demo's topics, ACLs, quotas and groups.

    Args:
        connection: An empty cluster with an authorizer, as somebody who may do everything.
        topics: The topics to create.

    Raises:
        KafkaError: The cluster refuses something.
    """
    from kafka.errors import KafkaError as UnusableDeclaration

    try:
        for start in range(0, len(topics), _CHUNK):
            _create(connection.admin, topics[start : start + _CHUNK])
        _allow(connection.admin)
        _limit(connection)
        _commit(connection.admin)
    except UnusableDeclaration as error:
        raise KafkaError(f"the local broker cannot be filled ({error})") from error


def _create(admin: Any, topics: Sequence[Topic]) -> None:
    new_topics = {topic.name: {"num_partitions": topic.partitions, "configs": topic.configs} for topic in topics}
    admin.create_topics(new_topics)
    admin.wait_for_topics(list(new_topics), timeout_ms=_PATIENCE * 1000)


def _allow(admin: Any) -> None:
    from kafka.admin import (
        ACL,
        ACLOperation,
        ACLPermissionType,
        ACLResourcePatternType,
        ResourcePattern,
        ResourceType,
    )

    admin.create_acls(
        [
            ACL(
                principal,
                "*",
                ACLOperation[operation],
                ACLPermissionType.ALLOW,
                ResourcePattern(ResourceType[kind], name, ACLResourcePatternType[pattern]),
            )
            for principal, operation, kind, name, pattern in ACLS
        ]
    )


def _limit(connection: Connection) -> None:
    from kafka.protocol.admin import AlterClientQuotasRequest

    entry = AlterClientQuotasRequest.EntryData
    entries = [
        entry(
            entity=[entry.EntityData(entity_type=kind, entity_name=name) for kind, name in entity.items()],
            ops=[entry.OpData(key=key, value=value, remove=False) for key, value in limits.items()],
        )
        for entity, limits in QUOTAS
    ]
    connection.send(AlterClientQuotasRequest(entries=entries, validate_only=False), check=False)


def _commit(admin: Any) -> None:
    """Commit offsets. The first look-up of a coordinator makes the broker create the topic that offsets are kept in."""
    from kafka.errors import RetriableError
    from kafka.structs import OffsetAndMetadata, TopicPartition

    deadline = time.monotonic() + _PATIENCE
    for group, committed in GROUPS.items():
        offsets = {TopicPartition(topic, 0): OffsetAndMetadata(offset) for topic, offset in committed.items()}
        while True:
            try:
                refused = {error for error in admin.alter_group_offsets(group, offsets).values() if error.errno}
            except RetriableError:
                if time.monotonic() >= deadline:
                    raise
            else:
                if not refused:
                    break
                if time.monotonic() >= deadline:
                    raise refused.pop()
            time.sleep(0.1)
