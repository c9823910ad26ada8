"""Resources of Terraform's Kafka providers, one reader each.

They are those of Mongey/kafka, confluentinc/confluent, aiven/aiven, redpanda-data/redpanda and hashicorp/aws.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from warden.analyse.check.model import Declaration, SkippedDocument, UnusableDeclaration
from warden.analyse.check.readers.acls import ANY_HOST, format_acl_word
from warden.analyse.check.readers.aiven import AIVEN_RATES, expand_aiven_acl, find_aiven_entity
from warden.analyse.check.readers.role_bindings import expand_role, parse_crn_resources
from warden.analyse.check.readers.terraform.planned_change import (
    PlannedChange,
    read_count,
    read_rate,
    read_string,
    refuse_unknown,
)
from warden.analyse.check.readers.terraform.topics import TopicAttributes
from warden.base.did_you_mean import describe_unknown

__all__ = ["READERS", "TOPIC_RESOURCES", "is_about_kafka"]

_CONFLUENT_RATES = {"ingress_byte_rate": "producer_byte_rate", "egress_byte_rate": "consumer_byte_rate"}
_ITERATIONS = 4096  # of Mongey's provider, where nothing is said
_CONFLUENT_PARTITIONS = 6  # of its provider, where nothing is said


def _build_acl_reader(resource: str, fields: Mapping[str, str]) -> Callable[[str, PlannedChange], Declaration | None]:
    def read(action: str, change: PlannedChange) -> Declaration | None:
        values = change.before if action == "delete" else change.after
        unknown = [name for name in fields.values() if action != "delete" and change.is_unknown(name)]
        if unknown:
            raise UnusableDeclaration(change.line, f"{unknown[0]} {change.when}: it is not evaluated")
        raw = {"patternType": "Literal", "host": ANY_HOST}
        raw |= {field: values[name] for field, name in fields.items() if values.get(name) is not None}
        plain = {"resourceName", "principal", "host"}
        acl = {field: str(value) if field in plain else format_acl_word(str(value)) for field, value in raw.items()}
        if missing := sorted(fields.keys() - acl.keys()):
            raise UnusableDeclaration(change.line, f"{fields[missing[0]]} of {resource} is missing: write it")
        return change.declare("DeleteAcl" if action == "delete" else "CreateAcl", {"acl": acl})

    return read


def _read_quota(action: str, change: PlannedChange) -> Declaration | None:
    values = change.before if action == "delete" else change.after
    refuse_unknown(action, change, "entity_name", "entity_type", "config")
    kinds = {"user": "user", "client-id": "clientId", "ip": "ip"}
    if values["entity_type"] not in kinds:
        raise UnusableDeclaration(change.line, describe_unknown("entity_type", str(values["entity_type"]), kinds))
    entity = {kinds[values["entity_type"]]: values.get("entity_name") or None}
    config = values.get("config") or {}
    ops = (
        [{"key": key, "remove": True} for key in config]
        if action == "delete"
        else [{"key": key, "value": read_rate(config, key)} for key in config]
        + [{"key": key, "remove": True} for key in (change.before.get("config") or {}) if key not in config]
    )
    return change.declare("AlterQuota", {"entity": entity, "ops": ops})


def _iter_confluent_quotas(action: str, change: PlannedChange) -> Iterator[Declaration]:
    """A quota for each principal, ``<default>`` for all others; of one that is named no more it goes."""
    refuse_unknown(action, change, "principals", "throughput")
    if (
        action != "delete"
        and isinstance(change.unknown, dict)
        and (any(change.unknown.get("principals") or ()) or any(map(any, change.unknown.get("throughput") or ())))
    ):
        raise UnusableDeclaration(change.line, f"one of principals or throughput {change.when}: it is not evaluated")
    after = {} if action == "delete" else change.after
    rates = (after.get("throughput") or [{}])[0]
    ops = [
        {"key": key, "value": read_rate(rates, field)} for field, key in _CONFLUENT_RATES.items() if rates.get(field)
    ]
    gone = [{"key": key, "remove": True} for key in _CONFLUENT_RATES.values()]
    named = after.get("principals") or []
    for principal in dict.fromkeys([*named, *(change.before.get("principals") or [])]):
        entity = {"user": None if principal == "<default>" else str(principal)}
        yield change.declare("AlterQuota", {"entity": entity, "ops": ops if principal in named else gone})


def _iter_aiven_acls(action: str, change: PlannedChange) -> Iterator[Declaration]:
    """The ACLs of Kafka that are the same as one of Aiven's own."""
    names = ("topic", "username", "permission")
    refuse_unknown(action, change, *names)
    values = change.before if action == "delete" else change.after
    topic, username, permission = (read_string(values, name) for name in names)
    for acl in expand_aiven_acl(topic, username, permission, change.line):
        yield change.declare("DeleteAcl" if action == "delete" else "CreateAcl", {"acl": acl})


