"""Operations of declarations, once the cluster is known: create, alter, or nothing."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from warden.analyse.check.model import Declaration, Fault
from warden.analyse.check.readers.topic_formats import PLAN
from warden.base.resources import find_shipped

__all__ = [
    "LABEL_AUDIT",
    "adjust_to_state",
    "build_declared_state",
    "format_unknown_replicas",
    "iter_duplicates",
    "lay_labels",
    "list_open",
    "list_state_pointers",
    "read_labels",
    "select_changed_numbers",
]

LABEL_AUDIT = "AuditTopicLabels"
"""The operation of the contract that is about a topic's labels alone."""

_Known = Mapping[str, Any]

# Kafka's defaults stand in for the cluster's where nothing is known of it, and the labels of a file for those that
# names tell; what is known of the state itself is not the cluster.
_NOT_OF_THE_CLUSTER = {"defaults", "labelPatterns", "meta"}
_LABELS = "/request/labels"


def adjust_to_state(declared: Declaration, state: _Known | None) -> list[Declaration]:
    """Return what is to be decided of a declaration, nothing where the cluster is as it is declared already.

    A config of the same text is no change. What another text changes, if anything, the policy says (``kafka.changes``).
    Rules about labels themselves are about audits and new topics: labels that change are audited besides.

    Args:
        declared: What a file says.
        state: The contract's cluster state; None where nothing is known.
    """
    topics = (state or {}).get("topics") or {}
    current = topics.get(declared.request.get("topic"))
    if declared.operation == "CreateTopic" and current is not None and declared.before is None:
        altered = _build_alteration(declared, current, knows_labels=_has_known_labels(state))
        return [*([altered] if _has_changes(altered) else []), *_iter_label_audits(altered)]
    if declared.operation == "DeleteTopic" and declared.format != PLAN and state is not None and current is None:
        return []  # a plan, which has seen the cluster, says that it is there
    return [declared, *_iter_label_audits(declared)]


def list_open(declared: Declaration) -> tuple[str, ...]:
    """Return pointers to what a declaration may change and is not known, without what its form has no place for."""
    own = "replicationFactor" in declared.request
    return tuple(pointer for pointer in declared.unknown if own or pointer != "/request/replicationFactor")


def read_labels(declared: Declaration) -> dict[str, str] | None:
    """Return the labels of a topic that is declared, None where they are not known."""
    return None if _LABELS in declared.unknown else dict(declared.request.get("labels") or {})


def _has_known_labels(state: _Known | None) -> bool:
    return ((state or {}).get("meta") or {}).get("labels") is True


def _build_alteration(declared: Declaration, current: _Known, *, knows_labels: bool) -> Declaration:
    wanted = declared.request.get("configs") or {}
    now = current.get("configs") or {}
    request: dict[str, Any] = {"topic": declared.request["topic"]}
    if declared.unlisted_configs == "reset":
        wanted = {**{name: now[name] for name in declared.untouched if name in now}, **wanted}
        if dict(wanted) != dict(now):
            request["configs"] = {"mode": "full", "entries": dict(wanted)}
    elif ops := [{"name": k, "op": "SET", "value": v} for k, v in wanted.items() if now.get(k) != v]:
        request["configs"] = {"mode": "incremental", "ops": ops}
    request |= select_changed_numbers(declared.request, current)
    # A form without labels leaves those of the state as they are. Where the state has none its source may know none.
    stored = current.get("labels") or ({} if knows_labels else None)
    earlier = stored if declared.earlier_labels is None else declared.earlier_labels
    labels = declared.request.get("labels", None if declared.earlier_labels is None else {})
    return replace(
        declared,
        operation="AlterTopic",
        request=request,
        unknown=list_open(declared),
        labels=labels,
        earlier_labels=earlier,
    )


def _has_changes(altered: Declaration) -> bool:
    has_other_labels = altered.earlier_labels is not None and altered.labels not in (None, altered.earlier_labels)
    return len(altered.request) > 1 or bool(altered.unknown or altered.note) or has_other_labels


