"""Valid decision inputs of every form that a request may have, and what they become with one thing wrong."""

import copy
from collections.abc import Iterator
from typing import Any

from tests.rego.contract.documents import VALID, find_at

__all__ = ["DOCUMENTS", "mutants", "unmutated"]

_ENTITY = {"user": "alice", "clientId": None}
_REQUESTS: dict[str, tuple[str, dict[str, Any]]] = {
    "a topic with its assignment": (
        "CreateTopic",
        {"topic": "t", "replicasAssignments": {"0": [1, 2], "1": [2, 3]}, "configs": {"retention.ms": None}},
    ),
    "partitions that are added": ("AlterTopic", {"topic": "t", "numPartitions": 3, "newAssignments": [[1, 2], [2]]}),
    "other labels": ("AlterTopic", {"topic": "t", "labels": {"owner": "shop"}}),
    "a number of replicas": ("AlterTopic", {"topic": "t", "replicationFactor": 3}),
    "a reassignment": ("AlterTopic", {"topic": "t", "reassignments": {"0": [4, 5], "1": None}}),
    "configs as a whole": (
        "AlterTopic",
        {"topic": "t", "configs": {"mode": "full", "entries": {"retention.ms": "1", "retention.bytes": None}}},
    ),
    "configs before and after": (
        "AlterTopic",
        {"topic": "t", "configs": {"mode": "resolved", "before": {"retention.ms": "1"}, "after": {}}},
    ),
    "several changes": (
        "AlterBroker",
        {
            "broker": "",
            "configs": {
                "mode": "incremental",
                "ops": [
                    {"name": "cleanup.policy", "op": "APPEND", "value": "compact"},
                    {"name": "log.retention.ms", "op": "SET", "value": None},
                ],
            },
        },
    ),
    "a filter of ACLs": ("DeleteAcl", {"acl": {"principal": None, "host": "*"}}),
    "a quota that is removed": (
        "AlterQuota",
        {"entity": {"user": None, "clientId": "app", "ip": "10.0.0.1"}, "ops": [{"key": "k", "remove": True}]},
    ),
    "both of a quota": ("AlterQuota", {"entity": {}, "ops": [{"key": "k", "value": 1.5, "remove": False}]}),
    "credentials that go": ("AlterScram", {"user": "a", "mechanism": "SCRAM-SHA-512", "remove": True}),
    "client configs": (
        "DescribeClientConfigs",
        {
            "components": [
                {"entityType": "user", "matchType": "exact", "match": "alice"},
                {"entityType": "client-id", "matchType": 1},
            ],
            "resolveEntity": True,
            "strict": False,
            "supportedConfigs": ["acks"],
            "softwareName": "librdkafka",
            "softwareVersion": "2.6",
        },
    ),
    "a client that does not say": ("DescribeClientConfigs", {"components": [], "supportedConfigs": None}),
    "client configs that are set": (
        "AlterClientConfigs",
        {"entity": _ENTITY, "ops": [{"key": "acks", "value": "all"}, {"key": "acks", "remove": True}]},
    ),
    "client configs that are audited": ("AuditClientConfigs", {"entity": _ENTITY}),
}
_ENVELOPE = {
    "cluster": "prod-eu",
    "principal": {"type": "User", "name": "alice", "host": "10.0.0.1"},
    "enforcementPoint": "ci",
    "validateOnly": False,
    "now": "2026-11-21T10:00:00Z",
    "clusterState": {},
    "api": {"key": "CreateTopics", "version": 7},
}
DOCUMENTS: dict[str, dict[str, Any]] = {
    **{operation: document | {"clusterState": {}} for operation, document in VALID.items()},
    **{
        name: {**_ENVELOPE, "operation": operation, "request": request}
        for name, (operation, request) in _REQUESTS.items()
    },
}
"""By name; the state is left empty, since no schema and no check of form looks into it."""

_VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    7,
    1.5,
    -2,
    "",
    "x",
    "CreateTopic",
    [],
    {},
    [1],
    ["x"],
    {"x": 1},
    {"0": [1]},
    [{}],
)
_UNKNOWN = "unknownField"


def unmutated() -> Iterator[tuple[str, Any]]:
    """Yield (name, document) of those that are as the contract says."""
    yield from DOCUMENTS.items()


def mutants() -> Iterator[tuple[str, Any]]:
    """Yield (what was done, document): a field taken out, a field added, a value of another kind, at every depth."""
    for name, document in DOCUMENTS.items():
        for path in _paths(document):
            where = f"{name}: {'.'.join(map(str, path))}"
            if path:
                yield f"{where} is missing", _with(document, path, None, remove=True)
                yield from ((f"{where} is {value!r}", _with(document, path, value)) for value in _VALUES)
            if isinstance(find_at(document, path), dict):
                for value in (1, "x", None):
                    yield f"{where} has more, {value!r}", _with(document, (*path, _UNKNOWN), value)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if path[-1:] == ("clusterState",):
        return
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inside:
        yield from _paths(below, (*path, key))


def _with(document: Any, path: tuple[Any, ...], value: Any, *, remove: bool = False) -> Any:
    copied = copy.deepcopy(document)
    place = find_at(copied, path[:-1])
    if remove:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return copied
