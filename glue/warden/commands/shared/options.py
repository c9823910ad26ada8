"""Options of a command as a frozen dataclass: each field carries the option or argument that fills it.

    @dataclass(frozen=True, kw_only=True)
    class GreetOptions:
        name: str = argument()
        times: int = option("--times", type=int, default=1, help="How often.")


    @click.command()
    @with_options(GreetOptions)
    def command(options: GreetOptions) -> int: ...

The same class is made by other commands, and by tests, without a command line: defaults are those of the options.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, field, fields
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from warden.commands.shared.place_option import LocalPath
from warden.policy.opa.item_size import MAX_ITEM_BYTES as _MAX_ITEM_BYTES

__all__ = [
    "COMMAND_CONFIG",
    "MAX_ITEM_BYTES",
    "OPA_CA_FILE",
    "REQUEST_TIMEOUT",
    "REVISION_FILE",
    "SITE",
    "argument",
    "group",
    "option",
    "read_login",
    "with_options",
]

_Options = TypeVar("_Options")
_PARAMETER, _GROUP = "parameter", "group"

SITE = LocalPath(path_type=Path, exists=True, file_okay=False)
"""A directory with a site's own rules."""
COMMAND_CONFIG: Final[Mapping[str, Any]] = {
    "type": LocalPath(path_type=Path, dir_okay=False),
    "help": "Kafka client properties, as for Kafka's own tools: security.protocol, sasl.jaas.config, ssl.*",
}
"""Attributes of ``--command-config``, which `read_login` reads."""
REQUEST_TIMEOUT: Final[Mapping[str, Any]] = {
    "type": click.FloatRange(min=0, min_open=True),
    "show_default": True,
    "metavar": "SECONDS",
    "help": "How long the connection, and each request after it, may take.",
}
"""Attributes of ``--timeout`` but for its default."""
OPA_CA_FILE: Final[Mapping[str, Any]] = {
    "type": LocalPath(path_type=Path, exists=True, dir_okay=False),
    "envvar": "WARDEN_OPA_CA_FILE",
    "show_envvar": True,
    "help": "Certificates to trust for https, as PEM; default: the system's.",
}
"""Attributes of ``--opa-ca-file``."""
REVISION_FILE: Final[Mapping[str, Any]] = {
    "type": LocalPath(path_type=Path, dir_okay=False),
    "envvar": "WARDEN_REVISION_FILE",
    "show_envvar": True,
}
"""Attributes of ``--revision-file``, of which each command says what it refuses."""
MAX_ITEM_BYTES: Final[Mapping[str, Any]] = {
    "type": click.IntRange(1024),
    "default": _MAX_ITEM_BYTES,
    "show_default": True,
    "help": "JSON of a resource's decision input; one with more is not sent to OPA, and not evaluated.",
}
"""Attributes of ``--max-item-bytes``."""


def option(*names: str, **attributes: Any) -> Any:
    """Define a field that an option fills.

    Args:
        names: The option's names, such as ``--out``.
        attributes: As of `click.option`.
    """
    empty = () if attributes.get("multiple") else False if attributes.get("is_flag") else None
    default = MISSING if attributes.get("required") else attributes.get("default", empty)
    return field(default=default, metadata={_PARAMETER: lambda name: click.option(*names, name, **attributes)})


def argument(**attributes: Any) -> Any:
    """Define a field that a positional argument fills.

    Args:
        attributes: As of `click.argument`.
    """
    several = attributes.get("nargs") == -1
    default = () if several else None if attributes.get("required") is False else MISSING
    return field(default=default, metadata={_PARAMETER: lambda name: click.argument(name, **attributes)})


def read_login(path: Path | None) -> dict[str, str]:
    """Return the client properties of ``--command-config``; none without it.

    Raises:
        ConfigurationError: See `warden.state.sources.kafka.login.security.read_properties`.
    """
    from warden.state.sources.kafka.login.security import read_properties

    return read_properties(path) if path else {}


def group(kind: type[Any]) -> Any:
    """Define a field that holds options which several commands share.

    Args:
        kind: Their dataclass; each of its fields has a default.
    """
    return field(default_factory=kind, metadata={_GROUP: kind})


def with_options(kind: type[_Options]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Make a function of one options object a function of click's values.

    Args:
        kind: The dataclass of the options; the function gets an instance first, then what other decorators add.
    """

    def decorate(function: Callable[..., int]) -> Callable[..., int]:
        @wraps(function)
        def call(**values: Any) -> int:
            names = {name for name, _ in _iter_parameters(kind)}
            others = {name: value for name, value in values.items() if name not in names}
            return function(_build(kind, values), **others)

        decorated: Callable[..., int] = call
        for name, make in reversed([*_iter_parameters(kind)]):
            decorated = make(name)(decorated)
        return decorated

    return decorate


def _iter_parameters(kind: type[Any]) -> Iterator[tuple[str, Callable[[str], Callable[[Any], Any]]]]:
    for attribute in fields(kind):
        if shared := attribute.metadata.get(_GROUP):
            yield from _iter_parameters(shared)
        else:
            yield attribute.name, attribute.metadata[_PARAMETER]


def _build(kind: type[_Options], values: Mapping[str, Any]) -> _Options:
    arguments = {}
    for attribute in fields(kind):  # type: ignore[arg-type]  # it is a dataclass, which no type says
        shared = attribute.metadata.get(_GROUP)
        arguments[attribute.name] = _build(shared, values) if shared else values[attribute.name]
    return kind(**arguments)
