"""``warden gateway explain``: why a request was denied."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warden.base.errors import ConfigurationError
from warden.commands import EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.options import argument, option, with_options
from warden.commands.shared.place_option import LocalPath

if TYPE_CHECKING:
    from warden.enforce.gateway.log.log_filter import LogLine, LogQuery

__all__ = ["GatewayExplainOptions", "command"]


@dataclass(frozen=True, kw_only=True)
class GatewayExplainOptions:
    """What is sought, and where."""

    decision_id: str | None = argument(required=False)
    cluster: str | None = option(
        "--cluster", help="Cluster of the request, with --correlation-id in place of a decision id."
    )
    correlation_id: int | None = option(
        "--correlation-id", type=int, metavar="NUMBER", help="The client's number of the request."
    )
    client_id: str | None = option(
        "--client-id", metavar="ID", help="What the client calls itself, where several have used the number."
    )
    trace: str | None = option("--trace", metavar="ID", help="Id of the request's trace, 32 hexadecimal digits.")
    topic: str | None = option("--topic", metavar="NAME", help="Name of the topic, or of another resource.")
    principal: str | None = option("--principal", metavar="TYPE:NAME", help="Who made the request.")
    rule: str | None = option("--rule", metavar="ID", help="A rule that was broken.")
    since: str | None = option("--since", metavar="SPAN", help="The last 15m, 1h or 2d, or a time in RFC 3339.")
    logs: tuple[Path, ...] = option(
        "--log",
        multiple=True,
        required=True,
        type=LocalPath(path_type=Path, exists=True, dir_okay=False),
        help="Log of a gateway, or decision log of an OPA: JSON lines. May be given several times.",
    )
    output: str = option(
        "--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print."
    )


@click.command()
@with_options(GatewayExplainOptions)
def command(options: GatewayExplainOptions) -> int:
    """Tell what became of a request, and why, from the logs of gateways and of OPA.

    What a client shows is the name of its topic: --topic, --principal, --rule and --since find all that was decided
    about it, in a gateway's log or in the decision log of any enforcement point's OPA.

    Some of Kafka's responses have no place for a message (DeleteRecords, OffsetDelete, old versions of DeleteTopics):
    their clients see a code alone, and number their requests. What OPA decided is shown where its decision log is
    given as well.

    \b
    Examples:
      warden gateway explain --topic shop.orders --since 1h --log gateway.log --log opa.log
      warden gateway explain 4ca636c1-55e4-417a-b1d8-4aceb67960d1 --log gateway.log --log opa.log
      warden gateway explain --trace 4bf92f3577b34da6a3ce929d0e0e4736 --log gateway.log --log opa.log
      warden gateway explain --cluster prod-eu --correlation-id 5 --client-id admin-1 --log gateway.log
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.enforce.gateway.log.log_filter import LogQuery, parse_since

    time = None if options.since is None else parse_since(options.since, datetime.now(UTC))
    wanted = LogQuery(topic=options.topic, principal=options.principal, rule=options.rule, since=time)
    of_one = (options.decision_id, options.cluster, options.correlation_id, options.client_id, options.trace)
    if wanted and any(value is not None for value in of_one):
        raise click.UsageError("Give a decision id or a request, or what both are about, such as --topic.")
    requests, decisions = _select_by_filter(wanted, options.logs) if wanted else _select_by_request(options)
    if options.output == "json":
        click.echo(json.dumps({"requests": requests, "decisions": decisions}, indent=2))
        return EXIT_OK
    from warden.enforce.gateway.log.explanation import iter_text_lines
    from warden.enforce.gateway.log.log_filter import format_decisions

    if isinstance(decisions, list):
        _print_lines([*iter_text_lines(requests, {}), *format_decisions(decisions)])
    else:
        _print_lines(iter_text_lines(requests, decisions))
    return EXIT_OK


def _print_lines(lines: Iterable[str]) -> None:
    """Print each as one line of visible characters: what clients call things is theirs to choose."""
    from warden.analyse.report.json_stream import escape_invisible

    for line in lines:
        click.echo(escape_invisible(line.translate({ord("\n"): "\ufffd", ord("\t"): "\ufffd"})))


def _select_by_request(options: GatewayExplainOptions) -> "tuple[list[LogLine], dict[str, LogLine]]":
    from warden.enforce.gateway.log.explanation import ExplainQuery, select_decisions, select_requests

    decision, number, trace = options.decision_id, options.correlation_id, options.trace
    count = sum(value is not None for value in (decision, number, trace))
    if count != 1 or (number is None) != (options.cluster is None):
        raise click.UsageError(
            "Give a decision id, or --cluster and --correlation-id, or --trace, or --topic and the like."
        )
    sought = ExplainQuery(decision, options.cluster, number, options.client_id, trace)
    requests = select_requests(_iter_lines(options.logs), sought)
    ids = {id_ for request in requests for id_ in request.get("decisionIds", ())} | {decision or ""}
    decisions = select_decisions(_iter_lines(options.logs), ids)
    if not requests and not decisions:
        what = f"decision {decision}" if decision else f"request {number} to {options.cluster}"
        what = f"trace {trace}" if trace else what
        raise ConfigurationError(f"no line is about {what}: give the logs of all gateways and OPAs of that time")
    return requests, decisions


def _select_by_filter(wanted: "LogQuery", logs: tuple[Path, ...]) -> "tuple[list[LogLine], list[LogLine]]":
    from warden.enforce.gateway.log.explanation import iter_log_lines
    from warden.enforce.gateway.log.log_filter import filter_decisions, filter_requests

    requests = filter_requests(iter_log_lines(_iter_lines(logs)), wanted)
    decided = filter_decisions(iter_log_lines(_iter_lines(logs)), wanted)
    if not requests and not decided:
        what = wanted.describe()
        raise ConfigurationError(f"no line is about {what}: give the logs of all gateways and OPAs of that time")
    return requests, decided


def _iter_lines(files: tuple[Path, ...]) -> Iterator[str]:
    for file in files:
        with file.open(encoding="utf-8", errors="replace") as content:
            yield from content
