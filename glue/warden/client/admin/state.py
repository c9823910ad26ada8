"""The contract's cluster state for some topics, read through confluent-kafka where OPA has none replicated."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, ConfigResource

from warden.errors import KafkaError
from warden.sources.kafka.configs import Entry, catalogue, topic_defaults
from warden.sources.kafka.dynamic import cluster_wide, configs_of
from warden.sources.kafka.topics import names_by_metric, totals

__all__ = ["collect_state"]

_UNREAD = ("acls", "clientConfigs", "groups", "quotas", "topics.*.reassigning")


def collect_state(admin: AdminClient, topics: Iterable[str], *, timeout: float = 15.0) -> dict[str, Any]:
    """Return a cluster's state with its brokers, defaults and totals, and of the topics only those that are named.

    What is not read is named in ``meta.missing``: librdkafka cannot tell which reassignments are running.

    Args:
        admin: Connected with the right to describe brokers and topics.
        topics: Their names; those that do not exist are left out.
        timeout: Seconds for each of the requests.

    Raises:
        KafkaError: The cluster does not tell.
    """
    try:
        nodes = admin.describe_cluster(request_timeout=timeout).result(timeout).nodes
        all_topics = {name: _topic(topic) for name, topic in admin.list_topics(timeout=timeout).topics.items()}
        chosen = {name: all_topics[name] for name in sorted(set(topics)) if name in all_topics}
        configs = _configs(admin, [*chosen], [node.id for node in nodes], timeout)
    except (KafkaException, TimeoutError) as error:
        raise KafkaError(f"the cluster does not tell what it has: {error}; check the rights to describe it") from error
    for name, topic in chosen.items():
        overrides = configs["TOPIC", name].items()
        topic["configs"] = {key: entry.value for key, entry in overrides if entry.is_topic_override}
    brokers = {
        str(node.id): {"host": node.host, "rack": node.rack, **configs_of(configs["BROKER", str(node.id)])}
        for node in nodes
    }
    shared = cluster_wide({int(node.id): configs["BROKER", str(node.id)] for node in nodes})
    first = min(nodes, key=lambda node: int(node.id))
    return {
        "clusterSize": len(nodes),
        "brokers": {"": {"configs": shared}, **brokers} if shared else brokers,
        "defaults": topic_defaults(configs["BROKER", str(first.id)]),
        "topics": chosen,
        "namesByMetric": names_by_metric(all_topics),
        "totals": totals(all_topics.values()),
        "meta": {
            "observedAt": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "labels": False,  # Kafka keeps none
            "source": "kafka",
            "missing": [f"{part}: not read" for part in _UNREAD],
        },
    }


def _topic(metadata: Any) -> dict[str, Any]:
    replicas = {int(id): [int(node) for node in partition.replicas] for id, partition in metadata.partitions.items()}
    return {
        "numPartitions": len(replicas),
        "replicationFactor": len(replicas.get(0, ())),
        "replicasAssignments": {str(partition): replicas[partition] for partition in sorted(replicas)},
        "configs": {},
        "labels": {},
        "internal": metadata.topic in catalogue("topic")["internal"],
        "markedForDeletion": False,
        "reassigning": {},
    }


def _configs(
    admin: AdminClient, topics: list[str], brokers: list[int], timeout: float
) -> Mapping[tuple[str, str], Mapping[str, Entry]]:
    resources = [ConfigResource("TOPIC", name) for name in topics]
    resources += [ConfigResource("BROKER", str(broker)) for broker in brokers]
    by_resource = {}
    for resource in resources:  # librdkafka takes one broker a request
        ((key, future),) = admin.describe_configs([resource], request_timeout=timeout).items()
        entries = future.result(timeout)
        by_resource[key.restype.name, key.name] = {name: _entry(entry) for name, entry in entries.items()}
    return by_resource


def _entry(entry: Any) -> Entry:
    source = getattr(entry.source, "value", entry.source)
    return Entry(entry.value, int(source), entry.is_sensitive)
