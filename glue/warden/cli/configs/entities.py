"""The options that name an entity, and those that name its configs, as kafka-configs.sh reads them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

__all__ = ["KAFKA_TYPES", "Part", "contract_entity", "kafka_entity", "key_values", "names", "parts_of", "spoken"]

_TYPES = {"users": ("user", "user"), "clients": ("client-id", "clientId"), "brokers": ("broker", "broker")}
KAFKA_TYPES = {field: kind for kind, field in _TYPES.values()}
"""Kafka's entity types by the contract's fields."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an entity.

    Args:
        option: ``users``, ``clients`` or ``brokers``.
        name: The name; None is the default entity.
        any_name: Whether no name was given: of what is described, each.
    """

    option: str
    name: str | None
    any_name: bool = False

    @property
    def type(self) -> str:
        """Kafka's entity type."""
        return _TYPES[self.option][0]


def names(args: Sequence[str]) -> list[str | None]:
    """Return the names that a command line gives, None for each ``--entity-default``, in their order."""
    return list(_names(iter(args)))


def _names(args: Iterator[str]) -> Iterator[str | None]:
    for arg in args:
        option, given, value = arg.partition("=")
        if option == "--entity-default":
            yield None
        elif option == "--entity-name":
            yield value if given else next(args, "")


def parts_of(types: Sequence[str], named: Sequence[str | None]) -> list[Part]:
    """Return an entity's parts: the first name is the first type's, and so on.

    Raises:
        click.UsageError: A type is given twice, brokers with others, or there are more names than types.
    """
    if "brokers" in types and len(set(types)) > 1:
        raise click.UsageError("Give --entity-type brokers alone: quotas are of users and clients.")
    if len(set(types)) < len(types):
        raise click.UsageError("Give each --entity-type once.")
    if len(named) > len(types):
        raise click.UsageError("Give no more of --entity-name and --entity-default than of --entity-type.")
    given = [Part(kind, name) for kind, name in zip(types, named, strict=False)]
    parts = given + [Part(kind, None, any_name=True) for kind in types[len(named) :]]
    return sorted(parts, key=lambda part: list(_TYPES).index(part.option))


def contract_entity(parts: Sequence[Part]) -> dict[str, str | None]:
    """Return the entity as the contract has it."""
    return {_TYPES[part.option][1]: part.name for part in parts}


def kafka_entity(parts: Sequence[Part]) -> list[dict[str, Any]]:
    """Return the entity as Kafka's requests have it."""
    return [{"entityType": part.type, "entityName": part.name} for part in parts]


def spoken(parts: Sequence[Part]) -> str:
    """Return what kafka-configs.sh calls an entity once it has altered it: by its first part alone."""
    first = parts[0]
    return (
        f"default config for {first.option} in the cluster"
        if first.name is None
        else (f"config for {first.option.removesuffix('s')} {first.name}")
    )


def key_values(text: str) -> dict[str, str]:
    """Return the configs of ``--add-config``: ``key=value`` with commas between them, a list in square brackets.

    Raises:
        click.UsageError: A part is none.
    """
    found = {}
    for pair in re.split(r",(?=[^\]]*(?:\[|$))", text) if text else ():
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise click.UsageError('Invalid entity config: all configs to be added must be in the format "key=val".')
        found[key.strip()] = re.sub(r"\[?\]?", "", value.strip()).strip()
    return found
