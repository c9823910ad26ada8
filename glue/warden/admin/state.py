"""The contract's cluster state for some topics, read through confluent-kafka where OPA has none replicated."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from confluent_kafka import KafkaError, KafkaException, TopicCollection
from confluent_kafka.admin import AdminClient, ConfigResource

from warden.errors import KafkaError as ClusterError
from warden.kafka.configs import Entry, topic_defaults

__all__ = ["collect_state"]

_UNTOLD = ["acls", "clientConfigs", "groups", "quotas", "topics.*.reassigning", "totals"]


def collect_state(admin: AdminClient, topics: Iterable[str], *, timeout: float = 15.0) -> dict[str, Any]:
    """Return a cluster's state with nothing in it but its brokers, its defaults and the topics concerned.

    What is not read is named in ``meta.missing``.

    Args:
        admin: Connected with the right to describe brokers and topics.
        topics: Their names; those that do not exist are left out.
        timeout: Seconds for each of the requests.

    Raises:
        KafkaError: The cluster does not tell.
    """
    names = sorted(set(topics))
    try:
        nodes = admin.describe_cluster(request_timeout=timeout).result(timeout).nodes
        found = _topics(admin, names, timeout)
        configs = _configs(admin, [*found], [node.id for node in nodes], timeout)
    except (KafkaException, TimeoutError) as error:
        raise ClusterError(
            f"the cluster does not tell what it has: {error}; check the rights to describe it"
        ) from error
    for name, topic in found.items():
        topic["configs"] = {
            key: entry.value for key, entry in configs["TOPIC", name].items() if entry.is_topic_override
        }
    brokers = {
        str(node.id): {"host": node.host, "rack": node.rack, "configs": _shown(configs["BROKER", str(node.id)])}
        for node in nodes
    }
    first = min(nodes, key=lambda node: node.id)
    return {
        "clusterSize": len(nodes),
        "brokers": brokers,
        "defaults": topic_defaults(configs["BROKER", str(first.id)]),
        "topics": found,
        "meta": {
            "observedAt": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "source": "kafka://",
            "missing": _UNTOLD,
        },
    }


def _topics(admin: AdminClient, names: list[str], timeout: float) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    described = admin.describe_topics(TopicCollection(names), request_timeout=timeout) if names else {}
    for name, future in described.items():
        try:
            topic = future.result(timeout)
        except KafkaException as error:
            if error.args[0].code() in (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError.TOPIC_EXCEPTION):
                continue
            raise
        replicas = {partition.id: [node.id for node in partition.replicas] for partition in topic.partitions}
        found[name] = {
            "numPartitions": len(replicas),
            "replicationFactor": len(replicas.get(0, ())),
            "replicasAssignments": {str(partition): replicas[partition] for partition in sorted(replicas)},
            "configs": {},
            "labels": {},
            "internal": bool(topic.is_internal),
            "markedForDeletion": False,
            "reassigning": {},
        }
    return found


def _configs(
    admin: AdminClient, topics: list[str], brokers: list[int], timeout: float
) -> Mapping[tuple[str, str], Mapping[str, Entry]]:
    resources = [ConfigResource("TOPIC", name) for name in topics]
    resources += [ConfigResource("BROKER", str(broker)) for broker in brokers]
    found = {}
    for resource in resources:  # librdkafka takes one broker a request
        ((key, future),) = admin.describe_configs([resource], request_timeout=timeout).items()
        entries = future.result(timeout)
        found[key.restype.name, key.name] = {name: _entry(entry) for name, entry in entries.items()}
    return found


def _entry(entry: Any) -> Entry:
    source = getattr(entry.source, "value", entry.source)
    return Entry(entry.value, int(source), entry.is_sensitive)


def _shown(configs: Mapping[str, Entry]) -> dict[str, str]:
    return {name: entry.value for name, entry in sorted(configs.items()) if entry.is_shown and entry.value is not None}
