"""Names of all topics, groups and subscriptions of client metrics, in the order in which brokers list them."""

from collections.abc import Iterable

from warden.base.errors import KafkaError
from warden.policy.contract.names import CONFIG_RESOURCE_TYPES
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed

__all__ = ["list_group_names", "list_subscription_names", "list_topic_names"]


def list_topic_names(connection: Connection) -> list[str]:
    """Return the names of all topics, internal ones too.

    Raises:
        KafkaError: The cluster does not tell.
    """
    from kafka.protocol.metadata import MetadataRequest

    try:
        answer = connection.send(MetadataRequest(topics=None, allow_auto_topic_creation=False), check=False)
    except NotDisclosed as refused:
        raise KafkaError(f"Kafka does not list topics: {refused}", code=refused.code) from None
    return [str(topic.name) for topic in answer.topics]


def list_group_names(connection: Connection, brokers: Iterable[int]) -> list[str]:
    """Return the names of all groups, and of those that have configs.

    Args:
        connection: The cluster.
        brokers: Ids of the brokers that are alive.

    Raises:
        KafkaError: The cluster does not tell.
    """
    from kafka.protocol.admin import ListGroupsRequest

    try:
        answers = [connection.send(ListGroupsRequest(), broker) for broker in brokers]
    except NotDisclosed as refused:
        raise KafkaError(f"Kafka does not list groups: {refused}", code=refused.code) from None
    groups = [str(group.group_id) for answer in answers for group in answer.groups]
    try:
        configured = _list_resources(connection, "group")
    except NotDisclosed:  # older than 4.1 (KIP-1142), or not for this principal: there are the groups themselves
        configured = []
    return list(dict.fromkeys([*groups, *configured]))


def list_subscription_names(connection: Connection) -> list[str]:
    """Return the names of all subscriptions of client metrics.

    Raises:
        KafkaError: The cluster does not tell.
    """
    try:
        return _list_resources(connection, "client-metrics")
    except NotDisclosed as refused:
        raise KafkaError(f"Kafka does not list subscriptions of client metrics: {refused}", code=refused.code) from None


def _list_resources(connection: Connection, kind: str) -> list[str]:
    from kafka.protocol.admin import ListConfigResourcesRequest

    types = [CONFIG_RESOURCE_TYPES[kind]]
    answer = connection.send(ListConfigResourcesRequest(resource_types=types, min_version=1))
    return [str(resource.resource_name) for resource in answer.config_resources]
