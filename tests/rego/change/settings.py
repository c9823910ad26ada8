"""Random settings and rules of a site, for what has to hold of changes whatever they are."""

import json
from pathlib import Path
from random import Random
from typing import Any, Final

import yaml

from warden.base.resources import find_shipped
from warden.policy.bundle.build import Bundle, build_bundle

__all__ = ["ALL", "CLUSTERS", "STATES", "build", "shipped_rules"]

ALL: Final = "all"
"""The cluster for which every rule denies."""
STATES: Final = "states"
"""The cluster for which every rule denies that is about what is there, and not about how it is altered."""
_ABOUT_ALTERATIONS: Final = ("KFK-CHG-", "KFK-BRK-004")
_MIXED: Final = 4
CLUSTERS: Final = (ALL, *(f"mixed-{i}" for i in range(_MIXED)))
"""Clusters of random changes: for all but the first some rules warn, are off, or are lenient about what is found."""

# Of rules that say nothing with the parameters that ship.
_PARAMS: Final[dict[str, dict[str, Any]]] = {
    "KFK-RET-003": {"byClass": {"*": 86_400_000}},
    "KFK-RET-004": {"byTier": {"*": 604_800_000}},
    "KFK-DUR-003": {"requireExplicit": True},
    "KFK-MSG-002": {"allowed": ["zstd"]},
    "KFK-SIZ-001": {"min": 2, "max": 4},
    "KFK-CMP-003": {"classes": ["internal", "personal"]},
}
# Of rules about what hangs on the day, on who asks or on a site's own names: they deny any change, or none.
_OFF: Final = {"KFK-CHG-008": {"mode": "disabled"}}

# Rules of a site, by their names: where each is broken.
_SITE: Final = {
    "partitions": "input.requested.numPartitions > 2",
    "replicas": "input.requested.replicationFactor < 3",
    "override": 'input.requested.configs["segment.ms"] != "1"',
    "value": 'input.effective.values["retention.ms"] < 604800000',
    "no_override": 'not input.requested.configs["retention.bytes"]',
    "two": 'input.effective.values["segment.ms"] > input.effective.values["flush.ms"]',
    "labelled": 'input.labels.owner == "shop"; input.requested.numPartitions > 0',
    "every_value": 'input.labels.tier == "gold"; count(input.effective.values) > 0',
    "broker": 'input.broker == "1"; not input.requested.configs["max.connections"]',
}
# What rules that are drawn read: numbers, which are there or not, and texts.
_NUMBERS: Final = (
    "requested.numPartitions",
    "requested.replicationFactor",
    'effective.values["retention.ms"]',
    'effective.values["segment.ms"]',
    'effective.values["min.insync.replicas"]',
    'effective.values["max.message.bytes"]',
    'requested.values["log.cleaner.threads"]',
    'requested.values["message.max.bytes"]',
)
_TEXTS: Final = ("retention.ms", "cleanup.policy", "compression.type", "log.retention.ms", "max.connections")
_DRAWN: Final = 6

_MODULE: Final = """package site.rules.{name}

deny contains violation if {{
	input.operation in {{"AlterTopic", "AlterBroker"}}
	{condition}
	violation := {{"rule": "SITE-{name}", "severity": "high", "message": "m", "fix": "", "path": [], "patch": []}}
}}
"""


def shipped_rules() -> dict[str, Any]:
    """Return the rules of the settings that ship."""
    rules: dict[str, Any] = yaml.safe_load((find_shipped("bundle") / "settings" / "data.yaml").read_text("utf-8"))[
        "rules"
    ]
    return {id: row for id, row in rules.items() if not id.startswith("KFK-PLC-")}


def build(directory: Path, chance: Random, opa: Path) -> Bundle:
    """Return a bundle with random settings and the rules of a site.

    Args:
        directory: Where it is written.
        chance: What the settings are drawn from.
        opa: The OPA binary.
    """
    rules = {id: {"mode": "deny", "params": _PARAMS.get(id, {})} for id in shipped_rules()} | _OFF
    clusters = [{"match": {"name": name}, "rules": _mixed(chance, sorted(rules))} for name in CLUSTERS[1:]]
    off = {id: {"mode": "disabled"} for id in rules if id.startswith(_ABOUT_ALTERATIONS)}
    clusters.append({"match": {"name": STATES}, "rules": off})
    waivers = [
        {"id": f"w{i}", "rule": id, "owner": "o", "reason": "r", "expires": "2099-01-01", "cluster": "mixed-*"}
        for i, id in enumerate(chance.sample(sorted(rules), 5))
    ]
    settings = directory / "settings.yaml"
    settings.write_text(json.dumps({"rules": rules, "clusters": clusters, "waivers": waivers}), encoding="utf-8")
    site = directory / "site"
    for name, condition in {**_SITE, **{f"drawn_{i}": _drawn(chance) for i in range(_DRAWN)}}.items():
        file = site / "site" / f"{name}.rego"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_MODULE.format(name=name, condition=condition.replace("; ", "\n\t")), encoding="utf-8")
    return build_bundle(directory / "bundle.tar.gz", settings=settings, site=[site], opa=opa)


def _drawn(chance: Random) -> str:
    """A condition, or two, each a comparison of what rules see of a resource."""
    return "; ".join(_comparison(chance) for _ in range(chance.choice([1, 1, 2])))


def _comparison(chance: Random) -> str:
    path, other = chance.sample(_NUMBERS, 2)
    sign = chance.choice(["<", "<=", "!=", ">", ">="])
    text = chance.choice(_TEXTS)
    return chance.choice(
        [
            f"input.{path} {sign} {chance.choice([1, 2, 3, 1000, 3_600_000, 604_800_000])}",
            f"input.{path} {sign} input.{other}",
            f'input.requested.configs["{text}"]',
            f'not input.requested.configs["{text}"]; input.{path}',
        ]
    )


def _mixed(chance: Random, rules: list[str]) -> dict[str, Any]:
    """A third of the rules in another mode, another third with another effect of what is found."""
    found = {}
    for id in rules:
        kind = chance.randrange(3)
        if kind == 0:
            found[id] = {"mode": chance.choice(["warn", "dryrun", "disabled"])}
        elif kind == 1:
            found[id] = {"found": chance.choice(["dryrun", "warn"])}
    return found
