"""``warden opa health`` and ``warden opa watch``: an OPA that hangs is found, and started again."""

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.opa_options import add_options
from warden.commands.shared.place_option import LocalPath

if TYPE_CHECKING:
    from warden.policy.opa.health import HealthCheck

__all__ = ["OPA_URL", "health", "watch"]

OPA_URL: Final[Mapping[str, Any]] = {
    "default": "http://127.0.0.1:8181",
    "show_default": True,
    "envvar": "WARDEN_OPA_URL",
    "show_envvar": True,
    "help": "Its address.",
}
"""Attributes of ``--opa-url`` of a command that is about one OPA."""

_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--opa-url", **OPA_URL),
    click.option(
        "--ca-file",
        type=LocalPath(path_type=Path, exists=True, dir_okay=False),
        help="Certificates to trust for https, as PEM; default: the system's.",
    ),
    click.option("--query-token", envvar="WARDEN_OPA_QUERY_TOKEN", show_envvar=True, help="For the decision."),
    click.option("--replicator-token", envvar="WARDEN_OPA_REPLICATOR_TOKEN", show_envvar=True, help="For the write."),
    click.option(
        "--deadline",
        type=click.FloatRange(0.1),
        default=5.0,
        show_default=True,
        metavar="SECONDS",
        help="For decision and write together.",
    ),
)


def _with_check(command: Callable[..., Any]) -> Any:
    """Add the options above to a command; it gets them as ``check``."""

    @wraps(command)
    def call(
        *arguments: Any,
        opa_url: str,
        ca_file: Path | None,
        query_token: str | None,
        replicator_token: str | None,
        deadline: float,
        **others: Any,
    ) -> Any:
        from warden.policy.opa.health import HealthCheck

        check = HealthCheck(opa_url, query_token, replicator_token, ca_file, deadline)
        return command(*arguments, check=check, **others)

    return add_options(_OPTIONS, call)


@click.command()
@_with_check
@click.option("--alive", is_flag=True, help="Only whether OPA answers: 0 too where it refuses, or has no bundle yet.")
def health(check: "HealthCheck", alive: bool) -> int:
    """Say whether OPA decides and takes writes: by one decision, and a write that changes nothing.

    An OPA whose store is locked goes on listening and answers nothing; only a write shows the lock. Without a token
    that may write the lock is seen as soon as somebody else's write waits for it.
    Exit status: 0 it does, 1 it does not within --deadline, or not with these tokens.

    \b
    Examples:
      warden opa health
      warden opa health --opa-url https://localhost:8181 --ca-file ca.crt --alive
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    state = check()
    if state.problem:
        click.echo(state.problem, err=True)
    return EXIT_OK if state.answers and (alive or not state.problem) else EXIT_DENIED


@click.command()
@_with_check
@click.option(
    "--patience",
    type=click.FloatRange(1.0),
    default=15.0,
    show_default=True,
    metavar="SECONDS",
    help="How long OPA may be without an answer; four times as long after it was started.",
)
@click.argument("program", nargs=-1, required=True, metavar="PROGRAM...")
def watch(check: "HealthCheck", patience: float, program: tuple[str, ...]) -> int:
    """Run an OPA in the foreground, and start it again where it hangs.

    PROGRAM and its arguments stand after --. OPA is checked every two seconds as by warden opa health --alive; where
    it has given no answer for --patience it is killed and started again. An OPA that ends by itself ends this too, with
    its exit status. systemd hears of each answer (Type=notify, WatchdogSec).

    \b
    Examples:
      warden opa watch -- opa run --server --config-file opa-config.yaml --addr 127.0.0.1:8181
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    import signal

    from warden.policy.opa.health import RestartDeadline
    from warden.policy.opa.watch import watch_opa

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return watch_opa(program, check, RestartDeadline(patience, 4 * patience))
    except KeyboardInterrupt:
        return EXIT_OK
