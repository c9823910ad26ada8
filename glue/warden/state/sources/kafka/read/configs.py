"""Configurations with their sources (DescribeConfigs, KIP-226), and the topic defaults that follow from a broker's."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from warden.policy.bundle.catalog import read_catalog
from warden.policy.contract.names import CONFIG_RESOURCE_TYPES
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import format_reason

__all__ = [
    "BROKER",
    "DEFAULT_SOURCE",
    "TOPIC",
    "ConfigEntry",
    "DescribedResource",
    "build_configs_request",
    "iter_described",
    "request_descriptions",
    "select_topic_defaults",
    "select_visible",
]

TOPIC, BROKER = CONFIG_RESOURCE_TYPES["topic"], CONFIG_RESOURCE_TYPES["broker"]
DEFAULT_SOURCE = 5
"""DescribeConfigsResponse.ConfigSource.DEFAULT_CONFIG."""
_CHUNK = 250  # resources in a request: some 9,000 entries of an answer in memory at a time
_TOPIC_SOURCE = 1  # DYNAMIC_TOPIC_CONFIG
_VISIBLE = ("remote.log.storage.system.enable",)  # of brokers, also where nobody set them: else they are unknown
# Broker keys that stand for -1 in a CreateTopics request, as `kafka.engine.topic_defaults` has them.
_NUMBERS = ("default.replication.factor", "num.partitions")
_MILLISECONDS = {"hours": 3_600_000, "minutes": 60_000}


@dataclass(frozen=True, slots=True)
class ConfigEntry:
    """One configuration key as a broker reports it.

    Args:
        value: Kafka's text; None where it is null or secret.
        source: ``ConfigSource``: 1 topic, 2 broker, 3 cluster-wide default, 4 static, 5 Kafka's own default.
        sensitive: Whether the value is a secret, which Kafka never tells.
        layers: Of a broker's key, the text that each source has of it, by source, character by character: the value is
            that of the least source, but a list is shown parsed. Empty where nobody requested them.
    """

    value: str | None
    source: int
    sensitive: bool = False
    layers: Mapping[int, str | None] = field(default_factory=dict)

    @property
    def is_topic_override(self) -> bool:
        """Whether the topic itself sets it."""
        return self.source == _TOPIC_SOURCE

    @property
    def is_shown(self) -> bool:
        """Whether somebody set it (it is not Kafka's own default) and it may be reported."""
        return self.source != DEFAULT_SOURCE and not self.sensitive


@dataclass(frozen=True, slots=True)
class DescribedResource:
    """What a broker said about one resource: its configurations, or why it did not tell."""

    name: str
    configs: Mapping[str, ConfigEntry]
    error: str | None = None
    code: int = 0


def request_descriptions(
    connection: Connection, kind: int, names: Sequence[str], node: int | None = None
) -> Iterator[DescribedResource]:
    """Yield every resource of ``names``, in chunks of some hundreds a request.

    Args:
        connection: The cluster.
        kind: `TOPIC` or `BROKER`.
        names: Names of topics, or ids of brokers.
        node: The broker to ask; a broker's static configuration is known only to itself.

    Raises:
        NotDisclosed: The cluster refuses the request as a whole.
    """
    for start in range(0, len(names), _CHUNK):
        yield from iter_described(
            connection.send(build_configs_request(kind, names[start : start + _CHUNK]), node, check=False)
        )


def build_configs_request(kind: int, names: Sequence[str]) -> Any:
    """Return a request to describe resources: brokers with what lies beneath each value, others without."""
    from kafka.protocol.admin import DescribeConfigsRequest

    resources = [(kind, name, None) for name in names]
    return DescribeConfigsRequest(resources=resources, include_synonyms=kind == BROKER, min_version=1)


def iter_described(response: Any) -> Iterator[DescribedResource]:
    """Yield every resource of a response to DescribeConfigs."""
    for result in response.results:
        entries = {
            item.name: ConfigEntry(item.value, item.config_source, item.is_sensitive, _build_layers(item))
            for item in result.configs
        }
        refused = format_reason(result.error_code, result.error_message) if result.error_code else None
        yield DescribedResource(result.resource_name, entries, refused, result.error_code)


def select_visible(broker: Mapping[str, ConfigEntry]) -> dict[str, str]:
    """Return the contract's ``configs`` of a broker: what somebody set, without secrets, and whether it has tiers.

    Args:
        broker: Everything that one broker reports about itself.
    """
    visible = {name: entry for name, entry in sorted(broker.items()) if entry.is_shown or name in _VISIBLE}
    return {name: entry.value for name, entry in visible.items() if entry.value is not None}


def select_topic_defaults(broker: Mapping[str, ConfigEntry], topic: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return what a new topic gets for each key it does not set, and for its partitions and replication factor.

    A broker reports each of its keys as it resolves it: its own dynamic value, the cluster-wide one, the static one,
    Kafka's default. A topic key falls back through its broker keys in the catalogue's order, the first that is not null
    wins (``KafkaConfigSchema``; hours and minutes become milliseconds, a negative time means none), as in the policies'
    `kafka.configs.inherited`, which says what a change makes of them.

    Args:
        broker: Everything that one broker reports about itself.
        topic: What topics report for keys that they do not set themselves; used for keys without a broker key.
    """
    defaults = dict(topic) if topic is not None else _read_defaults_without_broker_key()
    for name, config in read_catalog("topic")["configs"].items():
        for synonym in config["synonyms"]:
            value = broker[synonym["name"]].value if synonym["name"] in broker else None
            if value is not None:
                defaults[name] = _to_topic_value(value, synonym)
                break
    for name in _NUMBERS:
        if name in broker and (value := broker[name].value) is not None:
            defaults[name] = value
    return defaults


def _build_layers(item: Any) -> dict[int, str | None]:
    return {synonym.source: synonym.value for synonym in item.synonyms or () if synonym.name == item.name}


def _read_defaults_without_broker_key() -> dict[str, str]:
    configs = read_catalog("topic")["configs"].items()
    return {
        name: config["default"] for name, config in configs if not config["synonyms"] and config["default"] is not None
    }


def _to_topic_value(value: str, synonym: Mapping[str, str]) -> str:
    """A broker key's value as a topic has it: of a time that is no limit by the catalogue, its one number for that."""
    unit = synonym.get("unit")
    if unit is None:
        return value
    limit = read_catalog("broker")["configs"][synonym["name"]].get("noLimit", {})
    if int(value) < limit.get("below", int(value)):
        return str(limit["is"])
    return str(int(value) * _MILLISECONDS[unit]) if unit in _MILLISECONDS else value
