"""What the inputs of one cluster share: the parts of its state that audits read, and nothing else of it.

What is not sent cannot be read, so that a verdict rests on what is hashed and on the policy alone. A topic is judged
against the cluster's size, racks and defaults; not against its totals, which any new topic changes.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

__all__ = [
    "Common",
    "acl_common",
    "audited_brokers",
    "broker_common",
    "broker_item",
    "client_common",
    "shared_names",
    "topic_common",
]

_TOPIC_PARTS = ("clusterSize", "defaults")
_BROKER_PARTS = ("clusterSize", "brokers", "defaults", "totals", "managed")


@dataclass(frozen=True)
class Common:
    """The part of decision inputs that is sent once for a batch.

    Args:
        id: Hash of all in it that a verdict can depend on: of `now` only the epoch.
        text: The JSON of ``common``.
    """

    id: str
    text: str


def topic_common(
    cluster: str, state: Mapping[str, Any], *, now: datetime, epoch: str = "", more: tuple[str, ...] = ()
) -> Common:
    """Return what the audits of a cluster's topics share.

    Of brokers there are their racks, and the configs of the cluster-wide default; of ``meta`` whether labels are known.

    Args:
        cluster: Name of the cluster.
        state: The contract's cluster state.
        now: The time to judge at, UTC.
        epoch: Names the time within which verdicts do not change; see `warden.scan.basis.Basis.epoch`.
        more: Further parts of the state that a site's own rules read in audits of topics.
    """
    shared = {part: state[part] for part in (*_TOPIC_PARTS, *more) if part in state}
    if isinstance(brokers := state.get("brokers"), Mapping) and "brokers" not in shared:
        shared["brokers"] = {id: _of_broker(id, broker) for id, broker in brokers.items()}
    if "meta" not in shared and (known := _labels(state)):
        shared["meta"] = known
    return _common("AuditTopic", cluster, shared, now, epoch)


def broker_common(cluster: str, state: Mapping[str, Any], *, now: datetime, epoch: str = "") -> Common:
    """Return what the audits of a cluster's brokers share; as `topic_common`, with all that brokers are judged by."""
    shared = {part: state[part] for part in _BROKER_PARTS if part in state}
    return _common("AuditBroker", cluster, shared, now, epoch)


def acl_common(cluster: str, *, now: datetime, epoch: str = "") -> Common:
    """Return what the audits of a cluster's ACLs share: each brings what it names."""
    return _common("AuditAcl", cluster, {}, now, epoch)


def client_common(cluster: str, *, now: datetime, epoch: str = "") -> Common:
    """Return what the audits of a cluster's client configs share: each brings its own."""
    return _common("AuditClientConfigs", cluster, {}, now, epoch)


def audited_brokers(state: Mapping[str, Any]) -> tuple[list[str], int]:
    """Return the brokers whose configs the source could read, and the number of the others.

    "" is the cluster-wide default. A broker without any config was not asked, as no broker has none.
    """
    brokers = state.get("brokers") or {}
    told = [id for id, broker in brokers.items() if broker.get("configs")]
    return told, len(brokers) - len(told)


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


def _of_broker(id: str, broker: Mapping[str, Any]) -> dict[str, Any]:
    return {part: broker[part] for part in ("rack", *(["configs"] if id == "" else [])) if part in broker}


def _labels(state: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in (state.get("meta") or {}).items() if name == "labels"}


def _common(operation: str, cluster: str, shared: Mapping[str, Any], now: datetime, epoch: str) -> Common:
    timeless = {"operation": operation, "cluster": cluster, "point": "scan", "clusterState": shared}
    digest = hashlib.sha256(f"{epoch}\n{_json(timeless)}".encode()).hexdigest()
    return Common(digest[:24], _json({**timeless, "now": f"{now:%Y-%m-%dT%H:%M:%SZ}"}))


def _json(document: Mapping[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":"), sort_keys=True)
