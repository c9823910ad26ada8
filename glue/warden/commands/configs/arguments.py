"""Arguments of a command line, with the checks and the words of kafka-configs.sh."""

import re
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from warden.commands.configs.entities import KINDS, EntityPart

__all__ = ["Changes", "parse_changes", "parse_entity", "parse_key_values"]

Changes = list[tuple[str, str | None]]
"""Keys with their values, None for one that is removed, in the order in which kafka-configs.sh sends them."""

_OUTSIDE = r"(?=[^\]]*(?:\[|\Z))"  # of square brackets
_KEY: Final = re.compile(r"[$a-zA-Z0-9._-]*")
_QUOTAS: Final = ("users", "clients")
_WITH_DEFAULTS: Final = ("users", "clients", "brokers", "ips")
_PAIRS = (
    'Invalid entity config: all configs to be added must be in the format "key=val" or  "key=[val1,val2]" to group '
    "values which contain commas."
)


def parse_entity(options: Mapping[str, Any], named: Sequence[str | None], *, alter: bool) -> list[EntityPart]:
    """Return an entity's parts, the first one first.

    Args:
        options: ``types`` of ``--entity-type``, and the values of the options that name one kind; ``entity_name`` and
            ``entity_default`` of the environment, where a command line has neither.
        named: The names of ``--entity-name`` and ``--entity-default`` on the command line, in their order.
        alter: Whether the entity is to be altered.

    Raises:
        click.UsageError: They do not make an entity.
    """
    named = named or [*options["entity_name"], *(None for given in options["entity_default"] if given)]
    flags = {option: options[_name_field(kind.flag)] for option, kind in KINDS.items()}
    flagged = {option: name or None for option, name in flags.items() if name is not None}
    defaults = [
        option for option, kind in KINDS.items() if kind.has_default and options[_name_field(f"{kind.flag}_defaults")]
    ]
    types = [*options["types"], *flagged, *defaults]
    _check_types(types)
    if (options["types"] or named) and (flagged or defaults):
        raise click.UsageError(
            "--entity-{type,name,default} should not be used in conjunction with specific entity flags"
        )
    every = [*named, *flagged.values(), *(None for _ in defaults)]
    _check_names(types, every)
    if alter:
        _check_altered(types, every)
    else:
        _check_described(types, every, default=None in named)
    if len(every) > len(types):
        raise click.UsageError("More entity names specified than entity types")
    parts = [EntityPart(kind, name) for kind, name in zip(types, every, strict=False)]
    return parts + [EntityPart(kind, None, any_name=True) for kind in types[len(every) :]]


def parse_changes(added: str | None, file: Path | None, deleted: str | None) -> Changes:
    """Return what is to be removed and then what is to be set.

    Args:
        added: Of ``--add-config``.
        file: Of ``--add-config-file``, Java properties.
        deleted: Of ``--delete-config``.

    Raises:
        click.UsageError: They are not configs.
        InputError: The file cannot be read.
    """
    if added is not None and file is not None:
        raise click.UsageError("Only one of --add-config or --add-config-file must be specified")
    if added is None and file is None and deleted is None:
        raise click.UsageError(
            "At least one of --add-config, --add-config-file, or --delete-config must be specified with --alter"
        )
    values = _load(file) if file else {} if added is None else parse_key_values(added)
    for key in values:
        if not _KEY.fullmatch(key):
            raise click.UsageError(f"Invalid character found for config key: {key}")
    removed = [key.strip() for key in (deleted or "").split(",") if key.strip()]
    return [*((key, None) for key in removed), *values.items()]


def parse_key_values(text: str) -> dict[str, str]:
    """Return the configs of ``--add-config``: ``key=value`` with commas between them, a list in square brackets.

    Raises:
        click.UsageError: A part is none.
    """
    configs = {}
    for pair in re.split(f",{_OUTSIDE}", text.rstrip(",")):
        parts = re.split(rf"\s*=\s*{_OUTSIDE}", pair)
        if len(parts) != 2 or not parts[0].strip():
            raise click.UsageError(_PAIRS)
        configs[parts[0].strip()] = re.sub(r"\[?\]?", "", parts[1]).strip()
    return configs


def _name_field(flag: str) -> str:
    return flag.replace("-", "_")


def _load(file: Path) -> dict[str, str]:
    from warden.base.files.properties import load_properties

    return dict(load_properties(file))


def _check_types(types: Sequence[str]) -> None:
    twice = list(dict.fromkeys(kind for number, kind in enumerate(types) if kind in types[:number]))
    if twice:
        raise click.UsageError(f"Duplicate entity type(s) specified: {','.join(twice)}")
    for kind in types:
        if kind not in KINDS:
            raise click.UsageError(
                f"Invalid entity type {kind}, the entity type must be one of {', '.join(KINDS)} with a "
                "--bootstrap-server or --bootstrap-controller argument"
            )
    if not types:
        raise click.UsageError("At least one entity type must be specified")
    if len(types) > 1 and set(types) != set(_QUOTAS):
        raise click.UsageError("Only 'users' and 'clients' entity types may be specified together")


def _check_names(types: Sequence[str], every: Sequence[str | None]) -> None:
    names = [name for name in every if name is not None]
    if types[0] in ("brokers", "broker-loggers"):
        for name in names:
            if not re.fullmatch(r"[+-]?[0-9]{1,10}", name):
                raise click.UsageError(
                    f"The entity name for {types[0]} must be a valid integer broker id, but it is: {name}"
                )
    if types[0] == "ips":
        for name in names:
            _check_address(name)


def _check_described(types: Sequence[str], every: Sequence[str | None], *, default: bool) -> None:
    if default and not set(types) & set(_WITH_DEFAULTS):
        raise click.UsageError(f"--entity-default must not be specified with --describe of {','.join(types)}")
    if "broker-loggers" in types and not any(every):
        raise click.UsageError(f"An entity name must be specified with --describe of {','.join(types)}")


def _check_address(name: str) -> None:
    try:
        socket.getaddrinfo(name, None)
    except (OSError, UnicodeError):
        raise click.UsageError(
            f"The entity name for ips must be a valid IP or resolvable host, but it is: {name}"
        ) from None


def _check_altered(types: Sequence[str], every: Sequence[str | None]) -> None:
    if not set(types) & set(_WITH_DEFAULTS):
        if not any(every):
            raise click.UsageError(f"An entity name must be specified with --alter of {','.join(types)}")
    elif not every:
        raise click.UsageError(
            "An entity-name or default entity must be specified with --alter of users, clients, brokers or ips"
        )
    if len(every) != len(types):
        raise click.UsageError("An entity name must be specified for every entity type")
