"""Resources of Terraform's Kafka providers, one reader each: Mongey/kafka and confluentinc/confluent."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from warden.check.model import Declared, Refused
from warden.check.resolve import new_numbers, note_of_numbers
from warden.check.users import ANY_HOST, acl_word

__all__ = ["READERS", "Change"]

_CONFLUENT_RATES = {"ingress_byte_rate": "producer_byte_rate", "egress_byte_rate": "consumer_byte_rate"}
_CONFLUENT_PARTITIONS = 6  # of its provider, where nothing is said


@dataclass(frozen=True)
class Change:
    """A resource's change in a plan.

    Args:
        file, line: Where it is declared.
        address: Terraform's name for it.
        before, after: Its attributes, {} where there are none.
        unknown: What of `after` is known only once the plan is applied, in the same shape with true at the leaves.
    """

    file: str
    line: int
    address: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    unknown: Any

    def is_unknown(self, name: str) -> bool:
        """Whether an attribute as a whole is not known."""
        return self.unknown is True or (isinstance(self.unknown, dict) and self.unknown.get(name) is True)

    def unknown_keys(self, name: str) -> list[str]:
        """Return the keys of a map whose values are not known."""
        inner = self.unknown.get(name) if isinstance(self.unknown, dict) else None
        return [key for key, value in inner.items() if value is True] if isinstance(inner, dict) else []


@dataclass(frozen=True)
class _Topic:
    """Where a resource of a topic has its fields."""

    name: str
    partitions: str
    replicas: str
    configs: str
    left_out: Literal["reset", "keep"]
    absent: int = -1

    def read(self, action: str, change: Change) -> Declared | None:
        """Return what is to be decided."""
        values = change.before if action == "delete" else change.after
        where: dict[str, Any] = {
            "format": "terraform",
            "file": change.file,
            "line": change.line,
            "address": change.address,
        }
        if action != "delete" and change.is_unknown(self.name):
            raise Refused(change.line, "the topic's name is known only after apply: it is not evaluated")
        topic = _string(values, self.name)
        before = self._state(change.before) if action != "create" and change.before else None
        if action == "delete":
            return Declared(operation="DeleteTopic", request={"topic": topic}, before=before, **where)
        unknown = list(self._unknown(change))
        if action == "create":
            return Declared(
                operation="CreateTopic",
                request={"topic": topic, **self._numbers(values), "configs": self._configs(values)},
                unknown=tuple(unknown),
                **where,
            )
        old, new = self._configs(change.before), self._configs(change.after)
        new |= {name: old[name] for name in change.unknown_keys(self.configs) if name in old}
        if change.is_unknown(self.configs):
            new = dict(old)
        request: dict[str, Any] = {"topic": topic, "configs": {"mode": "resolved", "before": old, "after": new}}
        before_numbers = self._numbers(change.before)
        request |= new_numbers(self._numbers(values), before_numbers)
        note = note_of_numbers(request, before_numbers)
        return Declared(
            operation="AlterTopic", request=request, before=before, unknown=tuple(unknown), note=note, **where
        )

    def _unknown(self, change: Change) -> Iterator[str]:
        if change.is_unknown(self.partitions):
            yield "/request/numPartitions"
        if not self.replicas or change.is_unknown(self.replicas):
            yield "/request/replicationFactor"
        if change.is_unknown(self.configs):
            yield "/request/configs"
        for key in change.unknown_keys(self.configs):
            yield f"/request/configs/{key.replace('~', '~0').replace('/', '~1')}"

    def _state(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The topic before the change, as far as the plan has refreshed it."""
        return {"replicationFactor": -1, **self._numbers(values), "configs": self._configs(values)}

    def _numbers(self, values: Mapping[str, Any]) -> dict[str, int]:
        numbers = {"numPartitions": self._number(values, self.partitions, self.absent)}
        return numbers | ({"replicationFactor": self._number(values, self.replicas, -1)} if self.replicas else {})

    def _configs(self, values: Mapping[str, Any]) -> dict[str, str]:
        configs = values.get(self.configs) or {}
        return {name: str(value) for name, value in configs.items() if value is not None}

    @staticmethod
    def _number(values: Mapping[str, Any], name: str, absent: int) -> int:
        value = values.get(name)
        return absent if value is None else int(value)


