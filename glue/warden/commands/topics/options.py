"""Options of all verbs of ``warden topics``: the cluster, the policy, the principal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from warden.commands.shared.choice import Choice
from warden.commands.shared.opa_options import add_options, with_opa
from warden.commands.shared.options import COMMAND_CONFIG, REQUEST_TIMEOUT

if TYPE_CHECKING:
    from warden.policy.opa.session import OpaOptions

__all__ = ["ChangeOptions", "add_change_options", "add_offline_change_options", "define_topic_options", "topic"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class ChangeOptions:
    """The values of the options that `add_change_options` adds, under their names; no cluster is an empty text."""

    bootstrap_server: str
    command_config: Path | None
    timeout: float
    opa: "OpaOptions"
    cluster: str | None
    principal: str | None
    enforcement_point: str
    validate_only: bool
    output: Literal["text", "json"]
    state: Literal["collected", "replicated"] = "collected"

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> "ChangeOptions":
        """Return the options that `add_change_options` has added to a command."""
        return cls(**{name: options[name] for name in cls.__dataclass_fields__ if name in options})


_CLUSTER = click.option(
    "--bootstrap-server", required=True, metavar="HOST:PORT", help="Broker to connect to; several with commas."
)
_CLUSTER_IF_ANY = click.option(
    "--bootstrap-server",
    default="",
    metavar="HOST:PORT",
    help="Broker to connect to; several with commas. It can be left out with --service where there are no quotas.",
)
_OPTIONS = (
    click.option("--command-config", **COMMAND_CONFIG),
    click.option("--timeout", default=30.0, **REQUEST_TIMEOUT),
    with_opa,
    click.option("--cluster", metavar="NAME", help="Its name in the settings.  [default: Kafka's cluster id]"),
    click.option("--principal", metavar="TYPE:NAME", help="Who asks, such as User:alice."),
    click.option(
        "--enforcement-point",
        default="cli",
        show_default=True,
        metavar="NAME",
        help="Enforcement point, as the settings name it.",
    ),
    click.option("--validate-only", is_flag=True, help="Say what would happen; nothing does."),
    click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print."),
)

_STATE = click.option(
    "--state",
    type=Choice(["collected", "replicated"]),
    default="collected",
    show_default=True,
    help="Read the cluster's state for this request, or use what the OPA at --opa-url has of it.",
)

topic = click.option("--topic", "topics", required=True, multiple=True, metavar="NAME", help="Exact name; repeatable.")
"""The option that names topics."""


def define_topic_options(*, partitions: str, assignment: str, config: str) -> Callable[[_Command], _Command]:
    """Return what adds the options of a topic's partitions, their brokers and its configs, each with its help."""
    options = (
        click.option("--partitions", type=int, help=partitions),
        click.option("--replica-assignment", "assignment", metavar="1:2,2:3", help=assignment),
        click.option("--config", "configs", multiple=True, metavar="KEY=VALUE", help=config),
    )
    return lambda command: add_options(options, command)


def add_change_options(command: _Command) -> _Command:
    """Add the options of `ChangeOptions` to a command, after its own."""
    return add_options((_CLUSTER, *_OPTIONS, _STATE), command)


def add_offline_change_options(command: _Command) -> _Command:
    """As `add_change_options`, for a command that reads the cluster's state itself, where it needs a cluster."""
    return add_options((_CLUSTER_IF_ANY, *_OPTIONS), command)
