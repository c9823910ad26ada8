"""What the brokers say, read without Warden's own readers: by librdkafka, and quotas by Kafka's own command."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from confluent_kafka import TopicCollection
from confluent_kafka.admin import AclBindingFilter, AdminClient, ConfigResource

from warden.demo.class_path import build_class_path
from warden.demo.java import run_java

__all__ = ["Parts", "differences", "read_truth"]

_SECONDS = 60
_CHUNK = 500
_OF_TOPIC, _OF_BROKER, _OF_ALL_BROKERS = 1, 2, 3  # DescribeConfigsResponse.ConfigSource
_URL_SAFE = str.maketrans("+/", "-_")  # Kafka prints ids with these, librdkafka with others
_OF_ACL = ("resourceType", "resourceName", "patternType", "principal", "host", "operation", "permissionType")
_SCRAM = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
_QUOTA = re.compile(r"Quota configs for (.*) are (.*)")
_ENTITY = re.compile(r"(the default )?(user-principal|client-id)(?: '([^']*)')?")

Parts = dict[str, dict[str, Any]]
"""Parts of a cluster, each by what it is looked up by."""


def read_truth(admin: AdminClient, bootstrap_servers: str, brokers: tuple[int, ...]) -> Parts:
    """Return topics, ACLs, quotas, brokers' dynamic configs and users, each by what it is looked up by.

    Args:
        admin: A client of the cluster, which has to outlive all that it was requested: librdkafka ends a process that
            lets one go while it still answers.
        bootstrap_servers: The cluster.
        brokers: Ids of its brokers, all of which are up.
    """
    return {
        "topics": _topics(admin),
        "acls": _acls(admin),
        "quotas": _quotas(bootstrap_servers),
        "brokers": _brokers(admin, brokers),
        "users": _users(admin),
    }


def differences(replica: Mapping[str, Any], truth: Parts) -> list[str]:
    """Return a line for each part of a replica that is not as the brokers say; ``totals`` and ``meta`` among them."""
    kept = _as_truth(replica)
    lines = [_difference(part, kept[part], truth[part]) for part in truth if kept[part] != truth[part]]
    topics = truth["topics"].values()
    totals = {
        "topics": len(topics),
        "partitions": sum(len(topic["assignments"]) for topic in topics),
        "replicas": sum(len(nodes) for topic in topics for nodes in topic["assignments"].values()),
    }
    counts = {name: replica.get("totals", {}).get(name) for name in totals}
    if counts != totals:
        lines.append(f"totals are {counts}, not {totals}")
    meta = replica.get("meta", {})
    if meta.get("topics") != len(topics) or meta.get("unknown"):
        lines.append(f"meta: {meta.get('topics')} topics, unknown {meta.get('unknown')}")
    return lines


def _as_truth(replica: Mapping[str, Any]) -> Parts:
    topics = {
        name: {
            "id": topic.get("topicId"),
            "assignments": topic["replicasAssignments"],
            "configs": topic.get("configs"),
        }
        for name, topic in replica.get("topics", {}).items()
    }
    brokers = {
        node: (broker["configs"] if node == "" else broker.get("dynamicConfigs"))
        for node, broker in replica.get("brokers", {}).items()
    }
    acls: Parts = {}
    for of_principal in replica.get("acls", {}).values():
        for acl in of_principal:
            acls[" ".join(acl[field] for field in _OF_ACL)] = {}
    users = {name: user.get("scram") for name, user in replica.get("users", {}).items() if user.get("scram")}
    brokers.setdefault("", {})
    return {"topics": topics, "acls": acls, "quotas": replica.get("quotas", {}), "brokers": brokers, "users": users}


def _difference(part: str, kept: Mapping[str, Any], true: Mapping[str, Any]) -> str:
    unlike = sorted(key for key in kept.keys() | true.keys() if kept.get(key) != true.get(key))
    first = unlike[0]
    return f"{part}: {len(unlike)} differ, such as {first!r}: {kept.get(first)}, not {true.get(first)}"


def _topics(admin: AdminClient) -> Parts:
    names = sorted(name for name in admin.list_topics(timeout=_SECONDS).topics)
    topics: Parts = {}
    for start in range(0, len(names), _CHUNK):
        some = names[start : start + _CHUNK]
        described = admin.describe_topics(TopicCollection(some), request_timeout=_SECONDS)
        resources = [ConfigResource("TOPIC", name) for name in some]
        configs = {one.name: future for one, future in admin.describe_configs(resources, request_timeout=60).items()}
        for name, future in described.items():
            topic = future.result(_SECONDS)
            topics[name] = {
                "id": str(topic.topic_id).translate(_URL_SAFE),
                "assignments": {str(one.id): [node.id for node in one.replicas] for one in topic.partitions},
                "configs": _of(configs[name].result(_SECONDS), _OF_TOPIC),
            }
    return topics


def _of(entries: Mapping[str, Any], source: int) -> dict[str, str]:
    return {name: entry.value for name, entry in entries.items() if _source(entry) == source}


def _source(entry: Any) -> int:
    return int(getattr(entry.source, "value", entry.source))


def _acls(admin: AdminClient) -> Parts:
    filters: list[Any] = ["ANY", None, "ANY", None, None, "ANY", "ANY"]
    acls = admin.describe_acls(AclBindingFilter(*filters), request_timeout=_SECONDS).result(_SECONDS)
    return {
        " ".join(
            [
                *(acl.restype.name, acl.name, acl.resource_pattern_type.name, acl.principal, acl.host),
                *(acl.operation.name, acl.permission_type.name),
            ]
        ): {}
        for acl in acls
    }


def _quotas(bootstrap_servers: str) -> Parts:
    """Of users, and of clients of users, which is all that `tests.soak.churn` sets."""
    quotas: Parts = {}
    for kinds in (["users"], ["users", "clients"]):
        options = [word for kind in kinds for word in ("--entity-type", kind)]
        arguments = ["--bootstrap-server", bootstrap_servers, "--describe", *options]
        text = run_java("kafka.admin.ConfigCommand", arguments, class_path=build_class_path())
        for entity, values in _QUOTA.findall(text):
            given = {kind: "<default>" if default else name for default, kind, name in _ENTITY.findall(entity)}
            names = {"user": given.get("user-principal"), "client-id": given.get("client-id")}
            key = ",".join(f"{kind}={name}" for kind, name in names.items() if name is not None)
            limits = (pair.split("=") for pair in values.split(", "))
            quotas[key] = {name: float(limit) for name, limit in limits}
    return quotas


def _brokers(admin: AdminClient, brokers: tuple[int, ...]) -> Parts:
    parts: Parts = {"": {}}
    for node in brokers:
        ((_, future),) = admin.describe_configs([ConfigResource("BROKER", str(node))], request_timeout=60).items()
        entries = future.result(_SECONDS)
        parts[str(node)] = _of(entries, _OF_BROKER)
        for name, entry in entries.items():
            shared = [one.value for one in (entry, *entry.synonyms.values()) if _source(one) == _OF_ALL_BROKERS]
            if shared and entry.name == name:
                parts[""][name] = shared[0]
    return parts


def _users(admin: AdminClient) -> Parts:
    described: Callable[..., Any] = admin.describe_user_scram_credentials
    users = described(None, request_timeout=_SECONDS).result(_SECONDS)
    return {
        name: {_SCRAM[int(one.mechanism.value)]: {"iterations": one.iterations} for one in user.scram_credential_infos}
        for name, user in users.items()
    }
