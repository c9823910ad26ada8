"""``warden lint-config``: check the lists in a configuration file as Kafka would read them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.completion import COMPONENT
from warden.cli.opa_options import with_running_opa

if TYPE_CHECKING:
    from warden.opa.session import OpaOptions

__all__ = ["command"]


@click.command()
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE…")
@click.option(
    "--component",
    type=COMPONENT,
    required=True,
    metavar="NAME",
    help="Whose file it is: broker, producer, consumer, admin, streams, connect (a worker), connector, mirror-maker, …",
)
@click.option(
    "--mode",
    type=click.Choice(["parse", "validate"]),
    help="As Kafka reads it at start, or as Connect's REST API validates it.  [default: validate for a connector]",
)
@with_running_opa
@click.option(
    "--output",
    type=click.Choice(["text", "json", "sarif", "junit", "github"]),
    default="text",
    show_default=True,
    help="What to print.",
)
def command(files: tuple[Path, ...], component: str, mode: str | None, opa: "OpaOptions", output: str) -> int:
    """Evaluate the list-typed configurations (KIP-1161) in each FILE, with Kafka's own words and the lines at fault.

    A file that ends in .json is a connector or worker in JSON, {name: value} or Connect's {name, config}; any other is
    read as properties. Keys behind prefixes count too: listener.name.*, producer.*, transforms.*, a->b.*.

    Exit status: 0 nothing that Kafka refuses, 1 errors found, 2 nothing was decided.

    \b
    Examples:
      warden lint-config --component broker config/server.properties
      warden lint-config --component connector --output github connectors/*.json
      warden lint-config --component mirror-maker --output sarif mm2.properties > lint.sarif
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.analysis.lists.check import check
    from warden.analysis.lists.documents import read
    from warden.opa.session import open_session
    from warden.report.lists import FORMATS

    documents = [read(file) for file in files]
    chosen_mode = mode or ("validate" if component == "connector" else "parse")
    with open_session(opa) as session, session.client() as client:
        findings = [finding for document in documents for finding in check(client, document, component, chosen_mode)]
    click.echo(FORMATS[output](files, findings))
    return EXIT_DENIED if any(finding.level == "error" for finding in findings) else EXIT_OK
