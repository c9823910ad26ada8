"""``warden decide``: the decision about one document."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.asked import at_opa, opened_opa, with_policy
from warden.errors import InputError

__all__ = ["command", "verdict_lines"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
@at_opa
@with_policy
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