def _iter_label_audits(altered: Declaration) -> Iterator[Declaration]:
    """The audit of labels that are to change, or may."""
    unknown = tuple(pointer for pointer in altered.unknown if pointer == _LABELS)
    if altered.labels is not None and (unknown or altered.labels != (altered.earlier_labels or {})):
        request = {"topic": altered.request["topic"], "labels": dict(altered.labels), "internal": False}
        yield replace(altered, operation=LABEL_AUDIT, request=request, unknown=unknown, before=None, note="")


def lay_labels(state: _Known | None, declared: Iterable[Declaration]) -> _Known:
    """Return a cluster state in which the topics that are altered have the labels that they have, as files know them.

    Where nobody knows those they have the ones that they will have: what is not known to change does not.

    Args:
        state: The contract's cluster state; None for nothing.
        declared: What is decided of the cluster.
    """
    topics = (state or {}).get("topics") or {}
    labels = {change.request["topic"]: _read_labels_before(change) for change in declared if change.labels is not None}
    altered = {name: {**topics[name], "labels": dict(labels[name])} for name in labels if name in topics}
    return {**(state or {}), "topics": {**topics, **altered}} if altered else state or {}


def select_changed_numbers(wanted: _Known, before: _Known) -> dict[str, int]:
    """Return the numbers of partitions and replicas that a change sets: those that are said, and others than before.

    Args:
        wanted, before: What a topic is to be and what it was; -1, or none, is what the cluster says.
    """
    numbers = {name: wanted.get(name, -1) for name in ("numPartitions", "replicationFactor")}
    return {name: number for name, number in numbers.items() if number not in (-1, before.get(name, -1))}


def format_unknown_replicas(request: _Known, before: _Known) -> str:
    """Return what to know of a change of the number of replicas where nobody says what it was, empty for nothing.

    Args:
        request: Of an ``AlterTopic``.
        before: What the topic was.
    """
    if "replicationFactor" not in request or before.get("replicationFactor", -1) != -1:
        return ""
    return "what the replication factor was is not known: rules about its change take it for an increase"


def build_declared_state(declared: Declaration) -> dict[str, Any]:
    """Return the state that a file itself knows: the topic before a change, {} for none.

    The contract counts replicas by where they are, which no file says: the brokers have the numbers from 0 here, and
    what looks at brokers is not evaluated (`list_state_pointers`).
    """
    if declared.before is None:
        return {}
    replicas = list(range(max(0, declared.before["replicationFactor"])))
    own = {"labels": _read_labels_before(declared), "replicasAssignments": {"0": replicas}}
    topic = {"internal": False, "markedForDeletion": False, "reassigning": {}, **declared.before, **own}
    return {"topics": {declared.request["topic"]: topic}}


def _read_labels_before(declared: Declaration) -> dict[str, str]:
    return dict((declared.labels if declared.earlier_labels is None else declared.earlier_labels) or {})


@cache
def list_state_pointers() -> list[str]:
    """Return JSON pointers to the parts of the cluster's state, for where nothing is known of a cluster."""
    schema = json.loads((find_shipped("schemas") / "cluster_state.json").read_text(encoding="utf-8"))
    return [f"/clusterState/{name}" for name in sorted(schema["properties"].keys() - _NOT_OF_THE_CLUSTER)]


def iter_duplicates(declared: Iterable[tuple[str, Declaration]]) -> Iterator[tuple[Declaration, Fault]]:
    """Yield each topic that is declared a second time on a cluster, with its fault.

    Args:
        declared: Cluster and declaration, in order.
    """
    places: dict[tuple[str, str], Declaration] = {}
    for cluster, change in declared:
        if change.operation != "CreateTopic":
            continue
        key = (cluster, change.request["topic"])
        if (first := places.setdefault(key, change)) is not change:
            where = f"{first.file}:{first.line}"
            yield change, Fault(change.file, change.line, f"{key[1]} is declared in {where} too: keep one of the two")
