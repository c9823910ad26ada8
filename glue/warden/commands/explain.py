"""``warden explain``: why a decision is what it is."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.analyse.check.model import UNNAMED
from warden.base.errors import ConfigurationError, OpaError
from warden.commands import EXIT_OK
from warden.commands.choice import Choice
from warden.commands.decision_text import iter_decision_lines
from warden.commands.opa_options import with_opa
from warden.commands.options import argument, option, with_options
from warden.commands.unknown_clusters import print_unknown_clusters

if TYPE_CHECKING:
    from warden.policy.bundle.effective_rules import RuleInForce
    from warden.policy.opa.client import OpaClient
    from warden.policy.opa.session import OpaOptions

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
        "--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print."
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
    from warden.analyse.check.inputs import iter_inputs
    from warden.policy.opa.session import open_session

    if options.trace and opa.urls:
        raise ConfigurationError("--trace is of an OPA that is started here: leave out --opa-url, or --trace")
    inputs = list(
        iter_inputs(options.file, {"cluster": options.cluster, "enforcementPoint": options.enforcement_point})
    )
    with open_session(opa) as session, session.client() as client:
        print_unknown_clusters(client, [document["cluster"] for _, document in inputs])
        explained = []
        for place, document in inputs:
            where = {"cluster": document["cluster"], "enforcementPoint": document.get("enforcementPoint", "")}
            applicable = client.evaluate("kafka/applicable_rules", where).get(document["operation"], [])
            explained.append(_build_explanation(place, document, client.decide(document), applicable))
            explained[-1]["leftOut"] = _list_left_out(client, where, document["operation"], applicable)
    in_force = cache(lambda cluster, point: _in_force(opa, cluster, point))  # OPA starts once a place
    for one in explained:
        rules = {} if opa.urls else in_force(one["input"]["cluster"], one["input"].get("enforcementPoint", ""))
        one["rules"] = {id: _rule(id, one, rules.get(id)) for id in sorted({*one.pop("applicable"), *one["broken"]})}
        one["leftOut"] = {id: rules[id].origins.get("mode", "") if id in rules else "" for id in one["leftOut"]}
    if options.output == "json":
        click.echo(json.dumps(explained, indent=2, default=str))
    else:
        click.echo("\n\n".join("\n".join(_lines(one)) for one in explained))
    if options.trace:
        for trace in _traces(opa, [document for _, document in inputs]):
            click.echo(trace)
    return EXIT_OK


def _build_explanation(
    place: str, document: Mapping[str, Any], decision: Mapping[str, Any], rules: Any
) -> dict[str, Any]:
    broken = {violation["rule"] for violation in decision["violations"]}
    return {"place": place, "input": document, "decision": decision, "applicable": rules, "broken": sorted(broken)}


def _in_force(opa: "OpaOptions", cluster: str, point: str) -> "dict[str, RuleInForce]":
    from warden.base.resources import share
    from warden.base.toolchain.opa import find_opa
    from warden.policy.bundle.effective_rules import rules_in_force
    from warden.policy.bundle.layers import read_layers

    layers = read_layers(opa.settings, opa.profile)
    return rules_in_force(find_opa(), share("policies"), layers, cluster=cluster, enforcement_point=point)


def _list_left_out(
    client: "OpaClient", where: Mapping[str, str], operation: str, applicable: Iterable[str]
) -> list[str]:
    """The rules that only this enforcement point leaves out; none where the caller may not state another."""
    with suppress(OpaError):
        everywhere = client.evaluate("kafka/applicable_rules", {**where, "enforcementPoint": ""})
        return sorted({*everywhere.get(operation, [])} - {*applicable})
    return []


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
    yield from iter_decision_lines(one["decision"], dryrun=True)
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
    for id, origin in one["leftOut"].items():
        yield f"left out at the enforcement point {point}: {id}  {origin}".rstrip()
    passed = [id for id, rule in one["rules"].items() if rule["result"] == "passed"]
    yield f"passed {len(passed)} of {len(one['rules'])}: {' '.join(passed)}"


def _traces(opa: "OpaOptions", documents: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    from tempfile import TemporaryDirectory

    from warden.base.toolchain.opa import find_opa
    from warden.policy.bundle.build import build_bundle
    from warden.policy.bundle.opa import opa_run

    with TemporaryDirectory(prefix="warden-") as directory:
        path = Path(directory) / "bundle.tar.gz"
        build_bundle(path, settings=opa.settings, profile=opa.profile, site=opa.site)
        arguments = ("--explain", "full", "--format", "pretty", "--stdin-input", "--bundle", str(path))
        for document in documents:
            yield opa_run(find_opa(), "eval", *arguments, "data.kafka.decision", stdin=json.dumps(document))
