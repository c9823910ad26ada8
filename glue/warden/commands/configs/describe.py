"""``warden configs --describe`` of users, clients and addresses, in the lines of kafka-configs.sh."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import click

from warden.base.errors import WardenError
from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.configs.connections import OpenConnections, Place, open_connections
from warden.commands.configs.entities import KAFKA_TYPES, EntityPart
from warden.commands.configs.java_order import hash_entity, hash_text, order_as_java
from warden.commands.configs.scram import describe_credentials
from warden.commands.topics.options import ChangeOptions
from warden.policy.contract.decision import Decision
from warden.policy.contract.decision_text import iter_decision_lines

__all__ = ["DescribeDenied", "EntityDescription", "describe", "java_double", "read"]

_Names = tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class EntityDescription:
    """What there is of one entity.

    Args:
        names: Its parts by Kafka's entity types; None is the default entity.
        quotas: Limits by key; None where there is no cluster to ask.
        configs: Client configs by key.
        supported: What its clients registered, by software and version.
    """

    names: _Names
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


def describe(options: ChangeOptions, entity: Sequence[EntityPart], where: Place) -> int:
    """Print what there is.

    Args:
        options: Those of the command.
        entity: What is described.
        where: Where client configs are.

    Raises:
        WardenError: Nothing was decided, or the cluster or the store do not answer.
    """
    with open_connections(options, where) as place:
        known = place.has_cluster or not _has_configs(entity)
        limits = _quotas(place, entity) if known else None
        scram = describe_credentials(place, entity) if place.has_cluster else {}
        problem: Exception | None = None
        stored: Mapping[_Names, Mapping[str, Any]] = {}
        try:
            stored = _configs(place, entity)
        except (DescribeDenied, WardenError) as error:
            problem = error
    if not known:
        click.echo("Quotas are not shown: they are the broker's, give --bootstrap-server.", err=True)
    _show(_merge(limits, stored), scram, options.output)
    if isinstance(problem, DescribeDenied):
        click.echo("\n".join(iter_decision_lines(problem.decision.document)), err=True)
        return EXIT_DENIED
    if problem is not None:  # what is the broker's is shown all the same
        raise problem
    return EXIT_OK


def _show(found: Sequence[EntityDescription], scram: Mapping[str, Mapping[str, int]], output: str) -> None:
    if output == "json":
        click.echo(json.dumps([*map(_document, found), *_scram_documents(scram)], indent=2))
        return
    for one in found:
        if one.quotas:
            values = ", ".join(f"{key}={java_double(value)}" for key, value in one.quotas.items())
            click.echo(f"Quota configs for {_of_quotas(one.names)} are {values}")
        if one.configs:  # in the order of KIP-649's examples
            values = ", ".join(f"{key}={one.configs[key]}" for key in sorted(one.configs, reverse=True))
            click.echo(f"Dynamic configs for {_of_configs(one.names)} are {values}")
        for name, versions in sorted(one.supported.items()):
            for version, keys in sorted(versions.items()):
                click.echo(f"Supported configs of {name} {version} for {_of_configs(one.names)} are {', '.join(keys)}")
    for user, iterations in scram.items():
        values = ", ".join(f"{mechanism}=iterations={number}" for mechanism, number in iterations.items())
        click.echo(f"SCRAM credential configs for user-principal '{user}' are {values}")


def read(
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
    limits = _quotas(place, entity) if quotas else {}
    found = _configs(place, entity) if configs else {}
    return _merge(limits if quotas else None, found)


def _merge(
    limits: Mapping[_Names, Mapping[str, float]] | None, found: Mapping[_Names, Mapping[str, Any]]
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
        for names in [*(limits or ()), *sorted(found.keys() - (limits or {}).keys(), key=_by_name)]
    ]


def _by_name(names: _Names) -> list[tuple[bool, str]]:
    return [(name is None, name or "") for _, name in names]


def _has_configs(entity: Sequence[EntityPart]) -> bool:
    return any(part.option == "users" for part in entity)


def java_double(value: float) -> str:
    """Return a number as Java's ``Double.toString`` has it: ``50000.0``, ``1.0E7``."""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    return f"{'-' * sign}{text[0]}.{text[1:] or '0'}E{len(digits) + int(exponent) - 1}"


def _quotas(place: OpenConnections, entity: Sequence[EntityPart]) -> dict[_Names, dict[str, float]]:
    from warden.state.sources.kafka.read.quotas import read_entities

    entries = read_entities(place.connection, [(part.type, part.name, part.any_name) for part in entity])
    limits = {
        _names({item.entity_type: item.entity_name for item in entry.entity}): {
            item.key: item.value for item in entry.values
        }
        for entry in entries
    }
    return {
        names: {key: limits[names][key] for key in order_as_java(limits[names], hash_text, sized=True)}
        for names in order_as_java(limits, lambda names: hash_entity(dict(names)), sized=True)
    }


def _configs(place: OpenConnections, entity: Sequence[EntityPart]) -> dict[_Names, Mapping[str, Any]]:
    if not _has_configs(entity) or not place.has_configs:
        return {}
    components = [{"entityType": part.type, **_match(part)} for part in entity]
    decision = place.configs.describe({"components": components, "strict": True})
    if not decision.allowed:
        raise DescribeDenied(decision)
    return {
        _names({KAFKA_TYPES[field]: name for field, name in entry["entity"].items()}): entry
        for entry in decision.document["entries"]
    }


def _match(part: EntityPart) -> dict[str, Any]:
    if part.any_name:
        return {"matchType": "any"}
    return {"matchType": "default"} if part.name is None else {"matchType": "exact", "match": part.name}


def _names(entity: Mapping[str, str | None]) -> _Names:
    return tuple((kind, entity[kind]) for kind in _SHOWN if kind in entity)


_SHOWN = {"user": "user-principal", "client-id": "client-id", "ip": "ip"}


def _of_quotas(names: _Names) -> str:
    parts = [f"the default {_SHOWN[kind]}" if name is None else f"{_SHOWN[kind]} '{name}'" for kind, name in names]
    return ", ".join(parts)


def _of_configs(names: _Names) -> str:
    return ", ".join(f"{_SHOWN[kind]} '{name or ''}'" for kind, name in names)


def _scram_documents(scram: Mapping[str, Mapping[str, int]]) -> list[dict[str, Any]]:
    return [{"entity": {"user": user}, "scram": dict(iterations)} for user, iterations in scram.items()]


def _document(one: EntityDescription) -> dict[str, Any]:
    return {
        "entity": dict(one.names),
        "quotas": None if one.quotas is None else dict(one.quotas),
        "configs": dict(one.configs),
        "supportedConfigs": dict(one.supported),
    }
