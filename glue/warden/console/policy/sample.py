"""The effect of other settings on a sample of a snapshot: `warden impact` on some topics, without Spark."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from warden.analyse.impact.compare import NOT_EVALUATED
from warden.analyse.impact.replay import ReplayInput, ReplayJob, replay_inputs
from warden.analyse.impact.settings import compare_settings
from warden.analyse.impact.summary import summarise
from warden.analyse.scan.rule_metadata import read_rules
from warden.base.errors import InputError
from warden.console.policy.policy_trials import ServedPolicy
from warden.state.snapshot.directory import read_partition
from warden.state.snapshot.layout import SnapshotPartition, select_latest_partitions

__all__ = ["SAMPLE", "SampledSnapshot", "replay_sample"]

SAMPLE: Final = 200
"""Topics of a sample at most, evenly from all by their names."""

_MAX_SHOWN_INPUTS: Final = 3  # inputs for each rule and kind of change
_SOURCE: Final = "snapshot"
_SHARED: Final = "sample"


class SampledSnapshot:
    """The newest day of each cluster of a snapshot; the state that was read last is kept.

    Args:
        directory: The snapshot's directory.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._last: tuple[tuple[SnapshotPartition, int], dict[str, Any]] | None = None

    def list_clusters(self) -> list[str]:
        """Return the names of its clusters; none where there is no snapshot yet."""
        return sorted(self._list_partitions())

    def read_state(self, cluster: str) -> dict[str, Any] | None:
        """Return the contract's state of a cluster; None where it is not in the snapshot.

        Raises:
            InputError: It cannot be read.
        """
        partition = self._list_partitions().get(cluster)
        if partition is None:
            return None
        key = (partition, partition.build_file_path("clusters").stat().st_mtime_ns)
        if self._last is None or self._last[0] != key:
            self._last = key, read_partition(partition)
        return self._last[1]

    def _list_partitions(self) -> dict[str, SnapshotPartition]:
        try:
            return {partition.cluster: partition for partition in select_latest_partitions(self._directory)}
        except InputError:
            return {}


def replay_sample(
    cluster: str,
    state: Mapping[str, Any],
    below: ServedPolicy,
    above: ServedPolicy,
    sees_owner: Callable[[str, str | None], bool] = lambda _cluster, _owner: True,
) -> dict[str, Any]:
    """Return what changes for some topics of a cluster, as `warden impact --output json` has it.

    Args:
        cluster: The cluster's name.
        state: Its state.
        below, above: The policy in force, and the one that is tried.
        sees_owner: Whether somebody may see what an owner has on a cluster.

    Returns:
        The document, with ``cluster``, ``topics`` (how many there are) and ``sample`` (how many were evaluated).
    """
    shared = {
        "operation": "AuditTopic",
        "cluster": cluster,
        "enforcementPoint": "scan",
        "clusterState": state,
        "now": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
    }
    replay = ReplayJob(below.revision, above.revision, {_SHARED: json.dumps(shared)})
    with below.build_client() as below_client, above.build_client() as above_client:
        label = below_client.evaluate("kafka/owner_label", {})
        owners = {name: (topic.get("labels") or {}).get(label) for name, topic in state.get("topics", {}).items()}
        topics = [name for name, owner in sorted(owners.items()) if sees_owner(cluster, owner)]
        size = min(SAMPLE, len(topics))
        chosen = [topics[number * len(topics) // size] for number in range(size)]
        inputs = (
            ReplayInput(
                _SOURCE, name, "AuditTopic", cluster, name, owners[name], _SHARED, name,
                json.dumps({"request": {"topic": name}}), None,
            )
            for name in chosen
        )  # fmt: skip
        rows = list(
            replay_inputs(
                inputs,
                replay,
                lambda body: below_client.post_raw("kafka/decisions", body),
                lambda body: above_client.post_raw("kafka/decisions", body),
            )
        )
        rules = {**read_rules(below_client), **read_rules(above_client)}
    impact = summarise(_count_rows(rows), baseline=below.revision, candidate=above.revision)
    settings = compare_settings(below.layers.merged, above.layers.merged)
    document = replace(impact, settings=settings, rules=rules).to_document()
    return {**document, "cluster": cluster, "topics": len(topics), "sample": len(chosen)}


def _count_rows(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The figures of `warden.analyse.impact.summary.summarise`, from the rows of all inputs."""
    failed = [row for row in rows if row["kind"] == NOT_EVALUATED]
    rows = [row for row in rows if row["kind"] != NOT_EVALUATED]
    changes = [(row, rule) for row in rows for rule in row["rules"]]
    kinds = Counter(row["kind"] for row in rows)
    closed = Counter(row["kind"] for row in rows if any(rule["later"] == "denies" for rule in row["rules"]))
    by_rule = Counter((r["rule"], r["severity"], row["kind"], r["change"], r["later"]) for row, r in changes)
    names = ("rule", "severity", "kind", "change", "later")
    return {
        "kinds": [
            {"source": _SOURCE, "kind": kind, "count": count, "other": 0, "closed": closed[kind]}
            for kind, count in kinds.items()
        ],
        "rules": [{"source": _SOURCE, "count": n, **dict(zip(names, key, strict=True))} for key, n in by_rule.items()],
        "owners": [
            {"source": _SOURCE, "owner": owner, "kind": kind, "count": count}
            for (owner, kind), count in Counter((row["owner"], row["kind"]) for row in rows).items()
        ],
        "samples": list(_pick(changes)),
        "not_evaluated": [
            {"reason": reason, "count": len(ids), "ids": ids}
            for reason in sorted({row["rules"][0]["after"] for row in failed})
            if (ids := [row["id"] for row in failed if row["rules"][0]["after"] == reason])
        ],
    }


def _pick(changes: list[tuple[dict[str, Any], dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    shown: Counter[tuple[str, str, str]] = Counter()
    for row, rule in changes:
        key = (rule["rule"], row["kind"], rule["change"])
        shown[key] += 1
        if shown[key] <= _MAX_SHOWN_INPUTS:
            yield {**row, **rule}
