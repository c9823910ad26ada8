"""Configs of a resource with everything that lies beneath each, as kafka-configs.sh shows them."""

from dataclasses import dataclass

from warden.base.errors import KafkaError
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed, format_reason

__all__ = ["NodeConfigEntry", "read_resource_configs"]

_SOURCES = {  # DescribeConfigsResponse.ConfigSource
    1: "DYNAMIC_TOPIC_CONFIG",
    2: "DYNAMIC_BROKER_CONFIG",
    3: "DYNAMIC_DEFAULT_BROKER_CONFIG",
    4: "STATIC_BROKER_CONFIG",
    5: "DEFAULT_CONFIG",
    6: "DYNAMIC_BROKER_LOGGER_CONFIG",
    7: "DYNAMIC_CLIENT_METRICS_CONFIG",
    8: "DYNAMIC_GROUP_CONFIG",
}


@dataclass(frozen=True, slots=True)
class NodeConfigEntry:
    """One config of a resource, such as a node.

    Args:
        name: Its key.
        value: Kafka's text; None where it is null or secret.
        source: Kafka's name of what sets it, such as ``STATIC_BROKER_CONFIG``.
        sensitive: Whether the value is a secret, which Kafka never tells.
        synonyms: Source, key and value of each that sets it or would, the one in force first.
    """

    name: str
    value: str | None
    source: str
    sensitive: bool
    synonyms: tuple[tuple[str, str, str | None], ...]


def read_resource_configs(
    connection: Connection, kind: int, name: str, node: int | None = None
) -> list[NodeConfigEntry]:
    """Return a resource's configs, by key.

    Args:
        connection: To brokers or controllers.
        kind: ConfigResource.Type.
        name: The resource's name; "" for what is set of all nodes.
        node: The node to ask; None for any.

    Raises:
        KafkaError: It does not tell.
    """
    from kafka.protocol.admin import DescribeConfigsRequest

    whose = f"configs of {name}" if name else "the configs of all nodes"
    request = DescribeConfigsRequest(resources=[(kind, name, None)], include_synonyms=True, min_version=1)
    try:
        (result,) = connection.send(request, node, check=False).results
    except NotDisclosed as refused:
        raise KafkaError(f"Kafka does not tell {whose}: {refused}", code=refused.code) from None
    if result.error_code:
        reason = format_reason(result.error_code, result.error_message)
        raise KafkaError(f"Kafka does not tell {whose}: {reason}", code=result.error_code)
    configs = [
        NodeConfigEntry(
            item.name,
            item.value,
            _find_source_name(item.config_source),
            item.is_sensitive,
            tuple((_find_source_name(synonym.source), synonym.name, synonym.value) for synonym in item.synonyms or ()),
        )
        for item in result.configs
    ]
    return sorted(configs, key=lambda config: config.name)


def _find_source_name(number: int) -> str:
    return _SOURCES.get(number, "UNKNOWN")
