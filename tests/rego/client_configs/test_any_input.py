"""Whatever JSON comes in, an answer comes out that says what is wrong: never a failure, never an allow."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from tests.bench.decisions.growth import clusters, demanding
from tests.fixtures.asking import Ask

pytestmark = pytest.mark.opa

# What no field takes, and what some take.
_WRONG = [3.5, [[1]], {"zz": {"y": None}}]
_OTHER: list[Any] = [None, "", "x", 0, True, [], {}]

_STATE = {"acls": {}, "clientConfigs": {"alice": {"": {"acks": "1"}, "app": {"acks": "0"}}}}
_EXACT = {"matchType": "exact"}
_REQUESTS: list[tuple[str, dict[str, Any]]] = [
    (
        "DescribeClientConfigs",
        {
            "components": [
                {"entityType": "user", "match": "alice", **_EXACT},
                {"entityType": "client-id", "match": "app", **_EXACT},
            ],
            "resolveEntity": False,
            "strict": True,
        },
    ),
    (
        "AlterClientConfigs",
        {
            "entity": {"user": "alice", "clientId": "app"},
            "ops": [{"key": "acks", "value": "all"}, {"key": "session.timeout.ms", "remove": True}],
        },
    ),
    ("AuditClientConfigs", {"entity": {"user": "alice", "clientId": "app"}}),
]
_EFFECTIVE = {"cluster": "c", "user": "alice", "clientId": "app", "clusterState": _STATE}
_ACCEPTED = {"kind": "producer", "static": {"acks": "1", "retries": "1"}, "dynamic": {"acks": "0"}}


def _decision(operation: str, request: dict[str, Any]) -> dict[str, Any]:
    document = {
        "operation": operation,
        "cluster": "c",
        "principal": {"type": "User", "name": "admin"},
        "request": request,
    }
    return {**document, "clusterState": _STATE}


def _places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every field and element."""
    items = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in items:
        yield (*path, key)
        yield from _places(value, (*path, key))


def _spoiled(document: Any, values: list[Any]) -> list[Any]:
    """The document with each of the values at each of its places, and the values themselves."""
    found: list[Any] = list(values)
    for path in _places(document):
        for value in values:
            copied = copy.deepcopy(document)
            place = copied
            for piece in path[:-1]:
                place = place[piece]
            place[path[-1]] = value
            found.append(copied)
    return found


@pytest.mark.parametrize(("operation", "request_"), _REQUESTS)
def test_decisions(ask: Ask, operation: str, request_: dict[str, Any]) -> None:
    """A request with a value that a field does not take is denied with an error; the good one is allowed."""
    requests = [request for request in _spoiled(request_, _WRONG) if isinstance(request, dict)]
    good, *decisions = ask("kafka.decision", [_decision(operation, one) for one in [request_, *requests]])

    assert good["allowed"]
    assert len(requests) == len(decisions)
    assert [] == [pair for pair in zip(requests, decisions, strict=True) if pair[1]["allowed"] or not pair[1]["errors"]]


@pytest.mark.parametrize(("operation", "request_"), _REQUESTS)
def test_every_document_gets_a_decision(ask: Ask, operation: str, request_: dict[str, Any]) -> None:
    """Also where envelope or state are spoiled, and where a value could be meant; allowed is the same as no errors."""
    questions = _spoiled(_decision(operation, request_), [*_WRONG, *_OTHER])
    decisions = ask("kafka.decision", questions)

    assert len(questions) == len(decisions)
    assert [] == [decision for decision in decisions if decision["allowed"] != (decision["errors"] == [])]
    assert [] == [
        d for d in decisions if not d["allowed"] and any(entry.get("apply") for entry in d.get("entries", []))
    ]


@pytest.mark.parametrize(("path", "question"), [("effective", _EFFECTIVE), ("accepted", _ACCEPTED)])
def test_entry_points(ask: Ask, path: str, question: dict[str, Any]) -> None:
    """Every input has an answer; one that cannot be read gets errors, and nothing in force."""
    questions = _spoiled(question, [*_WRONG, *_OTHER])
    answers = ask(f"kafka.client_configs.{path}", questions)
    wrong = ask(f"kafka.client_configs.{path}", _WRONG)

    assert len(questions) == len(answers)
    assert [] == [answer for answer in answers if "errors" in answer and (not answer["errors"] or answer["configs"])]
    assert [True] * len(_WRONG) == ["errors" in answer for answer in wrong]


@pytest.mark.parametrize("path", ["admission", "placement", "remediation", "render.rendered"])
def test_placement(ask: Ask, path: str) -> None:
    """Any object gets an answer; a value that an annotation, a label or metadata does not take is an error."""
    thing = demanding()
    wrap = {"remediation": lambda one: {"object": one}, "render.rendered": lambda one: {"object": one, "target": "ocm"}}
    wrapped = wrap.get(path, lambda one: one)
    questions = [wrapped(one) for one in _spoiled(thing, [*_WRONG, *_OTHER])]
    answers = ask(f"io.k8s.federation.{path}", questions)
    metadata = {**thing["metadata"], "labels": {"a": "b"}}
    bad = [wrapped({**thing, "metadata": one}) for one in _spoiled(metadata, [[[1]], 3.5]) if one != metadata]
    refused = ask(f"io.k8s.federation.{path}", bad)

    assert len(questions) == len(answers)
    assert [] == [pair for pair in zip(bad, refused, strict=True) if not pair[1].get("errors")]


def test_spoiled_clusters_place_nothing(ask: Ask) -> None:
    """The index of clusters is made of whatever is replicated."""
    questions = [{"clusters": one} for one in _spoiled(clusters(2), [*_WRONG, *_OTHER])]

    assert len(questions) == len(ask("io.k8s.federation.index", questions))
