"""``warden configs --describe`` of users, clients and addresses, in the lines of kafka-configs.sh."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import click

from warden.base.errors import WardenError
from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.configs.connections import ConfigsAddress, open_connections
from warden.commands.configs.entities import EntityPart
from warden.commands.configs.read_entities import (
    SHOWN,
    DescribeDenied,
    EntityDescription,
    Names,
    has_configs,
    merge_descriptions,
    read_configs,
    read_quotas,
)
from warden.commands.configs.scram import describe_credentials
from warden.commands.topics.options import ChangeOptions
from warden.policy.contract.decision_text import iter_decision_lines

__all__ = ["describe", "format_java_double"]


def describe(options: ChangeOptions, entity: Sequence[EntityPart], where: ConfigsAddress) -> int:
    """Print what there is.

    Args:
        options: Those of the command.
        entity: What is described.
        where: Where client configs are.

    Raises:
        WardenError: Nothing was decided, or the cluster or the store do not answer.
    """
    with open_connections(options, where) as place:
        shows_quotas = place.has_cluster or not has_configs(entity)
        limits = read_quotas(place, entity) if shows_quotas else None
        scram = describe_credentials(place, entity) if place.has_cluster else {}
        problem: Exception | None = None
        stored: Mapping[Names, Mapping[str, Any]] = {}
        try:
            stored = read_configs(place, entity)
        except (DescribeDenied, WardenError) as error:
            problem = error
    if not shows_quotas:
        click.echo("Quotas are not shown: they are the broker's, give --bootstrap-server.", err=True)
    _show(merge_descriptions(limits, stored), scram, options.output)
    if isinstance(problem, DescribeDenied):
        click.echo("\n".join(iter_decision_lines(problem.decision.document)), err=True)
        return EXIT_DENIED
    if problem is not None:  # what is the broker's is shown all the same
        raise problem
    return EXIT_OK


def _show(descriptions: Sequence[EntityDescription], scram: Mapping[str, Mapping[str, int]], output: str) -> None:
    if output == "json":
        click.echo(json.dumps([*map(_build_document, descriptions), *_build_scram_documents(scram)], indent=2))
        return
    for description in descriptions:
        if description.quotas:
            values = ", ".join(f"{key}={format_java_double(value)}" for key, value in description.quotas.items())
            click.echo(f"Quota configs for {_format_quota_entity(description.names)} are {values}")
        if description.configs:  # in the order of KIP-649's examples
            values = ", ".join(f"{key}={description.configs[key]}" for key in sorted(description.configs, reverse=True))
            click.echo(f"Dynamic configs for {_format_config_entity(description.names)} are {values}")
        for name, versions in sorted(description.supported.items()):
            for version, keys in sorted(versions.items()):
                entity = _format_config_entity(description.names)
                click.echo(f"Supported configs of {name} {version} for {entity} are {', '.join(keys)}")
    for user, iterations in scram.items():
        values = ", ".join(f"{mechanism}=iterations={number}" for mechanism, number in iterations.items())
        click.echo(f"SCRAM credential configs for user-principal '{user}' are {values}")


def format_java_double(value: float) -> str:
    """Return a number as Java's ``Double.toString`` has it: ``50000.0``, ``1.0E7``."""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    return f"{'-' * sign}{text[0]}.{text[1:] or '0'}E{len(digits) + int(exponent) - 1}"


def _format_quota_entity(names: Names) -> str:
    parts = [f"the default {SHOWN[kind]}" if name is None else f"{SHOWN[kind]} '{name}'" for kind, name in names]
    return ", ".join(parts)


def _format_config_entity(names: Names) -> str:
    return ", ".join(f"{SHOWN[kind]} '{name or ''}'" for kind, name in names)


def _build_scram_documents(scram: Mapping[str, Mapping[str, int]]) -> list[dict[str, Any]]:
    return [{"entity": {"user": user}, "scram": dict(iterations)} for user, iterations in scram.items()]


def _build_document(description: EntityDescription) -> dict[str, Any]:
    return {
        "entity": dict(description.names),
        "quotas": None if description.quotas is None else dict(description.quotas),
        "configs": dict(description.configs),
        "supportedConfigs": dict(description.supported),
    }
