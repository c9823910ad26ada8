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
    "adjust_to_state",
    "build_declared_state",
    "format_unknown_replicas",
    "iter_duplicates",
    "list_state_pointers",
    "select_changed_numbers",
]

_Known = Mapping[str, Any]

# Kafka's defaults stand in for the cluster's where nothing is known of it, and what is known of the state itself is not
# the cluster.
_NOT_OF_THE_CLUSTER = {"defaults", "meta"}


def adjust_to_state(declared: Declaration, state: _Known | None) -> Declaration | None:
    """Return the declaration as what is to be decided, None where the cluster is as it is declared already.

    A config of the same text is no change. What another text changes, if anything, the policy says (``kafka.changes``).

    Args:
        declared: What a file says.
        state: The contract's cluster state; None where nothing is known.
    """
    topics = (state or {}).get("topics") or {}
    current = topics.get(declared.request.get("topic"))
    if declared.operation == "CreateTopic" and current is not None and declared.before is None:
        return _build_alteration(declared, current)
    if declared.operation == "DeleteTopic" and declared.format != PLAN and state is not None and current is None:
        return None  # a plan, which has seen the cluster, says that it is there
    return declared


def _build_alteration(declared: Declaration, current: _Known) -> Declaration | None:
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
    if len(request) == 1 and not declared.note:
        return None
    return replace(declared, operation="AlterTopic", request=request)


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
    """Return the state that a file itself knows: the topic before a change, {} where it knows none.

    The contract counts replicas by where they are, which no file says: the brokers have the numbers from 0 here, and
    what looks at brokers is not evaluated (`list_state_pointers`).
    """
    if declared.before is None:
        return {}
    replicas = list(range(max(0, declared.before["replicationFactor"])))
    blank = {"labels": {}, "internal": False, "markedForDeletion": False, "reassigning": {}}
    topic = {**blank, **declared.before, "replicasAssignments": {"0": replicas}}
    return {"topics": {declared.request["topic"]: topic}}


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
