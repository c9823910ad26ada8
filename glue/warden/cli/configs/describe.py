"""``warden configs --describe``: quotas and client configs, in the lines of kafka-configs.sh."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.configs.entities import KAFKA_TYPES, Part
from warden.cli.configs.opened import Opened, Place, opened
from warden.cli.decision_text import decision_lines
from warden.cli.topics.options import ChangeOptions
from warden.contract.decision import Decision

__all__ = ["DescribeDenied", "Described", "describe", "java_double", "read"]

_Names = tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class Described:
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


def describe(options: ChangeOptions, entity: Sequence[Part], where: Place) -> int:
    """Print what there is.

    Args:
        options: Those of the command.
        entity: What is described.
        where: Where client configs are.

    Raises:
        WardenError: Nothing was decided, or the cluster or the store do not answer.
    """
    with opened(options, where) as place:
        known = place.has_cluster or not _has_configs(entity)
        try:
            found = read(place, entity, quotas=known)
        except DescribeDenied as denied:
            click.echo("\n".join(decision_lines(denied.decision.document)))
            return EXIT_DENIED
    if not known:
        click.echo("Quotas are not shown: they are the broker's, give --bootstrap-server.", err=True)
    if options.output == "json":
        click.echo(json.dumps([_document(one) for one in found], indent=2))
        return EXIT_OK
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
    return EXIT_OK


def read(place: Opened, entity: Sequence[Part], *, quotas: bool = True, configs: bool = True) -> list[Described]:
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
    found = _configs(place, entity) if configs and _has_configs(entity) else {}
    nothing: dict[str, Any] = {"values": {}, "supportedConfigs": {}}
    return [
        Described(
            names,
            limits.get(names, {}) if quotas else None,
            found.get(names, nothing)["values"],
            found.get(names, nothing)["supportedConfigs"],
        )
        for names in sorted({*limits, *found}, key=lambda names: [(name is None, name or "") for _, name in names])
    ]


def _has_configs(entity: Sequence[Part]) -> bool:
    return any(part.option == "users" for part in entity)


def java_double(value: float) -> str:
    """Return a number as Java's ``Double.toString`` has it: ``50000.0``, ``1.0E7``."""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    return f"{'-' * sign}{text[0]}.{text[1:] or '0'}E{len(digits) + int(exponent) - 1}"


def _quotas(place: Opened, entity: Sequence[Part]) -> dict[_Names, dict[str, float]]:
    from warden.sources.kafka.quotas import read_entities

    entries = read_entities(place.connection, [(part.type, part.name, part.any_name) for part in entity])
    return {
        _names({item.entity_type: item.entity_name for item in entry.entity}): {
            item.key: item.value for item in entry.values
        }
        for entry in entries
    }


def _configs(place: Opened, entity: Sequence[Part]) -> dict[_Names, Mapping[str, Any]]:
    components = [{"entityType": part.type, **_match(part)} for part in entity]
    decision = place.configs.describe({"components": components, "strict": True})
    if not decision.allowed:
        raise DescribeDenied(decision)
    return {
        _names({KAFKA_TYPES[field]: name for field, name in entry["entity"].items()}): entry
        for entry in decision.document["entries"]
    }


def _match(part: Part) -> dict[str, Any]:
    if part.any_name:
        return {"matchType": "any"}
    return {"matchType": "default"} if part.name is None else {"matchType": "exact", "match": part.name}


def _names(entity: Mapping[str, str | None]) -> _Names:
    return tuple((kind, entity[kind]) for kind in ("user", "client-id") if kind in entity)


_SHOWN = {"user": "user-principal", "client-id": "client-id"}


def _of_quotas(names: _Names) -> str:
    parts = [f"the default {_SHOWN[kind]}" if name is None else f"{_SHOWN[kind]} '{name}'" for kind, name in names]
    return ", ".join(parts)


def _of_configs(names: _Names) -> str:
    return ", ".join(f"{_SHOWN[kind]} '{name or ''}'" for kind, name in names)


def _document(one: Described) -> dict[str, Any]:
    return {
        "entity": dict(one.names),
        "quotas": None if one.quotas is None else dict(one.quotas),
        "configs": dict(one.configs),
        "supportedConfigs": dict(one.supported),
    }
