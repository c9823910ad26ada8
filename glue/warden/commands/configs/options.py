"""The options of ``warden configs`` that kafka-configs.sh has, and those of the store of client configs."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from warden.commands.configs.entities import KINDS
from warden.commands.shared.opa_options import add_options
from warden.commands.shared.place_option import LocalPath

__all__ = ["add_entity_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_Option = Callable[[Any], Any]

_DEFAULT_STORE: Final = "topic:warden-client-configs"

_BEFORE: Final[tuple[_Option, ...]] = (
    click.option("--alter", is_flag=True, help="Alter an entity."),
    click.option("--describe", is_flag=True, help="Describe entities."),
    click.option("--all", "every", is_flag=True, help="With --describe: what is not dynamic too."),
    click.option(
        "--entity-type",
        "types",
        multiple=True,
        metavar="TYPE",
        help=f"What the entity consists of: {', '.join(KINDS)}. Users with clients are one entity.",
    ),
    click.option(
        "--entity-name", multiple=True, metavar="NAME", help="The name of a type's entity, in the types' order."
    ),
    click.option("--entity-default", is_flag=True, multiple=True, help="In place of a name: the default entity."),
)
_AFTER: Final[tuple[_Option, ...]] = (
    click.option("--add-config", metavar="KEY=VALUE,…", help="What to set; [a,b] for a list."),
    click.option(
        "--add-config-file",
        type=LocalPath(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="What to set, as Java properties.",
    ),
    click.option("--delete-config", metavar="KEY,…", help="What to remove."),
    click.option(
        "--store",
        default=_DEFAULT_STORE,
        show_default=True,
        metavar="KIND:PLACE",
        help="Where client configs are: topic:NAME of the cluster, or sqlite:PATH.",
    ),
    click.option(
        "--service",
        metavar="URL",
        help="In the store's place: the `warden serve` that has the client configs, and asks the policy about them.",
    ),
    click.option("--service-token", envvar="WARDEN_SERVICE_TOKEN", show_envvar=True, help="Your token for it."),
    click.option(
        "--bootstrap-controller",
        "controllers",
        default="",
        metavar="HOST:PORT",
        help="Controller to connect to, in a broker's place, for nodes and their loggers; several with commas.",
    ),
)


def add_entity_options(command: _Command) -> _Command:
    """Add the options that name entities and changes to a command, after its own."""
    return add_options((*_BEFORE, *_iter_flags(), *_AFTER), command)


def _iter_flags() -> Iterator[_Option]:
    """An option for a kind's entity, and one for the defaults of its kind."""
    for option, kind in KINDS.items():
        yield click.option(f"--{kind.flag}", metavar="NAME", help=f"For --entity-type {option} --entity-name NAME.")
        if kind.has_default:
            yield click.option(
                f"--{kind.flag}-defaults", is_flag=True, help=f"For --entity-type {option} --entity-default."
            )
