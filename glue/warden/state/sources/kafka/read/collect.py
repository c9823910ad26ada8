"""Read a live cluster, Kafka 2.8 to 4.x, into the contract's cluster state."""

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from warden.base.errors import KafkaUnreachable
from warden.state.sources.kafka.login.connection import Connection, connect
from warden.state.sources.kafka.login.error_codes import NO_AUTHORIZER, NotDisclosed
from warden.state.sources.kafka.read.acls import read_acls
from warden.state.sources.kafka.read.brokers import Cluster, build_broker_documents, read_broker_configs, read_cluster
from warden.state.sources.kafka.read.catalog import read_cluster_catalog
from warden.state.sources.kafka.read.config_resources import ConfigResourceReader
from warden.state.sources.kafka.read.configs import ConfigEntry, select_topic_defaults
from warden.state.sources.kafka.read.consumers import read_consumers
from warden.state.sources.kafka.read.features import read_features
from warden.state.sources.kafka.read.learnt_keys import find_described_topic
from warden.state.sources.kafka.read.names_by_metric import group_names_by_metric
from warden.state.sources.kafka.read.quotas import read_quotas
from warden.state.sources.kafka.read.topics import read_reassignments, read_topic_configs, read_topics
from warden.state.sources.kafka.read.totals import count_totals
from warden.state.sources.kafka.read.users import build_users_request, collect_users, parse_scram_users
from warden.state.sources.kafka.read.visibility import PARTS_OF_VISIBLE_TOPICS, describe_unseen, sees_all_topics

__all__ = ["Progress", "collect", "select_cluster_defaults"]

_SEEN = frozenset({"brokers", "topics"})  # of which those that are there are known, also where there may be others

Progress = Callable[[str, int, int], None]
"""Called with what is being read, how much of it is done, and how much there is (0 where that is not known)."""


