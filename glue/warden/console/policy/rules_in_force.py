"""The rules as they hold for a cluster at an enforcement point, where each value comes from, and examples to try."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import yaml

from warden.analyse.report.rule_text import describe_rule
from warden.base.errors import InputError
from warden.base.files.yaml_files import read_yaml
from warden.base.resources import find_shipped
from warden.console.policy.pastes import Paste
from warden.console.policy.policy_trials import ServedPolicy
from warden.policy.bundle.metadata import has_words

__all__ = ["MODES", "POINTS", "RuleFilter", "build_example_paste", "list_rules"]

MODES: Final = ("deny", "warn", "dryrun", "disabled")
"""The modes of a rule, as the schema of settings has them."""

POINTS: Final = ("broker", "ci", "gateway", "scan", "service", "start", "webhook")
"""Warden's own enforcement points, as `kafka.unknown_enforcement_points` has them."""

_NOW: Final = "2026-11-21T10:00:00Z"  # of all examples: what they say of days is about that one


@dataclass(frozen=True, kw_only=True)
class RuleFilter:
    """Which rules to list, and for where.

    Args:
        cluster: The cluster.
        point: The enforcement point.
        words: What a rule's text has to have, in whatever case; empty for all.
        mode: The mode it has to have; empty for any.
        control: The control that it has to be about, ``SOC2 CC6.1``, or the framework, ``SOC2``; empty for any.
    """

    cluster: str
    point: str
    words: str = ""
    mode: str = ""
    control: str = ""


def list_rules(policy: ServedPolicy, wanted: RuleFilter) -> list[dict[str, Any]]:
    """Return the rules, by id, as JSON-ready values.

    Args:
        policy: The policy in force.
        wanted: Which, and where.

    Returns:
        For each what `describe_rule` says, with ``mode``, ``enforceFrom`` (empty for none), ``settings`` (rows of
        ``name``, ``value``, ``from`` and ``about``), ``examples`` (rows of ``id``, ``kind`` and ``title``) and
        ``controls`` (rows of ``framework``, ``control`` and ``title``).

    Raises:
        InputError: There is no such control.
        OpaError: OPA does not say which controls there are.
    """
    controls = policy.controls
    controls.check(wanted.control)
    rows = []
    for id, rule in policy.read_rules(wanted.cluster, wanted.point).items():
        metadata = policy.metadata.get(id, {})
        if wanted.mode not in ("", rule.mode) or not has_words({"id": id, **metadata}, wanted.words.split()):
            continue
        if not controls.is_rule_about(id, wanted.control):
            continue
        values = {"mode": rule.mode, "enforceFrom": rule.enforce_from, **rule.params}
        settings = [
            {
                "name": name,
                "value": values[name],
                "from": origin,
                "about": metadata.get("params", {}).get(name, {}).get("description", ""),
            }
            for name, origin in rule.origins.items()
        ]
        shown = {**describe_rule(id, metadata), "mode": rule.mode, "enforceFrom": rule.enforce_from}
        del shown["findings"], shown["params"]
        examples = list(_iter_examples(id, metadata))
        rows.append({**shown, "controls": controls.list_rule_controls(id), "settings": settings, "examples": examples})
    return rows


def build_example_paste(policy: ServedPolicy, id: str, cluster: str, point: str) -> Paste:
    """Return an example as a paste; a rule that is disabled there, or other parameters of it, come as settings.

    Args:
        policy: The policy in force.
        id: As `list_rules` has it.
        cluster: The cluster it is to be tried on; empty for none in particular.
        point: The enforcement point; empty for the usual one.

    Raises:
        InputError: There is no such example.
    """
    rule, _, rest = id.partition(".")
    kind, _, number = rest.partition(".")
    examples = _read_examples(policy.metadata.get(rule, {}).get("file", "")).get(kind, [])
    if not number.isascii() or not number.isdecimal() or len(number) > 3 or int(number) >= len(examples):
        raise InputError(f"there is no example {id[:80]}: the page of the rules has those that there are")
    example = examples[int(number)]
    document = {"now": _NOW, "clusterState": {}, **example["input"]}
    setting = {key: value for key, value in example.get("settings", {}).items() if key == "params"}
    in_force = policy.read_rules(cluster or document.get("cluster", ""), point or "ci").get(rule)
    if in_force is None or in_force.mode == "disabled":
        setting = {"mode": "deny", **setting}
    settings = yaml.safe_dump({"rules": {rule: setting}}, sort_keys=False) if setting else ""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    return Paste(text=text, form="input", cluster=cluster, point=point, settings=settings)


def _iter_examples(id: str, metadata: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for kind, examples in _read_examples(metadata.get("file", "")).items():
        for number, example in enumerate(examples):
            yield {"id": f"{id}.{kind}.{number}", "kind": kind, "title": example["title"]}


@cache
def _read_examples(file: str) -> Mapping[str, list[dict[str, Any]]]:
    """The examples beside a rule, ``bad`` and ``good``; none of a rule that has none."""
    rule = find_shipped("policies") / file
    path = rule.with_name(f"{rule.stem}_examples.yaml")
    if not file or not path.is_file():
        return {}
    document = read_yaml(path).value[rule.stem]
    return {kind: document.get(kind, []) for kind in ("bad", "good")}
