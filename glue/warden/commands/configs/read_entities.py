"""Quotas and client configs of entities, as they are now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from warden.commands.configs.connections import OpenConnections
from warden.commands.configs.entities import KAFKA_TYPES, EntityPart
from warden.commands.configs.java_order import hash_entity, hash_text, order_as_java
from warden.policy.contract.decision import Decision

__all__ = [
    "SHOWN",
    "DescribeDenied",
    "EntityDescription",
    "Names",
    "has_configs",
    "merge_descriptions",
    "read_configs",
    "read_descriptions",
    "read_quotas",
]

Names = tuple[tuple[str, str | None], ...]
"""The parts of an entity by Kafka's entity types; None is the default entity."""

SHOWN: Final = {"user": "user-principal", "client-id": "client-id", "ip": "ip"}
"""Kafka's entity types in the order of an entity's name → what kafka-configs.sh calls them."""


@dataclass(frozen=True, slots=True)
class EntityDescription:
    """What there is of one entity.

    Args:
        names: Its parts by Kafka's entity types; None is the default entity.
        quotas: Limits by key; None where there is no cluster to ask.
        configs: Client configs by key.
        supported: What its clients registered, by software and version.
    """

    names: Names
    quotas: Mapping[str, float] | None
    configs: Mapping[str, str]
    supported: Mapping[str, Any]


class DescribeDenied(Exception):
    """Raised when the policy denies a description.

    Args:
        decision: Its decision.
    """

    def __init__(self, decision: Decision) -> None:
        super().__init__("; ".join(decision.errors))
        self.decision = decision


def read_descriptions(
    place: OpenConnections, entity: Sequence[EntityPart], *, quotas: bool = True, configs: bool = True
) -> list[EntityDescription]:
    """Return what there is of the entities that consist of just these parts.

    Client configs are a user's: of other entities there are quotas alone.

    Args:
        place: Where to read.
        entity: The parts.
        quotas: Whether to read quotas, of the cluster.
        configs: Whether to read client configs.

    Raises:
        DescribeDenied: The policy denies it.
    """
    limits = read_quotas(place, entity) if quotas else {}
    stored = read_configs(place, entity) if configs else {}
    return merge_descriptions(limits if quotas else None, stored)


def merge_descriptions(
    limits: Mapping[Names, Mapping[str, float]] | None, found: Mapping[Names, Mapping[str, Any]]
) -> list[EntityDescription]:
    """Quotas in Kafka's order, each with its client configs, and then client configs of others; no limits: not read."""
    nothing: dict[str, Any] = {"values": {}, "supportedConfigs": {}}
    return [
        EntityDescription(
            names,
            None if limits is None else limits.get(names, {}),
            found.get(names, nothing)["values"],
            found.get(names, nothing)["supportedConfigs"],
        )
        for names in [*(limits or ()), *sorted(found.keys() - (limits or {}).keys(), key=_build_sort_key)]
    ]


def _build_sort_key(names: Names) -> list[tuple[bool, str]]:
    return [(name is None, name or "") for _, name in names]


def has_configs(entity: Sequence[EntityPart]) -> bool:
    """Return whether entities of these parts may have client configs: those of users may."""
    return any(part.option == "users" for part in entity)


def read_quotas(place: OpenConnections, entity: Sequence[EntityPart]) -> dict[Names, dict[str, float]]:
    """Return limits by key of each entity that has any, both in the order of Java's maps.

    Raises:
        KafkaError: The cluster does not answer, or refuses.
    """
    from warden.state.sources.kafka.read.quotas import read_quota_entries

    entries = read_quota_entries(place.connection, [(part.type, part.name, part.any_name) for part in entity])
    limits = {
        _build_names({item.entity_type: item.entity_name for item in entry.entity}): {
            item.key: item.value for item in entry.values
        }
        for entry in entries
    }
    return {
        names: {key: limits[names][key] for key in order_as_java(limits[names], hash_text, sized=True)}
        for names in order_as_java(limits, lambda names: hash_entity(dict(names)), sized=True)
    }


def read_configs(place: OpenConnections, entity: Sequence[EntityPart]) -> dict[Names, Mapping[str, Any]]:
    """Return client configs, and what clients registered, of each entity that has any; none without a store.

    Raises:
        DescribeDenied: The policy denies it.
        WardenError: The store does not answer.
    """
    if not has_configs(entity) or not place.has_configs:
        return {}
    components = [{"entityType": part.type, **_build_match(part)} for part in entity]
    decision = place.configs.describe({"components": components, "strict": True})
    if not decision.allowed:
        raise DescribeDenied(decision)
    return {
        _build_names({KAFKA_TYPES[field]: name for field, name in entry["entity"].items()}): entry
        for entry in decision.document["entries"]
    }


def _build_match(part: EntityPart) -> dict[str, Any]:
    if part.any_name:
        return {"matchType": "any"}
    return {"matchType": "default"} if part.name is None else {"matchType": "exact", "match": part.name}


def _build_names(entity: Mapping[str, str | None]) -> Names:
    return tuple((kind, entity[kind]) for kind in SHOWN if kind in entity)