def collect(
    bootstrap_servers: str,
    *,
    security: Mapping[str, str] | None = None,
    timeout: float = 15.0,
    stated: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Return the state of a live cluster as in the contract (``data.clusters[<cluster>]``).

    What the cluster does not report (the API is newer than the cluster, or access is denied) is left out, named with
    the reason in ``meta.missing``. What the principal's rights hide, wholly or partly, is named in ``meta.unknown``.

    Args:
        bootstrap_servers: ``host:port``, several separated by commas.
        security: Kafka's client properties, see `warden.state.sources.kafka.login.security`.
        timeout: Seconds for the connection, and for each request after it.
        stated: Whether it is stated that the principal sees all topics, where its rights do not show it.
        progress: Receives how far it is.

    Raises:
        ConfigurationError: ``security`` or ``bootstrap_servers`` is wrong.
        KafkaUnreachable: No broker can be reached.
        KafkaError: The cluster refuses the login, or does not report its brokers or topics.
    """
    report = progress or (lambda _what, _done, _of: None)
    gaps: list[str] = []
    unknown: set[str] = set()
    observed = datetime.now(UTC)
    with connect(bootstrap_servers, security=security, timeout=timeout) as connection:
        report("brokers", 0, 0)
        cluster = read_cluster(connection)
        broker_configs = read_broker_configs(connection, cluster, gaps)
        report("topics", 0, 0)
        topics = read_topics(connection, gaps)
        inherited = _complete_topics(connection, cluster, topics, gaps, report)
        report("groups", 0, 0)
        groups = read_consumers(connection, cluster, gaps)
        report("access control lists and quotas", 0, 0)
        read = partial(_read_part, gaps, unknown)
        others = {
            **read("acls", lambda: read_acls(connection)),
            **read("quotas", lambda: read_quotas(connection)),
            **read("users", lambda: _read_users(connection, cluster, broker_configs)),
            **read("features", lambda: read_features(connection)),
            **read("resourceConfigs", lambda: ConfigResourceReader().read(partial(_ask, connection))),
        }
        others["catalog"] = read_cluster_catalog(connection, cluster, find_described_topic(topics), gaps)
        if not sees_all_topics(connection, others.get("acls"), topics, stated=stated):
            gaps.append(describe_unseen(others.get("acls")))
            unknown |= PARTS_OF_VISIBLE_TOPICS
    if groups.denied:
        unknown |= {"consumers", "groups"}
    if any(line.startswith("brokers.") and "AUTHORIZATION_FAILED" in line for line in gaps):
        unknown |= {"brokers", "defaults", "users"}
    state = {
        "clusterSize": len(cluster.brokers),
        "brokers": build_broker_documents(cluster, broker_configs),
        "defaults": select_cluster_defaults(broker_configs, inherited, gaps),
        "topics": topics,
        "namesByMetric": group_names_by_metric(topics),
        "totals": count_totals(topics.values()),
        "groups": groups.groups,
        "consumers": groups.consumers,
        "clientConfigs": {},
        **others,
    }
    state = {name: part for name, part in state.items() if part is not None and name not in unknown - _SEEN}
    state["meta"] = {
        "revision": hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest()[:16],
        "observedAt": observed.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "topics": len(topics),
        "labels": False,  # Kafka keeps none
        "clusterId": cluster.id,
        "source": f"kafka://{bootstrap_servers}",
        "missing": sorted(gaps),
        **({"unknown": sorted(unknown)} if unknown else {}),
    }
    return state


def _complete_topics(
    connection: Connection, cluster: Cluster, topics: dict[str, dict[str, Any]], gaps: list[str], report: Progress
) -> dict[str, str]:
    """Complete ``topics`` and return what topics report for keys that they do not set."""
    inherited: dict[str, str] = {}
    try:
        inherited = read_topic_configs(connection, topics, gaps, lambda done: report("topics", done, len(topics)))
    except NotDisclosed as refused:
        gaps.append(f"topics.*.configs: {refused}")
    try:
        read_reassignments(connection, cluster.controller, topics)
    except (NotDisclosed, KafkaUnreachable) as refused:
        gaps.append(f"topics.*.reassigning: {refused}")
    return inherited


def _ask(connection: Connection, _key: str, request: Any) -> Any:
    return connection.send(request, check=False)


def _read_users(
    connection: Connection, cluster: Cluster, brokers: Mapping[int, Mapping[str, ConfigEntry]]
) -> dict[str, Any]:
    scram = parse_scram_users(connection.send(build_users_request()))
    if len(brokers) < len(cluster.live_brokers):
        raise NotDisclosed("not every broker tells its listeners")
    return collect_users(brokers.values(), scram)


def _read_part(gaps: list[str], unknown: set[str], name: str, read: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return a part under its name; nothing where it is not known."""
    try:
        return {name: read()}
    except NotDisclosed as refused:
        gaps.append(f"{name}: {refused}")
        unknown |= {name} if refused.denied else set()
        return {name: {}} if refused.code == NO_AUTHORIZER else {}


def select_cluster_defaults(
    brokers: Mapping[int, Mapping[str, ConfigEntry]], inherited: Mapping[str, str], gaps: list[str]
) -> dict[str, str] | None:
    """Return the defaults of a new topic, the broker's with the lowest id; where brokers differ, that is not certain.

    None where no broker tells its configuration: what topics report does not tell how many partitions a new one gets.

    Args:
        brokers: What each broker reports about itself.
        inherited: What topics report for keys that they do not set.
        gaps: Gets a line for what is not certain.
    """
    if not brokers:
        gaps.append("defaults: no broker gave its configuration")
        return None
    by_broker = {
        broker: select_topic_defaults(configs, dict(inherited) or None) for broker, configs in sorted(brokers.items())
    }
    first, *others = by_broker.items()
    for name in sorted({name for defaults in by_broker.values() for name in defaults}):
        differing = [str(broker) for broker, defaults in others if defaults.get(name) != first[1].get(name)]
        if differing:
            brokers_named = f"brokers {first[0]} and {', '.join(differing)}"
            gaps.append(f"defaults.{name}: {brokers_named} differ, the value is broker {first[0]}'s")
    return dict(sorted(first[1].items()))
