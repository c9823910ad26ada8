"""The kinds of entities that have configs, and the parts that an entity consists of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from warden.policy.contract.names import CONFIG_RESOURCE_TYPES

__all__ = [
    "KAFKA_TYPES",
    "KINDS",
    "EntityKind",
    "EntityPart",
    "build_contract_entity",
    "build_kafka_entity",
    "format_entity",
    "list_entity_names",
]


@dataclass(frozen=True, slots=True)
class EntityKind:
    """A kind of entity.

    Args:
        flag: The option that names one, without dashes.
        has_default: Whether there are defaults of all of them.
        quota: Kafka's entity type of quotas, and the contract's field; empty where the kind has no quotas.
        source: Kafka's name of where its dynamic configs come from; None where every config counts.
    """

    flag: str
    has_default: bool = False
    quota: tuple[str, str] = ("", "")
    source: str | None = None

    @property
    def resource(self) -> int:
        """ConfigResource.Type; 0 where the kind has no configs."""
        return CONFIG_RESOURCE_TYPES.get(self.flag, 0)


KINDS: Final[Mapping[str, EntityKind]] = {
    "topics": EntityKind("topic", source="DYNAMIC_TOPIC_CONFIG"),
    "clients": EntityKind("client", has_default=True, quota=("client-id", "clientId")),
    "users": EntityKind("user", has_default=True, quota=("user", "user")),
    "brokers": EntityKind("broker", has_default=True, source="DYNAMIC_BROKER_CONFIG"),
    "ips": EntityKind("ip", has_default=True, quota=("ip", "ip")),
    "client-metrics": EntityKind("client-metrics", source="DYNAMIC_CLIENT_METRICS_CONFIG"),
    "groups": EntityKind("group", source="DYNAMIC_GROUP_CONFIG"),
    "broker-loggers": EntityKind("broker-logger"),
}
"""By the value of ``--entity-type``, in the order in which kafka-configs.sh lists them."""

KAFKA_TYPES: Final = {kind.quota[1]: kind.quota[0] for kind in KINDS.values() if not kind.resource}
"""Kafka's entity types of quotas by the contract's fields."""


@dataclass(frozen=True, slots=True)
class EntityPart:
    """A part of an entity.

    Args:
        option: A key of `KINDS`.
        name: The name; None is the default entity.
        any_name: Whether no name was given: of what is described, each.
    """

    option: str
    name: str | None
    any_name: bool = False

    @property
    def kind(self) -> EntityKind:
        """What it is one of."""
        return KINDS[self.option]

    @property
    def type(self) -> str:
        """Kafka's entity type of quotas."""
        return self.kind.quota[0]

    @property
    def field(self) -> str:
        """What the contract calls it."""
        return self.kind.quota[1] or self.kind.flag


def list_entity_names(args: Sequence[str]) -> list[str | None]:
    """Return the names that a command line gives, None for each ``--entity-default``, in their order."""
    return list(_iter_names(iter(args)))


def _iter_names(args: Iterator[str]) -> Iterator[str | None]:
    for arg in args:
        option, equals, value = arg.partition("=")
        if option == "--entity-default":
            yield None
        elif option == "--entity-name":
            yield (value if equals else next(args, "")) or None


def build_contract_entity(parts: Sequence[EntityPart]) -> dict[str, str | None]:
    """Return the entity as the contract has it."""
    return {part.field: part.name for part in parts}


def build_kafka_entity(parts: Sequence[EntityPart]) -> list[dict[str, Any]]:
    """Return the entity as Kafka's requests have it."""
    return [{"entityType": part.type, "entityName": part.name} for part in parts]


def format_entity(parts: Sequence[EntityPart]) -> str:
    """Return what kafka-configs.sh calls an entity once it has altered it: by its first part alone."""
    first = parts[0]
    if first.name is None:
        return f"default config for {first.option} in the cluster"
    return f"config for {first.option[:-1]} {first.name}"
