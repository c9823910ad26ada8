"""The part of a live cluster's state that a decision about some topics needs."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from warden.base.errors import KafkaError, KafkaUnreachable
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NO_AUTHORIZER, NotDisclosed
from warden.state.sources.kafka.read.acls import read_acls
from warden.state.sources.kafka.read.brokers import Cluster, build_broker_documents, read_broker_configs, read_cluster
from warden.state.sources.kafka.read.catalog import read_cluster_catalog
from warden.state.sources.kafka.read.configs import select_topic_defaults
from warden.state.sources.kafka.read.consumers import read_consumers
from warden.state.sources.kafka.read.last_write_times import UNKNOWN, read_leaders, read_writes
from warden.state.sources.kafka.read.names_by_metric import group_names_by_metric
from warden.state.sources.kafka.read.quotas import read_quotas
from warden.state.sources.kafka.read.topics import read_reassignments, read_topic_configs, read_topics
from warden.state.sources.kafka.read.totals import count_totals
from warden.state.sources.kafka.read.visibility import describe_unseen, sees_all_topics, select_hidden_topics

__all__ = ["collect_acls_and_quotas", "collect_topics_state"]

_UNREAD = ("acls", "clientConfigs", "features", "groups", "quotas", "resourceConfigs", "users")
_ACTIVITY = ("consumers", "writes")


def collect_topics_state(connection: Connection, names: Collection[str], *, activity: bool = False) -> dict[str, Any]:
    """Return the contract's cluster state with its brokers, defaults and totals, and the topics that are named.

    The names and the replicas of all topics are read, in one request; configs and running reassignments only of those
    that are named. What is not read is named in ``meta.missing``, what the principal may not see in ``meta.unknown``.

    Args:
        connection: The cluster.
        names: Topics; those that do not exist are left out.
        activity: Whether to tell the ``consumers`` and the ``writes`` of these topics too. All groups are looked at for
            that, so it is for requests that delete something.

    Raises:
        KafkaError: The cluster does not answer a request.
    """
    gaps: list[str] = []
    unknown: set[str] = set()
    observed = datetime.now(UTC)
    try:
        cluster = read_cluster(connection)
        brokers = read_broker_configs(connection, cluster, gaps)
        topics = read_topics(connection, gaps)
        named = {name: topics[name] for name in sorted(set(names)) if name in topics}
        inherited = read_topic_configs(connection, named, gaps, lambda _done: None)
        _read_reassignments(connection, cluster, named, gaps)
        acls = _read_acls(connection)
        sees_all = sees_all_topics(connection, acls, topics)
        hidden = set() if sees_all else select_hidden_topics(connection, set(names) - named.keys())
    except NotDisclosed as refused:
        todo = "grant DESCRIBE on the cluster to this principal" if refused.denied else "name a cluster that has it"
        raise KafkaError(
            f"the cluster at {connection.bootstrap_servers} does not tell its state ({refused}): {todo}",
            code=refused.code,
        ) from None
    unreadable = [line for line in gaps if any(line.startswith((f"topics.{n}:", f"topics.{n}.")) for n in set(names))]
    if unreadable:
        raise KafkaError(f"the cluster does not tell about {'; '.join(unreadable)}: check the right to describe topics")
    catalog = read_cluster_catalog(connection, cluster, next(iter([*named, *topics]), None), gaps)
    active = _read_activity(connection, cluster, named, gaps, unknown) if activity else {}
    if not sees_all:
        unknown |= {"namesByMetric", "totals", *(["topics"] if hidden else [])}
        gaps.append(describe_unseen(acls))
    if not brokers:
        unknown |= {"brokers", "defaults"}
    unread = _UNREAD if activity else (*_UNREAD, *_ACTIVITY)
    first = min(brokers, default=None)
    of_all = (
        {"namesByMetric": group_names_by_metric(topics), "totals": count_totals(topics.values())} if sees_all else {}
    )
    return {
        "clusterSize": len(cluster.brokers),
        "brokers": build_broker_documents(cluster, brokers),
        **({} if first is None else {"defaults": select_topic_defaults(brokers[first], inherited or None)}),
        "topics": named,
        **({} if catalog is None else {"catalog": catalog}),
        **of_all,
        **active,
        "meta": {
            "observedAt": observed.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "labels": False,  # Kafka keeps none
            "clusterId": cluster.id,
            "source": f"kafka://{connection.bootstrap_servers}",
            "missing": sorted(
                [
                    *gaps,
                    *(f"{part}: not read" for part in unread),
                    "deletions: one reading does not tell how many topics were deleted in the last hour",
                ]
            ),
            **({"unknown": sorted(unknown)} if unknown else {}),
        },
    }


def _read_reassignments(
    connection: Connection, cluster: Cluster, topics: Mapping[str, dict[str, Any]], gaps: list[str]
) -> None:
    """Put running reassignments into ``topics``; who may not describe the cluster does not learn of them."""
    try:
        read_reassignments(connection, cluster.controller, topics)
    except (NotDisclosed, KafkaUnreachable) as refused:
        gaps.append(f"topics.*.reassigning: {refused}")


def _read_acls(connection: Connection) -> dict[str, Any] | None:
    try:
        return read_acls(connection)
    except NotDisclosed as refused:
        return {} if refused.code == NO_AUTHORIZER else None


def _read_activity(
    connection: Connection,
    cluster: Cluster,
    topics: Mapping[str, Mapping[str, Any]],
    gaps: list[str],
    unknown: set[str],
) -> dict[str, Any]:
    """Return the contract's ``consumers`` and ``writes`` of some topics; what is not known is left out."""
    parts: dict[str, Any] = {}
    read = read_consumers(connection, cluster, gaps)
    if read.consumers is not None:
        parts["consumers"] = {name: groups for name, groups in read.consumers.items() if name in topics}
    elif read.denied:
        unknown.add("consumers")
    try:
        writes = read_writes(connection, read_leaders(connection, topics), topics)
    except NotDisclosed as refused:
        gaps.append(f"writes: {refused}")
        return parts
    parts["writes"] = {name: latest for name, latest in writes.items() if latest is not UNKNOWN}
    gaps += [f"writes.{name}: not every partition reported" for name in writes if name not in parts["writes"]]
    return parts


def collect_acls_and_quotas(connection: Connection) -> dict[str, Any]:
    """Return the contract's cluster state with its ACLs and quotas alone, which decisions about clients are by.

    Args:
        connection: The cluster.

    Raises:
        KafkaError: The cluster does not answer a request.
    """
    observed = datetime.now(UTC)
    gaps, parts = [f"{part}: not read" for part in ("groups", "topics", "users")], dict[str, Any]()
    acls = _read_acls(connection)
    try:
        parts["quotas"] = read_quotas(connection)
    except NotDisclosed as refused:
        gaps.append(f"quotas: {refused}")
    if acls is None:
        gaps.append("acls: the principal may not describe the cluster")
    else:
        parts["acls"] = acls
    unknown = sorted({"acls", "quotas"} - parts.keys())
    meta = {
        "observedAt": observed.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "clusterId": read_cluster(connection).id,
        "source": f"kafka://{connection.bootstrap_servers}",
        "missing": sorted(gaps),
        **({"unknown": unknown} if unknown else {}),
    }
    return {**parts, "meta": meta}
