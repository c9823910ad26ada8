"""``warden gateway explain``: why a request was denied."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from warden.cli import EXIT_OK
from warden.errors import ConfigurationError

__all__ = ["command"]


@click.command()
@click.argument("decision_id", required=False)
@click.option("--cluster", help="Cluster of the request, with --correlation-id in place of a decision id.")
@click.option("--correlation-id", type=int, metavar="NUMBER", help="The client's number of the request.")
@click.option("--client-id", metavar="ID", help="What the client calls itself, where several have used the number.")
@click.option(
    "--log",
    "logs",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Log of a gateway, or decision log of an OPA: JSON lines. May be given several times.",
)
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def command(
    decision_id: str | None,
    cluster: str | None,
    correlation_id: int | None,
    client_id: str | None,
    logs: tuple[Path, ...],
    output: str,
) -> int:
    """Tell what became of a request, and why, from the logs of gateways and of OPA.

    Some of Kafka's responses have no place for a message (DeleteRecords, old versions of DeleteTopics): their clients
    see a code alone, and number their requests. What OPA decided is shown where its decision log is given as well.

    \b
    Examples:
      warden gateway explain 4ca636c1-55e4-417a-b1d8-4aceb67960d1 --log gateway.log --log opa.log
      warden gateway explain --cluster prod-eu --correlation-id 5 --client-id admin-1 --log gateway.log
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.gateway.explanation import Sought, decisions_of, requests_of, text_lines

    if (decision_id is None) == (correlation_id is None) or (correlation_id is None) != (cluster is None):
        raise click.UsageError("Give a decision id, or --cluster and --correlation-id.")
    sought = Sought(decision_id, cluster, correlation_id, client_id)
    requests = requests_of(_lines(logs), sought)
    ids = {id_ for request in requests for id_ in request.get("decisionIds", ())} | {decision_id or ""}
    decisions = decisions_of(_lines(logs), ids)
    if not requests and not decisions:
        what = f"decision {decision_id}" if decision_id else f"request {correlation_id} to {cluster}"
        raise ConfigurationError(f"no line is about {what}: give the logs of all gateways and OPAs of that time")
    if output == "json":
        click.echo(json.dumps({"requests": requests, "decisions": decisions}, indent=2))
    else:
        click.echo("\n".join(text_lines(requests, decisions)))
    return EXIT_OK


def _lines(files: tuple[Path, ...]) -> Iterator[str]:
    for file in files:
        with file.open(encoding="utf-8", errors="replace") as content:
            yield from content
