"""Kubernetes PolicyReport (wgpolicyk8s.io/v1alpha2, Kubernetes Policy Working Group), as one List for `kubectl apply`.

One object holds at most a thousand results, so that etcd takes it; a cluster with more has several.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any

from warden.report.mode import mode_of
from warden.report.pieces import json_document
from warden.report.run import ClusterOf, Run
from warden.scan.verdicts import ERROR

__all__ = ["policy_report"]

_RESULTS = 1000
# A result that does not count is one that is not scored.
_KINDS = {"deny": ("fail", True), "warn": ("warn", True), "dryrun": ("warn", False), "waived": ("skip", False)}
_NAME = re.compile(r"[^a-z0-9-]+")


def policy_report(run: Run) -> Iterator[str]:
    """Yield the pieces of a run's List of PolicyReports; resources that no rule denies are counted as passes."""
    yield from json_document({"apiVersion": "v1", "kind": "List"}, "items", _reports(run))


def _reports(run: Run) -> Iterator[dict[str, Any]]:
    names: Counter[str] = Counter()
    for cluster in run.clusters():
        base = f"warden-{_NAME.sub('-', cluster.name.lower()).strip('-')}"[:200].rstrip("-")
        names[base] += 1
        name = base if names[base] == 1 else f"{base}-{names[base]}"
        results = _results(run, cluster)
        number, some = 1, list(islice(results, _RESULTS))
        while some or number == 1:
            passed = cluster.allowed if number == 1 else 0
            yield _report(run, cluster, name if number == 1 else f"{name}.{number}", some, passed)
            number, some = number + 1, list(islice(results, _RESULTS))


def _report(run: Run, cluster: ClusterOf, name: str, results: list[dict[str, Any]], passed: int) -> dict[str, Any]:
    kinds = Counter(result["result"] for result in results)
    return {
        "apiVersion": "wgpolicyk8s.io/v1alpha2",
        "kind": "PolicyReport",
        "metadata": {
            "name": name,
            "labels": {"app.kubernetes.io/managed-by": "warden"},
            "annotations": {
                "warden/cluster": cluster.name,
                "warden/run": run.summary.run_id,
                "warden/revision": run.summary.revision,
            },
        },
        "summary": {"pass": passed, **{kind: kinds[kind] for kind in ("fail", "warn", "error", "skip")}},
        "results": results,
    }


def _results(run: Run, cluster: ClusterOf) -> Iterator[dict[str, Any]]:
    seconds = int(datetime.fromisoformat(run.summary.judged_at).timestamp())
    for verdict in run.verdicts(cluster):
        known = {
            "source": "warden",
            "policy": "kafka",
            "resources": [_resource(verdict)],
            "timestamp": {"seconds": seconds, "nanos": 0},
        }
        about = {"cluster": verdict["cluster"], **({"owner": verdict["owner"]} if verdict["owner"] else {})}
        if verdict["status"] == ERROR:
            yield {**known, "result": "error", "message": verdict["error"], "properties": about}
        for violation in verdict["violations"]:
            yield {**known, **_violation(violation), "properties": {**about, **_properties(violation)}}


def _resource(verdict: Mapping[str, Any]) -> dict[str, str]:
    kind = f"Kafka{(verdict.get('kind') or 'topic').capitalize()}"
    return {"kind": kind, "name": verdict["topic"] or verdict.get("resource") or "default"}


def _violation(violation: Mapping[str, Any]) -> dict[str, Any]:
    result, scored = _KINDS.get(mode_of(violation), ("fail", True))
    return {
        "rule": violation["rule"],
        "severity": violation["severity"],
        "category": violation["rule"].split("-")[1] if violation["rule"].count("-") > 1 else violation["rule"],
        "message": violation["message"],
        "result": result,
        "scored": scored,
    }


def _properties(violation: Mapping[str, Any]) -> dict[str, str]:
    waiver = violation["waiver"] or {}
    found = {"mode": violation["mode"], "fix": violation["fix"], "path": "/".join(violation["path"] or [])}
    return {key: value for key, value in {**found, "waiver": waiver.get("id")}.items() if value}
