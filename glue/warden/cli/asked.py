"""The OPA that a command asks: one that runs or one that is started for it, and the options that say which."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

import click

from warden.cli.completion import PROFILE
from warden.errors import ConfigurationError

if TYPE_CHECKING:
    from warden.opa.client import OpaClient

__all__ = ["added", "at_opa", "opa_option", "opened_opa", "with_policy"]

_Command = TypeVar("_Command", bound=Callable[..., Any])


class _OpaOption(click.Option):
    """``--opa-url``, which was called ``--url`` and still may be; and the same of its environment variable."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        shown = self.opts
        self.opts = [*shown, f"--{self.name}"]
        super().add_to_parser(parser, ctx)
        self.opts = shown

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        own = f"{ctx.auto_envvar_prefix}_OPA_{str(self.name).upper()}"
        return super().resolve_envvar_value(ctx) or os.environ.get(own) or None


def opa_option(name: str, **attributes: Any) -> Callable[[_Command], _Command]:
    """Return what adds ``--opa-<name>``, the same for all commands, as the parameter `name`.

    Args:
        name: ``url`` or ``token``.
        attributes: As of `click.option`.
    """
    return click.option(f"--opa-{name}", name, cls=_OpaOption, show_envvar=True, **attributes)


_AT_OPA = (
    opa_option("url", envvar="WARDEN_OPA_URL", help="An OPA that runs; default: one is started."),
    opa_option("token", envvar="WARDEN_OPA_QUERY_TOKEN", help="That OPA's query token."),
)
_WITH_POLICY = (
    click.option(
        "--settings",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="YAML laid over the shipped settings; only without --opa-url.",
    ),
    click.option(
        "--profile", type=PROFILE, metavar="NAME", help="Profile that lies between the two; only without --opa-url."
    ),
)


def added(options: Sequence[Callable[[_Command], _Command]], command: _Command) -> _Command:
    """Add options to a command, the first of them at the head of its help."""
    for option in reversed(options):
        command = option(command)
    return command


def at_opa(command: _Command) -> _Command:
    """Add ``--opa-url`` and ``--opa-token``: an OPA that runs."""
    return added(_AT_OPA, command)


def with_policy(command: _Command) -> _Command:
    """Add ``--settings`` and ``--profile``: what one that is started decides by."""
    return added(_WITH_POLICY, command)


@contextmanager
def opened_opa(
    url: str | None, token: str | None, settings: Path | None, profile: str | None = None
) -> Iterator["OpaClient"]:
    """Yield a client of the OPA at `url`, or of one started for the occasion.

    Args:
        url: Its address; None to start one.
        token: Its query token.
        settings: YAML laid over the shipped settings of the one that is started.
        profile: Profile that lies between the two.

    Raises:
        ConfigurationError: Settings or a profile were given for an OPA that runs.
        WardenError: None can be started.
    """
    from warden.bundle.build import build_bundle
    from warden.opa.client import OpaClient
    from warden.opa.server import LocalOpa

    if url:
        for option, value in (("--settings", settings), ("--profile", profile)):
            if value is not None:
                raise ConfigurationError(
                    f"{option} is for an OPA that is started here, and --opa-url names one that runs: leave out one"
                )
        with OpaClient(url, token=token) as client:
            yield client
        return
    with TemporaryDirectory(prefix="warden-") as directory:
        bundle = build_bundle(Path(directory, "bundle.tar.gz"), settings=settings, profile=profile)
        with LocalOpa(bundle) as opa, opa.client() as client:
            yield client