def _read_aiven_quota(action: str, change: PlannedChange) -> Declaration:
    """A quota of a user, a client id or both; a key that is named no more goes."""
    refuse_unknown(action, change, "user", "client_id", *AIVEN_RATES)
    values = change.before if action == "delete" else change.after
    entity = find_aiven_entity(values.get("user"), values.get("client_id"))
    if not entity:
        raise UnusableDeclaration(change.line, "user and client_id are missing: write one of the two")
    wanted = {} if action == "delete" else {key: values[key] for key in AIVEN_RATES if values.get(key) is not None}
    gone = [key for key in AIVEN_RATES if key not in wanted and change.before.get(key) is not None]
    ops = [{"key": key, "value": read_rate(wanted, key)} for key in wanted]
    ops += [{"key": key, "remove": True} for key in gone]
    return change.declare("AlterQuota", {"entity": entity, "ops": ops})


def _read_scram(action: str, change: PlannedChange) -> Declaration:
    """A credential; its password is not read."""
    refuse_unknown(action, change, "username", "scram_mechanism")
    values = change.before if action == "delete" else change.after
    user, mechanism = (read_string(values, name) for name in ("username", "scram_mechanism"))
    is_open = change.is_unknown("scram_iterations")
    iterations = {} if is_open else {"iterations": read_count(values, "scram_iterations", 0) or _ITERATIONS}
    request = {"user": user, "mechanism": mechanism} | ({"remove": True} if action == "delete" else iterations)
    unknown = ("/request/iterations",) if is_open and action != "delete" else ()
    return change.declare("AlterScram", request, unknown=unknown)


def _iter_role_acls(action: str, change: PlannedChange) -> Iterator[Declaration | SkippedDocument]:
    """The ACLs of Kafka that grant the same as a role; a binding about another product has none."""
    refuse_unknown(action, change, "principal", "role_name", "crn_pattern")
    values = change.before if action == "delete" else change.after
    principal, role, crn = (read_string(values, name) for name in ("principal", "role_name", "crn_pattern"))
    resources = parse_crn_resources(crn, change.line)
    lines = {"role": change.line, "resources": change.line}
    acls = [] if resources == [] else list(expand_role(role, principal, resources, lines))
    if not acls:
        yield SkippedDocument(
            change.file, change.line, f"{change.address}, which grants nothing of Kafka's", is_known=True
        )
    for acl in acls:
        yield change.declare("DeleteAcl" if action == "delete" else "CreateAcl", {"acl": acl})


_NATIVE = {
    "resourceType": "resource_type",
    "resourceName": "resource_name",
    "patternType": "pattern_type",
    "principal": "principal",
    "host": "host",
    "operation": "operation",
    "permissionType": "permission_type",
}

TOPIC_RESOURCES: Mapping[str, TopicAttributes] = {
    "kafka_topic": TopicAttributes("name", "partitions", "replication_factor", "config"),
    "confluent_kafka_topic": TopicAttributes("topic_name", "partitions_count", "", "config", _CONFLUENT_PARTITIONS),
    "aiven_kafka_topic": TopicAttributes(
        "topic_name", "partitions", "replication", "config", shape="block", tags="tag"
    ),
    "redpanda_topic": TopicAttributes(
        "name", "partition_count", "replication_factor", "configuration", assignments="replica_assignments"
    ),
    "aws_msk_topic": TopicAttributes("name", "partition_count", "replication_factor", "configs", shape="json"),
}
"""Type of a resource that is a topic → where it has its fields."""

READERS: Mapping[str, Callable[[str, PlannedChange], Declaration | Iterable[Declaration | SkippedDocument] | None]] = {
    **{type: topic.read for type, topic in TOPIC_RESOURCES.items()},
    "kafka_acl": _build_acl_reader(
        "kafka_acl",
        {
            "resourceType": "resource_type",
            "resourceName": "resource_name",
            "patternType": "resource_pattern_type_filter",
            "principal": "acl_principal",
            "host": "acl_host",
            "operation": "acl_operation",
            "permissionType": "acl_permission_type",
        },
    ),
    "confluent_kafka_acl": _build_acl_reader("confluent_kafka_acl", {**_NATIVE, "permissionType": "permission"}),
    "kafka_quota": _read_quota,
    "kafka_user_scram_credential": _read_scram,
    "confluent_kafka_client_quota": _iter_confluent_quotas,
    "confluent_role_binding": _iter_role_acls,
    "aiven_kafka_acl": _iter_aiven_acls,
    "aiven_kafka_native_acl": _build_acl_reader("aiven_kafka_native_acl", _NATIVE),
    "aiven_kafka_quota": _read_aiven_quota,
    "redpanda_acl": _build_acl_reader("redpanda_acl", {**_NATIVE, "patternType": "resource_pattern_type"}),
}
"""Type of a resource → its reader; of others those about Kafka are errors."""

_ABOUT_KAFKA = re.compile(
    r"(?=.*(kafka|confluent|msk|redpanda|conduktor)).*_(topic|acl|quota|role_binding|role_assignment|scram_credential)(_v\d+)?"
)


def is_about_kafka(type: str) -> bool:
    """Whether a type of resource is about what Warden decides, whether it has a reader or not.

    Args:
        type: Such as ``kafka_topic``.
    """
    return type in READERS or _ABOUT_KAFKA.fullmatch(type) is not None
