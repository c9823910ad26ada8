"""Options that choose the OPA of a command: one that runs, or one started for it with a bundle of its own."""

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from warden.commands.shared.completion import PROFILE
from warden.commands.shared.options import MAX_ITEM_BYTES, OPA_CA_FILE, REVISION_FILE, SITE
from warden.commands.shared.place_option import LocalPath

__all__ = ["add_options", "with_opa", "with_running_opa"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPA = (
    click.option(
        "--opa-url", envvar="WARDEN_OPA_URL", show_envvar=True, help="An OPA that runs; default: one is started."
    ),
    click.option("--opa-token", envvar="WARDEN_OPA_QUERY_TOKEN", show_envvar=True, help="That OPA's query token."),
    click.option("--opa-ca-file", **OPA_CA_FILE),
    click.option(
        "--revision-file",
        **REVISION_FILE,
        help="File with the highest number of a bundle seen: of --opa-url, what an older one decides is refused.",
    ),
    click.option("--max-item-bytes", envvar="WARDEN_MAX_ITEM_BYTES", show_envvar=True, **MAX_ITEM_BYTES),
)
_POLICY = (
    click.option(
        "--settings",
        type=LocalPath(path_type=Path, exists=True, dir_okay=False),
        help="YAML laid over the shipped settings; only without --opa-url.",
    ),
    click.option(
        "--profile", type=PROFILE, metavar="NAME", help="Profile that lies between the two; only without --opa-url."
    ),
    click.option(
        "--site", type=SITE, multiple=True, help="Directory of your own rules; only without --opa-url; repeatable."
    ),
)


def add_options(options: Sequence[Callable[[_Command], _Command]], command: _Command) -> _Command:
    """Add options to a command, the first of them at the head of its help."""
    for option in reversed(options):
        command = option(command)
    return command


def with_running_opa(command: _Command) -> _Command:
    """Add ``--opa-url`` and its options; the command gets them as ``opa``, a `warden.policy.opa.session.OpaOptions`."""
    return add_options(_OPA, _gather_options(command))


def with_opa(command: _Command) -> _Command:
    """As `with_running_opa`, and what an OPA that is started decides by: ``--settings``, ``--profile``, ``--site``."""
    return add_options([*_OPA, *_POLICY], _gather_options(command))


def _gather_options(command: _Command) -> _Command:
    @wraps(command)
    def call(
        *arguments: Any,
        opa_url: str | None,
        opa_token: str | None,
        opa_ca_file: Path | None,
        revision_file: Path | None,
        max_item_bytes: int,
        settings: Path | None = None,
        profile: str | None = None,
        site: tuple[Path, ...] = (),
        **others: Any,
    ) -> Any:
        from warden.policy.opa.session import OpaOptions

        urls = (opa_url,) if opa_url else ()
        options = OpaOptions(
            urls,
            opa_token,
            settings,
            profile,
            site,
            revision_file=revision_file,
            max_item_bytes=max_item_bytes,
            ca_file=opa_ca_file,
        )
        return command(*arguments, opa=options, **others)

    return call  # type: ignore[return-value]  # click's values are not those of the command
