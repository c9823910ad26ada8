"""The contract's cluster state for some topics, read through confluent-kafka where OPA has none replicated."""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from confluent_kafka import KafkaError as Refusal
from confluent_kafka import KafkaException, TopicCollection
from confluent_kafka.admin import AclBindingFilter, AclOperation, AdminClient, ConfigResource

from warden.errors import KafkaError
from warden.sources.kafka.configs import Entry, catalogue, topic_defaults
from warden.sources.kafka.connection import DENIED, NO_AUTHORIZER
from warden.sources.kafka.dynamic import cluster_wide, configs_of
from warden.sources.kafka.topics import names_by_metric, totals
from warden.sources.kafka.visibility import names_to_try, unseen

__all__ = ["collect_state"]

_UNREAD = (
    *("acls", "clientConfigs", "consumers", "deletions", "features", "groups", "quotas", "resourceConfigs"),
    *("topics.*.reassigning", "users", "writes"),
)
_CHUNK = 500


def collect_state(admin: AdminClient, topics: Iterable[str], *, timeout: float = 15.0) -> dict[str, Any]:
    """Return a cluster's state with its brokers, defaults and totals, and of the topics only those that are named.

    What is not read is named in ``meta.missing``: librdkafka cannot tell which reassignments are running. What the
    principal's rights hide, wholly or partly, is not there, and named in ``meta.unknown``.

    Args:
        admin: Connected with the right to describe brokers and topics.
        topics: Their names; those that do not exist are left out.
        timeout: Seconds for each of the requests.

    Raises:
        KafkaError: The cluster does not tell.
    """
    named = set(topics)
    try:
        nodes = _cluster(admin, timeout).nodes
        all_topics = {name: _topic(topic) for name, topic in admin.list_topics(timeout=timeout).topics.items()}
        chosen = {name: all_topics[name] for name in sorted(named) if name in all_topics}
        acls = _acls(admin, timeout)
        hides = acls is None or bool(_hidden(admin, names_to_try(acls, all_topics), timeout))
        hidden = _hidden(admin, named - chosen.keys(), timeout) if hides else set()
        for name, topic in chosen.items():
            overrides = _configs(admin, "TOPIC", name, timeout)
            topic["configs"] = {key: entry.value for key, entry in overrides.items() if entry.is_topic_override}
        configs = _broker_configs(admin, sorted(int(node.id) for node in nodes), timeout)
    except (KafkaException, TimeoutError) as error:
        raise KafkaError(f"the cluster does not tell what it has: {error}; check the rights to describe it") from error
    brokers = {
        str(node.id): {"host": node.host, "rack": node.rack, **configs_of(configs.get(int(node.id), {}))}
        for node in nodes
    }
    shared = cluster_wide(configs)
    unknown = {
        *(("namesByMetric", "totals") if hides else ()),
        *(("topics",) if hidden else ()),
        *(("brokers", "defaults") if len(configs) < len(nodes) else ()),
    }
    of_all = {} if hides else {"namesByMetric": names_by_metric(all_topics), "totals": totals(all_topics.values())}
    return {
        "clusterSize": len(nodes),
        "brokers": {"": {"configs": shared}, **brokers} if shared else brokers,
        **({} if "defaults" in unknown else {"defaults": topic_defaults(configs[min(configs)])}),
        "topics": chosen,
        **of_all,
        "meta": {
            "observedAt": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "labels": False,  # Kafka keeps none
            "source": "kafka",
            "missing": [*(f"{part}: not read" for part in _UNREAD), *([unseen(acls)] if hides else [])],
            **({"unknown": sorted(unknown)} if unknown else {}),
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
    }


def _cluster(admin: AdminClient, timeout: float) -> Any:
    return admin.describe_cluster(include_authorized_operations=True, request_timeout=timeout).result(timeout)


def _acls(admin: AdminClient, timeout: float) -> dict[str, list[dict[str, str]]] | None:
    """All ACLs with what `names_to_try` reads of them; none without an authorizer, None where they are refused.

    confluent-kafka 2.16 takes a refusal for no ACLs, so the right is looked at, before and after.
    """
    every: list[Any] = ["ANY", None, "ANY", None, None, "ANY", "ANY"]
    before = _cluster(admin, timeout)
    try:
        acls = admin.describe_acls(AclBindingFilter(*every), request_timeout=timeout).result(timeout)
    except KafkaException as refused:
        if refused.args[0].code() in (NO_AUTHORIZER, *DENIED):
            return {} if refused.args[0].code() == NO_AUTHORIZER else None
        raise
    if any(
        AclOperation.DESCRIBE not in (one.authorized_operations or ()) for one in (before, _cluster(admin, timeout))
    ):
        return None
    patterns = [
        {"resourceType": acl.restype.name, "resourceName": acl.name, "patternType": acl.resource_pattern_type.name}
        for acl in acls
    ]
    return {"": patterns}


def _hidden(admin: AdminClient, names: Collection[str], timeout: float) -> set[str]:
    """As `warden.sources.kafka.visibility.hidden_topics`."""
    ordered, hidden = sorted(names), set()
    for start in range(0, len(ordered), _CHUNK):
        some = TopicCollection(ordered[start : start + _CHUNK])
        for name, future in admin.describe_topics(some, request_timeout=timeout).items():
            error = future.exception(timeout)
            if isinstance(error, KafkaException) and error.args[0].code() == Refusal.TOPIC_AUTHORIZATION_FAILED:
                hidden.add(str(name))
    return hidden


def _broker_configs(admin: AdminClient, brokers: list[int], timeout: float) -> dict[int, Mapping[str, Entry]]:
    """Of each broker whose configs the principal may see; librdkafka takes one broker a request."""
    configs = {}
    for broker in brokers:
        try:
            configs[broker] = _configs(admin, "BROKER", str(broker), timeout)
        except KafkaException as refused:
            if refused.args[0].code() not in DENIED:
                raise
    return configs


def _configs(admin: AdminClient, kind: str, name: str, timeout: float) -> Mapping[str, Entry]:
    (future,) = admin.describe_configs([ConfigResource(kind, name)], request_timeout=timeout).values()
    return {key: _entry(entry) for key, entry in future.result(timeout).items()}


def _entry(entry: Any) -> Entry:
    source = getattr(entry.source, "value", entry.source)
    return Entry(entry.value, int(source), entry.is_sensitive)
