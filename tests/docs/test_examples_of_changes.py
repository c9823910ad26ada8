"""Each row of the examples in `docs/explain/change.md` is what an OPA with the settings as shipped decides."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

Document = dict[str, Any]
_NAME: Final = "shop.orders.made"
_WHOLE: Final = {"retention.bytes": "1073741824", "min.insync.replicas": "2"}
_FULL: Final = 200_000


def _stored(
    partitions: int = 1, replicas: int = 3, *, labels: Mapping[str, str] | None = None, **over: str
) -> Document:
    configs = {**_WHOLE, **{name.replace("_", "."): value for name, value in over.items()}}
    return {
        "numPartitions": partitions,
        "replicationFactor": replicas,
        "replicasAssignments": {str(p): list(range(1, replicas + 1)) for p in range(partitions)},
        "configs": {name: value for name, value in configs.items() if value},
        "labels": dict(labels or {}),
        "internal": False,
        "markedForDeletion": False,
        "reassigning": {},
    }


def _state(topic: Document | None = None, replicas: int = 18, **broker: str) -> Document:
    configs = {name.replace("_", "."): value for name, value in broker.items()}
    brokers = {str(i): {"host": "b", "rack": f"r{i}", "configs": {}} for i in (1, 2, 3)}
    owned = {"topics": 1, "partitions": 1}
    return {
        "clusterSize": 3,
        "brokers": {**brokers, "1": {**brokers["1"], "configs": configs, "dynamicConfigs": configs}},
        "defaults": {},
        "topics": {_NAME: topic} if topic else {},
        "totals": {
            "topics": 1,
            "partitions": 6,
            "replicas": replicas,
            "byBroker": {},
            "byOwner": {},
            "byPrincipal": {"User:ANONYMOUS": owned},
        },
    }


def _set(name: str, value: str | None, *more: tuple[str, str]) -> Document:
    ops = [{"name": name, "op": "SET", "value": value} if value else {"name": name, "op": "DELETE"}]
    return {"configs": {"mode": "incremental", "ops": [*ops, *({"name": n, "op": "SET", "value": v} for n, v in more)]}}


def _move(replicas: int) -> Document:
    return {"reassignments": {"0": list(range(1, replicas + 1))}, "allowReplicationFactorChange": True}


def _topic(request: Document, topic: Document, replicas: int = 18) -> Document:
    return {
        "operation": "AlterTopic",
        "request": {"topic": _NAME, **request},
        "clusterState": _state(topic, replicas),
    }


def _broker(request: Document, **configs: str) -> Document:
    return {
        "operation": "AlterBroker",
        "request": {"broker": "1", **request},
        "clusterState": _state(None, 18, **configs),
    }


def _acl(name: str, host: str) -> Document:
    return {
        "resourceType": "TOPIC",
        "resourceName": name,
        "patternType": "LITERAL",
        "principal": "User:shop",
        "host": host,
        "operation": "READ",
        "permissionType": "ALLOW",
    }


def documents() -> Iterator[Document]:
    """One for each row, in the page's order."""
    short = _stored(retention_ms="1000")
    week = _set("retention.ms", "700000000")
    compacted = _stored(cleanup_policy="compact", segment_ms="600000", labels={"dataClass": "personal"})
    yield _topic(_set("max.message.bytes", "1000000"), _stored(1, 1, min_insync_replicas="1"))
    yield _topic(_move(2), _stored(1, 1))
    yield _topic(_move(1), _stored(1, 2, min_insync_replicas="1"))
    yield _topic(week, _stored(min_insync_replicas=""))
    yield _topic(_set("retention.ms", "100000"), short)
    yield _topic(_set("retention.ms", "500"), short)
    yield _topic(_set("retention.ms", "1000"), short)
    yield _topic(week, _stored(600))
    yield _topic({"numPartitions": 700}, _stored(600))
    yield _topic(_set("segment.ms", None), compacted)
    for before, after in (("internal", "personal"), ("personal", "internal")):
        topic = _stored(cleanup_policy="compact", labels={"dataClass": before})
        yield _topic({"labels": {"dataClass": after}}, topic)
    yield _topic(week, _stored(), _FULL + 1)
    yield _topic({"numPartitions": 2}, _stored(), _FULL + 1)
    yield _broker(_set("log.cleaner.threads", "2"))
    yield _broker(_set("leader.replication.throttled.rate", "1000000"))
    yield _broker(_set("auto.create.topics.enable", "true"), auto_create_topics_enable="false")
    yield _topic(_set("flush.ms", None), _stored(flush_ms="1", flush_messages="1"))
    yield _topic(_set("retention.ms", "100000", ("min.insync.replicas", "3")), short)
    yield {
        "operation": "CreateAcl",
        "request": {"acl": _acl(_NAME, "10.0.0.1")},
        "clusterState": {"acls": {"User:shop": [_acl("*", "*")]}},
    }


_ASIDE: Final = {"warn": "which warns", "dryrun": "in dry run"}


