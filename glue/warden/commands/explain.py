"""``warden explain``: why a decision is what it is."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.analyse.check.model import UNNAMED
from warden.base.errors import ConfigurationError
from warden.commands import EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.opa_options import with_opa
from warden.commands.shared.options import argument, option, with_options
from warden.commands.shared.place_option import LocalPath
from warden.commands.shared.unknown_clusters import print_unknown_clusters

if TYPE_CHECKING:
    from warden.policy.bundle.effective_rules import RuleInForce
    from warden.policy.opa.session import OpaOptions

__all__ = ["ExplainOptions", "command"]


@dataclass(frozen=True, kw_only=True)
class ExplainOptions:
    """What to explain, and for where."""

    file: Path = argument(type=LocalPath(path_type=Path, dir_okay=False, allow_dash=True))
    cluster: str = option(
        "--cluster", default=UNNAMED, show_default=True, metavar="NAME", help="Where the file names none."
    )
    enforcement_point: str = option(
        "--enforcement-point", default="ci", show_default=True, metavar="NAME", help="Where the file names none."
    )
    trace: bool = option("--trace", is_flag=True, help="Print OPA's trace of the evaluation too: it is long.")
    output: str = option(
        "--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print."
    )


@click.command(short_help="Show which rules a decision rests on, and which settings.")
@with_options(ExplainOptions)
@with_opa
def command(options: ExplainOptions, opa: "OpaOptions") -> int:
    """Show why FILE is decided as it is: the rules evaluated, those broken, and which settings decided.

    FILE is a decision input in JSON, or what `warden check` reads; "-" is standard input. Each rule has its mode and
    parameters with the file and line they come from, each violation its waiver. Of an OPA at --opa-url the files are
    not known.

    \b
    Examples:
      warden explain request.json
      warden explain --settings settings.yaml --cluster prod-eu topics/orders.yaml
      warden explain --trace request.json > trace.txt
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.analyse.check.explanation import explain_decision, iter_explanation_lines
    from warden.analyse.check.inputs import iter_inputs
    from warden.policy.opa.session import open_session

    if options.trace and opa.urls:
        raise ConfigurationError("--trace is of an OPA that is started here: leave out --opa-url, or --trace")
    inputs = list(
        iter_inputs(options.file, {"cluster": options.cluster, "enforcementPoint": options.enforcement_point})
    )
    in_force = cache(lambda cluster, point: _read_rules_in_force(opa, cluster, point))  # OPA starts once a place
    with open_session(opa) as session, session.build_client() as client:
        print_unknown_clusters(client, [document["cluster"] for _, document in inputs])
        explained = []
        for place, document in inputs:
            rules = {} if opa.urls else in_force(document["cluster"], document.get("enforcementPoint", ""))
            explained.append(explain_decision(client, place, document, client.decide(document), rules))
    if options.output == "json":
        click.echo(json.dumps(explained, indent=2, default=str))
    else:
        click.echo("\n\n".join("\n".join(iter_explanation_lines(explanation)) for explanation in explained))
    if options.trace:
        for trace in _iter_traces(opa, [document for _, document in inputs]):
            click.echo(trace)
    return EXIT_OK


def _read_rules_in_force(opa: "OpaOptions", cluster: str, point: str) -> "dict[str, RuleInForce]":
    from warden.policy.bundle.effective_rules import read_rules_in_force
    from warden.policy.bundle.layers import read_layers

    return read_rules_in_force(read_layers(opa.settings, opa.profile), cluster=cluster, enforcement_point=point)


def _iter_traces(opa: "OpaOptions", documents: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    from tempfile import TemporaryDirectory

    from warden.base.toolchain.opa import find_opa
    from warden.policy.bundle.build import build_bundle
    from warden.policy.bundle.opa import run_opa

    with TemporaryDirectory(prefix="warden-") as directory:
        path = Path(directory) / "bundle.tar.gz"
        build_bundle(path, settings=opa.settings, profile=opa.profile, site=opa.site)
        arguments = ("--explain", "full", "--format", "pretty", "--stdin-input", "--bundle", str(path))
        for document in documents:
            yield run_opa(find_opa(), "eval", *arguments, "data.kafka.decision", stdin=json.dumps(document))