def _string(values: Mapping[str, Any], name: str) -> str:
    value = values[name]
    if not isinstance(value, str) or not value:
        raise Refused(1, f"{name} is not a text")
    return value


def _acl(resource: str, fields: Mapping[str, str]) -> Callable[[str, Change], Declared | None]:
    def read(action: str, change: Change) -> Declared | None:
        values = change.before if action == "delete" else change.after
        unknown = [name for name in fields.values() if action != "delete" and change.is_unknown(name)]
        if unknown:
            raise Refused(change.line, f"{unknown[0]} is known only after apply: it is not evaluated")
        given = {"patternType": "Literal", "host": ANY_HOST}
        given |= {field: values[name] for field, name in fields.items() if values.get(name) is not None}
        plain = {"resourceName", "principal", "host"}
        acl = {field: str(value) if field in plain else acl_word(str(value)) for field, value in given.items()}
        if missing := sorted(fields.keys() - acl.keys()):
            raise Refused(change.line, f"{fields[missing[0]]} of {resource} is missing")
        return Declared(
            format="terraform",
            operation="DeleteAcl" if action == "delete" else "CreateAcl",
            request={"acl": acl},
            file=change.file,
            line=change.line,
            address=change.address,
        )

    return read


def _quota(action: str, change: Change) -> Declared | None:
    values = change.before if action == "delete" else change.after
    _refuse_unknown(action, change, "entity_name", "entity_type", "config")
    kinds = {"user": "user", "client-id": "clientId", "ip": "ip"}
    entity = {kinds[values["entity_type"]]: values.get("entity_name") or None}
    config = values.get("config") or {}
    ops = (
        [{"key": key, "remove": True} for key in config]
        if action == "delete"
        else [{"key": key, "value": float(value)} for key, value in config.items()]
        + [{"key": key, "remove": True} for key in (change.before.get("config") or {}) if key not in config]
    )
    return _altered_quota(entity, ops, change)


def _refuse_unknown(action: str, change: Change, *names: str) -> None:
    for name in names:
        if action != "delete" and (change.is_unknown(name) or change.unknown_keys(name)):
            raise Refused(change.line, f"{name} is known only after apply: it is not evaluated")


def _altered_quota(entity: Mapping[str, str | None], ops: list[dict[str, Any]], change: Change) -> Declared:
    return Declared(
        format="terraform",
        operation="AlterQuota",
        request={"entity": entity, "ops": ops},
        file=change.file,
        line=change.line,
        address=change.address,
    )


def _confluent_quota(action: str, change: Change) -> Iterator[Declared]:
    """A quota for each principal, ``<default>`` for all others; of one that is named no more it goes."""
    _refuse_unknown(action, change, "principals", "throughput")
    if (
        action != "delete"
        and isinstance(change.unknown, dict)
        and (any(change.unknown.get("principals") or ()) or any(map(any, change.unknown.get("throughput") or ())))
    ):
        raise Refused(change.line, "principals or throughput are known only after apply: it is not evaluated")
    after = {} if action == "delete" else change.after
    rates = (after.get("throughput") or [{}])[0]
    ops = [{"key": key, "value": float(rates[field])} for field, key in _CONFLUENT_RATES.items() if rates.get(field)]
    gone = [{"key": key, "remove": True} for key in _CONFLUENT_RATES.values()]
    named = after.get("principals") or []
    for principal in dict.fromkeys([*named, *(change.before.get("principals") or [])]):
        entity = {"user": None if principal == "<default>" else str(principal)}
        yield _altered_quota(entity, ops if principal in named else gone, change)


READERS: Mapping[str, Callable[[str, Change], Declared | Iterator[Declared] | None]] = {
    "kafka_topic": _Topic("name", "partitions", "replication_factor", "config", "reset").read,
    "confluent_kafka_topic": _Topic(
        "topic_name", "partitions_count", "", "config", "reset", _CONFLUENT_PARTITIONS
    ).read,
    "kafka_acl": _acl(
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
    "confluent_kafka_acl": _acl(
        "confluent_kafka_acl",
        {
            "resourceType": "resource_type",
            "resourceName": "resource_name",
            "patternType": "pattern_type",
            "principal": "principal",
            "host": "host",
            "operation": "operation",
            "permissionType": "permission",
        },
    ),
    "kafka_quota": _quota,
    "confluent_kafka_client_quota": _confluent_quota,
}
"""Type of a resource → its reader; of others in a plan those about Kafka are errors."""
