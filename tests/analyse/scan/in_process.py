"""A scan without Spark: its plan, requests, decisions and cache; rows are made here as plainly as can be."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.rego.rules.test_parts import parts
from warden.analyse.scan.audits import OPERATIONS, AuditedResource, iter_audits
from warden.analyse.scan.batches import DECISIONS, NAMES, Row
from warden.analyse.scan.evaluate import evaluate
from warden.analyse.scan.plan import PreparedScan, ScannedPartition
from warden.policy.opa.client import OpaClient
from warden.state.snapshot.directory import read_partition, read_without_topics
from warden.state.snapshot.layout import SnapshotPartition

__all__ = ["Cache", "Said", "documents", "of_decision", "of_rows", "scan"]

Cache = dict[tuple[str, str], dict[str, Any]]
"""Remembered decisions by the policy's context and the hash of the input."""

Resource = tuple[str, str, str]
"""Cluster, kind and name."""


@dataclass(frozen=True)
class Said:
    """What a decision comes to, however it was made.

    Args:
        status: ALLOW, DENY, or ERROR where nothing but the state's age or the input speaks against it.
        violations: Of each what is said about it, in order.
        reason: Why it is an ERROR.
    """

    status: str
    violations: tuple[str, ...]
    reason: str | None = None


def of_decision(decision: Mapping[str, Any]) -> Said:
    """What a whole decision says."""
    violations = decision["violations"]
    if decision["allowed"] or any(each["effect"] == "deny" for each in violations):
        return Said("ALLOW" if decision["allowed"] else "DENY", _texts(violations))
    return Said("ERROR", (), "; ".join(decision["errors"]))


def of_rows(rows: list[Mapping[str, Any]]) -> Said:
    """What the rows of a scan say of one resource, of which there is one for each of its parts."""
    statuses = {row["status"] for row in rows}
    status = next(status for status in ("ERROR", "DENY", "ALLOW") if status in statuses)
    reasons = [row["error"] for row in rows if row["error"] is not None]
    return Said(status, _texts([each for row in rows for each in row["violations"]]), reasons[0] if reasons else None)


def _texts(violations: list[Mapping[str, Any]]) -> tuple[str, ...]:
    fields = ("rule", "effect", "severity", "message", "fix")
    return tuple(
        sorted(
            json.dumps([each[name] for name in fields] + [[str(p) for p in each["path"]], bool(each["waiver"])])
            for each in violations
        )
    )


def documents(prepared: PreparedScan) -> dict[Resource, dict[str, Any]]:
    """The whole decision input of every resource of a snapshot."""
    found = {}
    for one in prepared.scanned:
        state = read_partition(one.partition)
        cluster = one.partition.cluster
        common = {"cluster": cluster, "enforcementPoint": "scan", "clusterState": state}
        common["now"] = f"{one.now:%Y-%m-%dT%H:%M:%SZ}"
        requests: dict[tuple[str, str], Any] = {("topic", name): {"topic": name} for name in state["topics"]}
        requests |= {
            (audit.kind, audit.resource): json.loads(audit.item)["request"] for audit in _audits(one, prepared)
        }
        for (kind, name), request in requests.items():
            found[cluster, kind, name] = {**common, "operation": OPERATIONS[kind], "request": request}
    return found


def scan(prepared: PreparedScan, client: OpaClient, cache: Cache) -> dict[Resource, Said]:
    """Evaluate a snapshot as a scan does: in parts where the policy allows it, and what is remembered not at all."""
    rows: dict[Resource, list[Row]] = {}
    for one in prepared.scanned:
        for resource, row in _rows(one, prepared):
            rows.setdefault(resource, []).append(row)
    context, remembers = prepared.policy.context, not prepared.policy.uncacheable_reasons
    known = {key: row for (policy, key), row in cache.items() if policy == context} if remembers else {}
    new = {row.key: row for each in rows.values() for row in each if row.key not in known}
    ordered = sorted(new.values(), key=lambda row: (row.path, row.common))
    fresh = {row["hash"]: row for batch in evaluate(ordered, prepared.job, client.post_raw) for row in batch}
    assert new.keys() == fresh.keys()
    if remembers:
        cache.update({(context, key): row for key, row in fresh.items() if row["status"] != "ERROR"})
    decided = {**known, **fresh}
    return {resource: of_rows([decided[row.key] for row in each]) for resource, each in rows.items()}


def _rows(one: ScannedPartition, prepared: PreparedScan) -> Iterator[tuple[Resource, Row]]:
    state = read_partition(one.partition)
    cluster = one.partition.cluster
    clashes = dict(one.names)
    for name, topic in state["topics"].items():
        metric = name.replace(".", "_")
        clash = {"namesByMetric": {metric: clashes[metric]}} if metric in clashes else {}
        items = (
            _parts(name, topic, clash, prepared)
            if prepared.audit_part_plan
            else [_whole(name, topic, clash, one.clusters)]
        )
        for path, item in items:
            yield (cluster, "topic", name), _row(one.topic_input.id, item, path)
    for audit in _audits(one, prepared):
        there = audit.topic is None or audit.topic in state["topics"]
        item = audit.item if there else audit.item_without_topic
        yield (cluster, audit.kind, audit.resource), _row(audit.common, json.loads(item or ""), DECISIONS)


def _audits(one: ScannedPartition, prepared: PreparedScan) -> Iterator[AuditedResource]:
    own = {operation: reads.own for operation, reads in prepared.policy.dependencies.items()}
    common = {kind: shared.id for kind, shared in one.other_inputs.items()}
    return iter_audits(read_without_topics(one.partition), common, own)


def _row(common: str, item: Any, path: str) -> Row:
    text = json.dumps(item, separators=(",", ":"))
    return Row(common, hashlib.sha256(f"{common}\n{path}\n{text}".encode()).hexdigest(), text, path)


def _whole(name: str, topic: Any, clash: Any, clusters: Any) -> tuple[str, Any]:
    item = {"request": {"topic": name}, "clusterState": {"topics": {name: topic}, **clash}}
    if clusters:
        item["clusters"] = {
            part.cluster: {"topics": {name: topics[name]}} for part in clusters if name in (topics := _topics(part))
        }
    return DECISIONS, item


def _topics(part: SnapshotPartition) -> dict[str, Any]:
    topics: dict[str, Any] = read_partition(part)["topics"]
    return topics


def _parts(name: str, topic: Any, clash: Any, prepared: PreparedScan) -> Iterator[tuple[str, Any]]:
    document = {"request": {"topic": name}, "clusterState": {"topics": {name: topic}}}
    assert prepared.audit_part_plan
    for operation, part in parts(document, dict(prepared.audit_part_plan)).items():
        if operation != "AuditTopicName":
            yield DECISIONS, {"operation": operation, "request": part["request"]}
        elif clash:
            yield DECISIONS, {"operation": operation, "request": part["request"], "clusterState": clash}
        else:
            yield NAMES, {name: topic["internal"]}
