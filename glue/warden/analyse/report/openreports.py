"""OpenReports reports (openreports.io/v1alpha1, which replaces PolicyReport), as one List for `kubectl apply`.

One object holds at most a thousand results, so that etcd takes it; a cluster with more has several.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from warden.analyse.report.finished_run import ClusterCounts, Run
from warden.analyse.report.json_stream import iter_json_document
from warden.analyse.scan.decision_rows import ERROR
from warden.policy.contract.effect import format_message

__all__ = ["iter_openreports"]

_RESULTS = 1000
# A result that does not count is one that is not scored.
_KINDS = {"deny": ("fail", True), "warn": ("warn", True), "dryrun": ("warn", False), "waived": ("skip", False)}
_NAME = re.compile(r"[^a-z0-9-]+")


def iter_openreports(run: Run) -> Iterator[str]:
    """Yield the pieces of a run's List of Reports; resources that no rule denies are counted as passes."""
    yield from iter_json_document({"apiVersion": "v1", "kind": "List"}, "items", _iter_reports(run))


def _iter_reports(run: Run) -> Iterator[dict[str, Any]]:
    names: Counter[str] = Counter()
    for cluster in run.read_clusters():
        base = f"warden-{_NAME.sub('-', cluster.name.lower()).strip('-')}"[:200].rstrip("-")
        names[base] += 1
        name = base if names[base] == 1 else f"{base}-{names[base]}"
        results = _iter_results(run, cluster)
        number, some = 1, list(islice(results, _RESULTS))
        while some or number == 1:
            passed = cluster.allowed if number == 1 else 0
            yield _build_report(run, cluster, name if number == 1 else f"{name}.{number}", some, passed)
            number, some = number + 1, list(islice(results, _RESULTS))


def _build_report(
    run: Run, cluster: ClusterCounts, name: str, results: list[dict[str, Any]], passed: int
) -> dict[str, Any]:
    kinds = Counter(result["result"] for result in results)
    return {
        "apiVersion": "openreports.io/v1alpha1",
        "kind": "Report",
        "metadata": {
            "name": name,
            "labels": {"app.kubernetes.io/managed-by": "warden"},
            "annotations": {
                "warden/cluster": cluster.name,
                "warden/run": run.summary.run_id,
                "warden/revision": run.summary.revision,
            },
        },
        "source": "warden",
        "scope": {"kind": "KafkaCluster", "name": cluster.name},
        "summary": {"pass": passed, **{kind: kinds[kind] for kind in ("fail", "warn", "error", "skip")}},
        "results": results,
    }


def _iter_results(run: Run, cluster: ClusterCounts) -> Iterator[dict[str, Any]]:
    seconds = int(datetime.fromisoformat(run.summary.evaluated_at).timestamp())
    for decision in run.iter_decisions(cluster):
        common = {
            "policy": "kafka",
            "resources": [_build_resource(decision)],
            "timestamp": {"seconds": seconds, "nanos": 0},
        }
        about = {"cluster": decision["cluster"], **({"owner": decision["owner"]} if decision["owner"] else {})}
        if decision["status"] == ERROR:
            yield {**common, "result": "error", "message": decision["error"], "properties": about}
        for violation in decision["violations"]:
            yield {**common, **_encode_violation(violation), "properties": {**about, **_build_properties(violation)}}


def _build_resource(decision: Mapping[str, Any]) -> dict[str, str]:
    kind = f"Kafka{(decision.get('kind') or 'topic').capitalize()}"
    return {"kind": kind, "name": decision["topic"] or decision.get("resource") or "default"}


def _encode_violation(violation: Mapping[str, Any]) -> dict[str, Any]:
    result, scored = _KINDS.get(violation["effect"], ("fail", True))
    return {
        "rule": violation["rule"],
        "severity": violation["severity"],
        "category": violation["rule"].split("-")[1] if violation["rule"].count("-") > 1 else violation["rule"],
        "message": format_message(violation),
        "result": result,
        "scored": scored,
    }


def _build_properties(violation: Mapping[str, Any]) -> dict[str, str]:
    waiver = violation["waiver"] or {}
    properties = {
        "effect": violation["effect"],
        "cause": violation.get("cause"),
        "fix": violation["fix"],
        "path": "/".join(violation["path"] or []),
        "waiver": waiver.get("id"),
    }
    return {key: value for key, value in properties.items() if value}
