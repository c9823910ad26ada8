"""``warden decide``: the decision about one document."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.base.files.json_files import parse_json, read_json
from warden.base.files.standard_input import STANDARD_INPUT, read_standard_input
from warden.commands import EXIT_DENIED, EXIT_ERROR, EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.opa_options import with_opa
from warden.commands.shared.place_option import LocalPath
from warden.commands.shared.unknown_clusters import print_unknown_clusters
from warden.policy.contract.decision_text import iter_decision_lines

if TYPE_CHECKING:
    from warden.policy.opa.session import OpaOptions

__all__ = ["command"]


@click.command()
@click.argument("file", type=LocalPath(path_type=Path, allow_dash=True))
@click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
@click.option("--dryrun", is_flag=True, help="Print what rules in dry run say too; JSON always has it.")
@with_opa
def command(file: Path, output: str, dryrun: bool, opa: "OpaOptions") -> int:
    """Print the decision about the decision input in FILE ("-" for standard input).

    Exit status: 0 allowed, 1 denied, 2 nothing was decided: the input cannot be read, or OPA does not answer.

    \b
    Examples:
      warden decide request.json
      warden decide --output json - < request.json
      warden decide --profile production request.json
      warden decide --opa-url http://127.0.0.1:8181 request.json
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.policy.opa.session import open_session

    document = _read(file)
    with open_session(opa) as session, session.build_client() as client:
        decision = client.decide(document)
        if isinstance(document, dict) and isinstance(name := document.get("cluster"), str):
            print_unknown_clusters(client, [name])
    if output == "json":
        click.echo(json.dumps(decision, indent=2))
    else:
        click.echo("\n".join(iter_decision_lines(decision, dryrun=dryrun)))
    if decision.get("invalidInput"):  # it denies, for whoever carries it out; but no rule was evaluated
        return EXIT_ERROR
    return EXIT_OK if decision["allowed"] is True else EXIT_DENIED


def _read(file: Path) -> Any:
    if str(file) == "-":
        return parse_json(read_standard_input(), STANDARD_INPUT, "a decision input")
    return read_json(file, "a decision input")
