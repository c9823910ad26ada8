"""Shared input of the audits of one cluster: the parts of its state that audits read, and nothing else of it.

OPA says which those are (`warden.analyse.scan.dependencies`). What is not sent cannot be read, so that a decision rests
on what is hashed and on the policy alone.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from warden.analyse.scan.dependencies import Dependencies, select

__all__ = [
    "SharedInput",
    "build_broker_item",
    "build_shared_input",
    "encode_compact",
    "iter_shared_names",
    "list_audited_brokers",
]


@dataclass(frozen=True)
class SharedInput:
    """The part of decision inputs that is sent once for a batch.

    Args:
        id: Hash of all in it that a decision can depend on: of `now` only the validity window.
        text: The JSON of ``common``.
    """

    id: str
    text: str


def build_shared_input(
    operation: str,
    cluster: str,
    state: Mapping[str, Any],
    dependencies: Dependencies,
    *,
    now: datetime,
    window: str = "",
    clusters: Mapping[str, Mapping[str, Any]] | None = None,
) -> SharedInput:
    """Return what the inputs of an operation about a cluster's resources share.

    Args:
        operation: The operation, such as ``AuditTopic``.
        cluster: Name of the cluster.
        state: The contract's cluster state.
        dependencies: What the decisions depend on.
        now: The time of the decisions, UTC.
        window: Validity window of decisions; see `PolicyVersion.compute_validity_window`.
        clusters: The states of all clusters by name, where the decisions depend on them.
    """
    timeless: dict[str, Any] = {
        "operation": operation,
        "cluster": cluster,
        "enforcementPoint": "scan",
        "clusterState": select(dependencies.state, state),
    }
    if dependencies.reads_other_clusters:
        parts = dict.fromkeys(dependencies.clusters, True)
        listed: dict[str, Any] = (
            {"topics": {}} if dependencies.reads_topic_by_name else {}
        )  # the topic itself comes with each input
        timeless["clusters"] = {
            name: {**select(parts, cluster_state), **listed} for name, cluster_state in (clusters or {}).items()
        }
    digest = hashlib.sha256(f"{window}\n{encode_compact(timeless)}".encode()).hexdigest()
    return SharedInput(digest[:24], encode_compact({**timeless, "now": f"{now:%Y-%m-%dT%H:%M:%SZ}"}))


def list_audited_brokers(state: Mapping[str, Any]) -> tuple[list[str], int]:
    """Return the brokers whose configs the source could read, and the number of the others.

    "" is the cluster-wide default. A broker without any config was not read, as no broker has none.
    """
    brokers = state.get("brokers") or {}
    readable = [id for id, broker in brokers.items() if broker.get("configs")]
    return readable, len(brokers) - len(readable)


def build_broker_item(broker: str, state: Mapping[str, Any]) -> str:
    """Return a broker's own part of its decision input: with its state, so that evidence can be shown from it alone."""
    own = {"brokers": {broker: state["brokers"][broker]}}
    return encode_compact({"request": {"broker": broker}, "clusterState": own})


def iter_shared_names(state: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield (name in metrics, topics) for the entries of ``namesByMetric`` that more than one topic has.

    An entry of one topic says nothing that the topic's own name does not say.
    """
    for metric, names in (state.get("namesByMetric") or {}).items():
        if len(names) > 1:
            yield metric, names


def encode_compact(document: Mapping[str, Any]) -> str:
    """Return a document as the shortest text, keys in order, so that equal ones are equal texts."""
    return json.dumps(document, separators=(",", ":"), sort_keys=True)
