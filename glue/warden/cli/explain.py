"""``warden explain``: why a decision is what it is."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.cli import EXIT_OK
from warden.cli.decision_text import decision_lines
from warden.cli.opa_options import with_opa
from warden.cli.options import argument, option, with_options
from warden.cli.unknown_clusters import UNNAMED, point_out_unknown
from warden.errors import ConfigurationError

if TYPE_CHECKING:
    from warden.bundle.in_force import RuleInForce
    from warden.opa.session import OpaOptions

__all__ = ["ExplainOptions", "command"]


@dataclass(frozen=True, kw_only=True)
class ExplainOptions:
    """What to explain, and for where."""

    file: Path = argument(type=click.Path(path_type=Path, dir_okay=False))
    cluster: str = option(
        "--cluster", default=UNNAMED, show_default=True, metavar="NAME", help="Where the file names none."
    )
    enforcement_point: str = option(
        "--enforcement-point", default="ci", show_default=True, metavar="NAME", help="Where the file names none."
    )
    trace: bool = option("--trace", is_flag=True, help="Print OPA's trace of the evaluation too: it is long.")
    output: str = option(
        "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print."
    )


@click.command(short_help="Show which rules a decision rests on, and which settings.")
@with_options(ExplainOptions)
@with_opa
def command(options: ExplainOptions, opa: "OpaOptions") -> int:
    """Show why FILE is decided as it is: the rules evaluated, those broken, and which settings decided.

    FILE is a decision input in JSON, or what `warden check` reads. Each rule has its mode and parameters with the file
    and line they come from, each violation its waiver. Of an OPA at --opa-url the files are not known.

    \b
    Examples:
      warden explain request.json
      warden explain --settings settings.yaml --cluster prod-eu topics/orders.yaml
      warden explain --trace request.json > trace.txt
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.check.inputs import inputs_of
    from warden.opa.session import open_session

    if options.trace and opa.urls:
        raise ConfigurationError("--trace is of an OPA that is started here: leave out --opa-url, or --trace")
    inputs = list(inputs_of(options.file, {"cluster": options.cluster, "enforcementPoint": options.enforcement_point}))
    with open_session(opa) as session, session.client() as client:
        point_out_unknown(client, [document["cluster"] for _, document in inputs])
        explained = []
        for place, document in inputs:
            where = {"cluster": document["cluster"], "enforcementPoint": document.get("enforcementPoint", "")}
            applicable = client.evaluate("kafka/applicable_rules", where).get(document["operation"], [])
            explained.append(_explained(place, document, client.decide(document), applicable))
    in_force = cache(lambda cluster, point: _in_force(opa, cluster, point))  # OPA starts once a place
    for one in explained:
        rules = {} if opa.urls else in_force(one["input"]["cluster"], one["input"].get("enforcementPoint", ""))
        one["rules"] = {id: _rule(id, one, rules.get(id)) for id in sorted({*one.pop("applicable"), *one["broken"]})}
    if options.output == "json":
        click.echo(json.dumps(explained, indent=2, default=str))
    else:
        click.echo("\n\n".join("\n".join(_lines(one)) for one in explained))
    if options.trace:
        for trace in _traces(opa, [document for _, document in inputs]):
            click.echo(trace)
    return EXIT_OK


def _explained(place: str, document: Mapping[str, Any], decision: Mapping[str, Any], rules: Any) -> dict[str, Any]:
    broken = {violation["rule"] for violation in decision["violations"]}
    return {"place": place, "input": document, "decision": decision, "applicable": rules, "broken": sorted(broken)}


def _in_force(opa: "OpaOptions", cluster: str, point: str) -> "dict[str, RuleInForce]":
    from warden.bundle.in_force import rules_in_force
    from warden.cli.settings import layers_of
    from warden.resources import share
    from warden.toolchain.opa import find_opa

    layers = layers_of(opa.settings, opa.profile)
    return rules_in_force(find_opa(), share("policies"), layers, cluster=cluster, enforcement_point=point)


def _rule(id: str, one: Mapping[str, Any], rule: "RuleInForce | None") -> dict[str, Any]:
    left_out = {row["rule"]: row["unknown"] for row in one["decision"].get("notEvaluated", [])}
    evaluated = id not in left_out and "invalidInput" not in one["decision"]
    result = "broken" if id in one["broken"] else "passed" if evaluated else "not evaluated"
    shown: dict[str, Any] = {"result": result}
    if id in left_out:
        shown["unknown"] = left_out[id]
    if rule is not None:
        values = {"mode": rule.mode, "enforceFrom": rule.enforce_from, **rule.params}
        shown["settings"] = {name: {"value": values[name], "from": origin} for name, origin in rule.origins.items()}
    return shown


def _lines(one: Mapping[str, Any]) -> Iterator[str]:
    document = one["input"]
    point = document.get("enforcementPoint", "")
    yield f"{one['place']}: {document['operation']}, cluster {document['cluster']}, enforcement point {point or 'none'}"
    yield from decision_lines(one["decision"])
    for violation in one["decision"]["violations"]:
        if waiver := violation.get("waiver"):
            yield f"  waiver of {violation['rule']}: {json.dumps(waiver, ensure_ascii=False)}"
    for result in ("broken", "not evaluated"):
        for id, rule in one["rules"].items():
            if rule["result"] == result:
                yield f"{result} {id}" + (f" (reads {', '.join(rule['unknown'])})" if "unknown" in rule else "")
                yield from (
                    f"  {name} {json.dumps(each['value'], ensure_ascii=False)}  {each['from']}"
                    for name, each in rule.get("settings", {}).items()
                )
    passed = [id for id, rule in one["rules"].items() if rule["result"] == "passed"]
    yield f"passed {len(passed)} of {len(one['rules'])}: {' '.join(passed)}"


def _traces(opa: "OpaOptions", documents: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    from tempfile import TemporaryDirectory

    from warden.bundle.build import build_bundle
    from warden.bundle.opa import opa_run
    from warden.toolchain.opa import find_opa

    with TemporaryDirectory(prefix="warden-") as directory:
        path = Path(directory) / "bundle.tar.gz"
        build_bundle(path, settings=opa.settings, profile=opa.profile, site=opa.site)
        arguments = ("--explain", "full", "--format", "pretty", "--stdin-input", "--bundle", str(path))
        for document in documents:
            yield opa_run(find_opa(), "eval", *arguments, "data.kafka.decision", stdin=json.dumps(document))
