"""Shared input of the audits of one cluster: the parts of its state that audits read, and nothing else of it.

OPA says which those are (``kafka/required_state``). What is not sent cannot be read, so that a decision rests on what
is hashed and on the policy alone.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

__all__ = [
    "SharedInput",
    "audited_brokers",
    "broker_item",
    "shared_input",
    "shared_names",
    "united",
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


def shared_input(
    operation: str,
    cluster: str,
    state: Mapping[str, Any],
    selection: Mapping[str, Any],
    *,
    now: datetime,
    window: str = "",
    more: tuple[str, ...] = (),
) -> SharedInput:
    """Return what the inputs of an operation about a cluster's resources share.

    Args:
        operation: The operation, such as ``AuditTopic``.
        cluster: Name of the cluster.
        state: The contract's cluster state.
        selection: What of it they share, as OPA says (``shared`` of ``kafka/required_state``).
        now: The time of the decisions, UTC.
        window: Validity window of decisions; see `PolicyVersion.validity_window`.
        more: Further parts of the state that a site's own rules read.
    """
    shared = {**_select(selection, state), **{part: state[part] for part in more if part in state}}
    timeless = {"operation": operation, "cluster": cluster, "enforcementPoint": "scan", "clusterState": shared}
    digest = hashlib.sha256(f"{window}\n{_json(timeless)}".encode()).hexdigest()
    return SharedInput(digest[:24], _json({**timeless, "now": f"{now:%Y-%m-%dT%H:%M:%SZ}"}))


def united(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return the selection of what either of two selections has."""
    both = {
        key: True if True in (one[key], other[key]) else united(one[key], other[key])
        for key in one.keys() & other.keys()
    }
    return {**one, **other, **both}


def audited_brokers(state: Mapping[str, Any]) -> tuple[list[str], int]:
    """Return the brokers whose configs the source could read, and the number of the others.

    "" is the cluster-wide default. A broker without any config was not read, as no broker has none.
    """
    brokers = state.get("brokers") or {}
    readable = [id for id, broker in brokers.items() if broker.get("configs")]
    return readable, len(brokers) - len(readable)


def broker_item(broker: str, state: Mapping[str, Any]) -> str:
    """Return a broker's own part of its decision input: with its state, so that evidence can be shown from it alone."""
    return _json({"request": {"broker": broker}, "clusterState": {"brokers": {broker: state["brokers"][broker]}}})


def shared_names(state: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield (name in metrics, topics) for the entries of ``namesByMetric`` that more than one topic has.

    An entry of one topic says nothing that the topic's own name does not say.
    """
    for metric, names in (state.get("namesByMetric") or {}).items():
        if len(names) > 1:
            yield metric, names


def _select(selection: Mapping[str, Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """What a selection has of a state: True is all of a value, an object has its fields, ``*`` is any other key."""
    chosen = {key: selection.get(key, selection.get("*")) for key in state}
    return {
        key: state[key] if part is True else _select(part, state[key])
        for key, part in chosen.items()
        if part is True or (part is not None and isinstance(state[key], Mapping))
    }


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"), sort_keys=True)
