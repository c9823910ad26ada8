"""``warden decide``: the decision about one document."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.errors import ConfigurationError, InputError

if TYPE_CHECKING:
    from warden.opa.client import OpaClient

__all__ = ["command", "opened_opa", "verdict_lines"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
@click.option("--url", envvar="WARDEN_OPA_URL", show_envvar=True, help="An OPA that runs; default: one is started.")
@click.option("--token", envvar="WARDEN_OPA_QUERY_TOKEN", show_envvar=True, help="That OPA's query token.")
@click.option(
    "--settings",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="YAML laid over the shipped settings; only without --url.",
)
@click.option("--profile", metavar="NAME", help="Profile that lies between the two; only without --url.")
def command(
    file: Path, output: str, url: str | None, token: str | None, settings: Path | None, profile: str | None
) -> int:
    """Print the decision about the decision input in FILE ("-" for standard input).

    Exit status: 0 allowed, 1 denied, 2 nothing was decided.

    \b
    Examples:
      warden decide request.json
      warden decide --output json - < request.json
      warden decide --profile production request.json
      warden decide --url http://127.0.0.1:8181 request.json
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    document = _read(file)
    with opened_opa(url, token, settings, profile) as opa:
        decision = opa.decide(document)
    if output == "json":
        click.echo(json.dumps(decision, indent=2))
    else:
        click.echo("\n".join(verdict_lines(decision)))
    return EXIT_OK if decision["allowed"] is True else EXIT_DENIED


def _read(file: Path) -> Any:
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
        return json.loads(text)
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror}): name a file with a decision input") from error
    except ValueError as error:
        raise InputError(f"{file}: not JSON ({error}): write one decision input as JSON") from error


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
                    f"{option} is for an OPA that is started here, and --url names one that runs: leave one of them out"
                )
        with OpaClient(url, token=token) as client:
            yield client
        return
    with TemporaryDirectory(prefix="warden-") as directory:
        bundle = build_bundle(Path(directory, "bundle.tar.gz"), settings=settings, profile=profile)
        with LocalOpa(bundle) as opa, opa.client() as client:
            yield client


def verdict_lines(decision: Mapping[str, Any]) -> Iterator[str]:
    """A decision for a person: the verdict, then what speaks against it, each with its way out."""
    yield "allowed" if decision["allowed"] is True else f"denied: {decision['error']['name']}"
    for violation in decision["violations"]:
        waived = "" if violation["waiver"] is None else f" (waiver {violation['waiver']['id']})"
        yield f"  {violation['mode']} {violation['rule']} {violation['severity']}: {violation['message']}{waived}"
        yield f"    fix: {violation['fix']}"
    known = {f"{violation['rule']}: {violation['message']}" for violation in decision["violations"]}
    for message in decision["errors"]:
        if not any(message.startswith(line) for line in known):
            yield f"  {message}"
