"""CreateAcl and DeleteAcl: bindings, by CreateAcls, and the filters that delete them, by DeleteAcls."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.fixtures.conditions import eventually
from tests.oracle.broker import Answer, Answers, Broker, unused
from tests.oracle.cases.sampling import Case, complete

__all__ = ["created", "creations", "deleted", "deletions", "requested"]

_NO_CODE = 99  # of what Kafka has no name for
_CODES = {
    "resourceType": ("ANY", "TOPIC", "GROUP", "CLUSTER", "TRANSACTIONAL_ID", "DELEGATION_TOKEN", "USER"),
    "patternType": ("ANY", "MATCH", "LITERAL", "PREFIXED"),
    "operation": (
        *("ANY", "ALL", "READ", "WRITE", "CREATE", "DELETE", "ALTER", "DESCRIBE", "CLUSTER_ACTION", "DESCRIBE_CONFIGS"),
        *("ALTER_CONFIGS", "IDEMPOTENT_WRITE", "CREATE_TOKENS", "DESCRIBE_TOKENS", "TWO_PHASE_COMMIT"),
    ),
    "permissionType": ("ANY", "DENY", "ALLOW"),
}  # from code 1 on
_OTHER = ("", "UNKNOWN", "XX", "read", "topic ", "DescribeConfigs")  # one of them a name in small letters
_NAMES = ("", "*", "kafka-cluster", "Kafka-Cluster", "orders", " ", "a b", "ä", "x" * 300)
_PRINCIPALS = (
    "",
    "alice",
    ":",
    "User:",
    ":alice",
    "User:*",
    "User:alice",
    "Group:admins",
    "User:CN=a:b",
    "user:x",
    " User:x",
)
_HOSTS = ("", "*", "10.0.0.1", "no such host", "::1")
_FIELDS = ("resourceType", "resourceName", "patternType", "principal", "host", "operation", "permissionType")
_PLAIN = dict(zip(_FIELDS, ("TOPIC", "orders", "LITERAL", "User:alice", "*", "READ", "ALLOW"), strict=True))
# Bindings that are there while some filters delete: what they differ in is what filters name.
_FILTERS = 15
_PRESENT = [
    {**_PLAIN, field: value}
    for field, values in {
        "resourceType": ("TOPIC", "GROUP"),
        "resourceName": ("*", "a b"),
        "patternType": ("PREFIXED",),
        "principal": ("User:*", "User:u1", "Group:admins"),
        "host": ("10.0.0.1",),
        "operation": ("ALL", "WRITE"),
        "permissionType": ("DENY",),
    }.items()
    for value in values
]
_EDGES: Mapping[str, Sequence[str]] = {
    **{field: (*names, *_OTHER) for field, names in _CODES.items()},
    "resourceName": _NAMES,
    "principal": _PRINCIPALS,
    "host": _HOSTS,
}


def _code(field: str, name: str | None) -> int:
    upper = "ANY" if name is None else name.upper()
    return _CODES[field].index(upper) + 1 if upper in _CODES[field] else _NO_CODE


def _creation(name: str, acl: Mapping[str, str]) -> Case:
    sent = {
        "resourceType": _code("resourceType", acl["resourceType"]),
        "resourceName": acl["resourceName"],
        "resourcePatternType": _code("patternType", acl["patternType"]),
        "principal": acl["principal"],
        "host": acl["host"],
        "operation": _code("operation", acl["operation"]),
        "permissionType": _code("permissionType", acl["permissionType"]),
    }
    return Case(name, "CreateAcl", {"acl": dict(acl)}, sent)


def _deletion(name: str, acl: Mapping[str, str | None]) -> Case:
    sent = {
        "resourceTypeFilter": _code("resourceType", acl.get("resourceType")),
        "resourceNameFilter": acl.get("resourceName"),
        "patternTypeFilter": _code("patternType", acl.get("patternType")),
        "principalFilter": acl.get("principal"),
        "hostFilter": acl.get("host"),
        "operation": _code("operation", acl.get("operation")),
        "permissionType": _code("permissionType", acl.get("permissionType")),
    }
    return Case(name, "DeleteAcl", {"acl": dict(acl)}, sent)


def creations() -> list[Case]:
    """Every edge of every field, every operation on every type of resource, and random bindings."""
    edges = [
        _creation(f"{field} {value[:20]!r}", {**_PLAIN, field: value})
        for field, values in _EDGES.items()
        for value in values
    ]
    edges += [
        _creation(f"{operation} on a {type_}", {**_PLAIN, **_on(type_), "operation": operation})
        for type_ in _CODES["resourceType"]
        for operation in _CODES["operation"]
    ]
    return complete("CreateAcl", edges, lambda source, number: _creation(f"random {number}", _random(source)))


def deletions() -> list[Case]:
    """Every edge of every field in a filter, null and left out too, and random filters."""
    edges = [_deletion("nothing said", {}), _deletion("nulls", dict.fromkeys(_FIELDS))]
    edges += [
        _deletion(f"{field} {value[:20]!r}", {**_PLAIN, field: value})
        for field, values in _EDGES.items()
        for value in values
    ]
    return complete("DeleteAcl", edges, _draw_filter)


def _on(type_: str) -> dict[str, str]:
    return {"resourceType": type_, "resourceName": "kafka-cluster" if type_ == "CLUSTER" else "x"}


def _random(source: Random) -> dict[str, str]:
    """Mostly what Kafka takes: with an edge in every field nothing would come far."""
    return {
        field: source.choice(values) if source.random() < 0.25 else _PLAIN[field] for field, values in _EDGES.items()
    } | ({"principal": f"User:u{source.randint(0, 9999)}"} if source.random() < 0.5 else {})


def _draw_filter(source: Random, number: int) -> Case:
    left_out = {field for field in _FIELDS if source.random() < 0.1}
    filter_ = {
        field: None if source.random() < 0.1 else value
        for field, value in _random(source).items()
        if field not in left_out
    }
    return _deletion(f"random {number}", filter_)


def requested(_case: Case, state: Any, _change: Any) -> Any:
    """What is compared of what rules see: the binding, as Kafka has it."""
    return _as_kafka(state)


def _as_kafka(acl: Mapping[str, str]) -> dict[str, str]:
    return {field: acl[field].upper() if field in _CODES else acl[field] for field in _FIELDS}


def created(broker: Broker, every: Sequence[Case]) -> Answers:
    """What the broker answers to each case, and which binding there is then."""
    whole = [case for case in every if "ANY" in case.request["acl"].values() or "MATCH" in case.request["acl"].values()]
    found = _create(broker, [case for case in every if case not in whole]) | _create(broker, whole, together=1)
    there = _bindings(broker)
    return {
        case.name: replace(found[case.name], after=there.get(_identity(_as_kafka(case.request["acl"]))))
        if found[case.name].code == 0
        else found[case.name]
        for case in every
    }


def _create(broker: Broker, every: Sequence[Case], together: int = 100) -> dict[str, Answer]:
    return broker.in_order(
        "CreateAcls",
        {case.name: case.sent for case in every},
        lambda creations: {"creations": creations},
        lambda response: ((result.error_code, result.error_message) for result in response.results),
        together,
    )


def deleted(broker: Broker, every: Sequence[Case]) -> Answers:
    """What the broker answers to each case; the engine does not say which bindings a filter meets.

    What is gone is compared here, of some filters together: all that those which were taken met, and nothing else.
    """
    found: dict[str, Answer] = {}
    for start in range(0, len(every), _FILTERS):
        present = [_creation(f"present {i}", acl) for i, acl in enumerate(_PRESENT)]
        assert {0} == {answer.code for answer in _create(broker, present).values()}
        before = set(_bindings(broker))
        met: list[tuple[str, ...]] = []

        def results(response: Any, met: list[tuple[str, ...]] = met) -> Iterator[tuple[int, str | None]]:
            for result in response.filter_results:
                assert not (result.error_code and result.matching_acls)
                met += [_identity(_named(acl)) for acl in result.matching_acls]
                yield result.error_code, result.error_message

        some = {case.name: case.sent for case in every[start : start + _FILTERS]}
        found |= broker.in_order("DeleteAcls", some, lambda filters: {"filters": filters}, results)
        assert before - set(_bindings(broker)) == set(met)
    return found


def _bindings(broker: Broker) -> dict[Any, dict[str, str]]:
    """All bindings, once the broker knows what the controller has done."""
    last = _creation("last", {**_PLAIN, "principal": unused("User:last")})
    assert _create(broker, [last])["last"].code == 0

    def read() -> dict[Any, dict[str, str]] | None:
        found: dict[Any, dict[str, str]] = {}
        response = broker.send("DescribeAcls", _deletion("all", {}).sent)
        for resource in response.resources:
            for acl in resource.acls:
                pattern = (resource.resource_type, resource.resource_name, resource.pattern_type)
                binding = _binding(*pattern, acl.principal, acl.host, acl.operation, acl.permission_type)
                found[_identity(binding)] = binding
        return found if _identity(_as_kafka(last.request["acl"])) in found else None

    return eventually(read, "the broker knows of all bindings")


def _identity(binding: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(binding[field] for field in _FIELDS)


def _binding(*values: Any) -> dict[str, str]:
    return {
        field: _CODES[field][value - 1] if field in _CODES else value
        for field, value in zip(_FIELDS, values, strict=True)
    }


def _named(acl: Any) -> dict[str, str]:
    """A binding that a filter met."""
    pattern = (acl.resource_type, acl.resource_name, acl.pattern_type)
    return _binding(*pattern, acl.principal, acl.host, acl.operation, acl.permission_type)