def _words(decision: Mapping[str, Any]) -> str:
    """A decision as the page's third column has it."""
    violations = decision["violations"]
    caused = {v["rule"]: v["effect"] for v in violations if v["cause"] == "caused"}
    denying = sorted(rule for rule, effect in caused.items() if effect == "deny")
    denying += [f"{v['rule']}, so before" for v in violations if (v["cause"], v["effect"]) == ("found", "deny")]
    parts = [f"denied by {', '.join(denying)}" if denying else "allowed"]
    found = [
        v["rule"] + (", better" if v["before"] != v["message"] else "")
        for v in violations
        if v["cause"] == "found" and v["effect"] != "deny"
    ]
    parts += [f"found {', '.join(dict.fromkeys(found))}"] if found else []
    parts += [f"caused {rule}, {_ASIDE[effect]}" for rule, effect in sorted(caused.items()) if effect in _ASIDE]
    parts += [f"waived {v['rule']}" for v in violations if v["effect"] == "waived"]
    refused = decision["error"] and decision["error"]["name"] != "POLICY_VIOLATION"
    return "; ".join([*parts, *(["Kafka refuses it too"] if refused else [])])


def _last_column(heading: str) -> list[str]:
    """Of the table below a heading of the page."""
    page = (CHECKOUT / "docs/explain/change.md").read_text(encoding="utf-8")
    lines = page.split(f"\n## {heading}\n")[1].split("\n## ")[0].splitlines()
    return [line.strip("| ").split(" | ")[-1] for line in lines if line.startswith("| ")][1:]


def test_each_row_is_what_is_decided(query_client: OpaClient) -> None:
    """In order, by the last column."""
    decisions = [query_client.decide({"cluster": "prod", **document}) for document in documents()]

    assert _last_column("Examples") == [_words(decision) for decision in decisions]


_MODULE: Final = """package site.rules.{name}

deny contains violation if {{
	input.labels.{name} == "yes"
	{reads}
	said := {{"rule": "{rule}", "severity": "high", "message": {message}}}
	violation := object.union(said, {{"fix": "", "path": [], "patch": [], {more}}})
}}
"""
_FEW: Final = "some p, replicas in input.requested.replicasAssignments; few := 3 - count(replicas); few > 0"
_SITE: Final = {
    "one": ("ACME-1", 'input.requested.configs["segment.ms"] != "1"', '"m"', ""),
    "every": ("ACME-2", "count(input) > 0", '"m"', ""),
    "each": ("ACME-3", _FEW, '$"partition {p}"', '"order": few'),
}
_ID: Final = "KFK-DUR-001"
_SETTINGS: Final[Document] = {
    "clusters": [{"match": {"name": "warns"}, "rules": {_ID: {"mode": "warn"}}}],
    "enforcementPoints": {"ci": {_ID: {"found": "deny"}}},
    "waivers": [
        {"id": "w", "rule": _ID, "owner": "o", "reason": "r", "expires": "2099-01-01", "cluster": "waives"},
    ],
}


def _of_other_settings() -> Iterator[Document]:
    single, week = _stored(1, 1, min_insync_replicas="1"), _set("retention.ms", "700000000")
    unrelated = _topic(_set("max.message.bytes", "1000000"), single)
    yield {"enforcementPoint": "ci", **unrelated}
    yield {"cluster": "warns", **_topic(_move(1), _stored(1, 2, min_insync_replicas="1"))}
    yield {"cluster": "waives", **unrelated}
    yield _topic(week, _stored(labels={"one": "yes"}, segment_ms="600000"))
    yield _topic(_set("segment.ms", "86400000"), _stored(labels={"one": "yes"}, segment_ms="600000"))
    yield _topic(week, _stored(labels={"every": "yes"}))
    two = _stored(3, labels={"each": "yes"})
    two["replicasAssignments"] |= {"1": [1, 2], "2": [1, 2]}
    yield _topic({"reassignments": {"1": [1, 2, 3]}}, two)
    yield _topic({"reassignments": {"1": [1]}}, two)


def test_each_row_of_other_settings_is_what_is_decided(
    opa_binary: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """As above, by settings and rules of a site that the rows name; the build says which rule reads too much."""
    (tmp_path / "settings.yaml").write_text(json.dumps(_SETTINGS), encoding="utf-8")
    for name, (rule, reads, message, more) in _SITE.items():
        file = tmp_path / "site" / f"{name}.rego"
        file.parent.mkdir(exist_ok=True)
        file.write_text(_MODULE.format(name=name, rule=rule, reads=reads, message=message, more=more), encoding="utf-8")
    bundle = build_bundle(
        tmp_path / "bundle.tar.gz", settings=tmp_path / "settings.yaml", site=[tmp_path / "site"], opa=opa_binary
    )
    with LocalOpa(bundle, opa=opa_binary) as opa, opa.build_client() as client:
        decisions = [client.decide({"cluster": "prod", **document}) for document in _of_other_settings()]

    assert _last_column("Examples of other settings") == [_words(decision) for decision in decisions]
    assert "warden: site.rules.every reads all of `input`" in capfd.readouterr().err
