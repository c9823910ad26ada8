"""Filters, compared with a real broker's DescribeClientQuotas for the same entities."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fixtures.asking import Ask
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.login.connection import Connection, connect

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_DEFAULT = "<default>"
_ABSENT = ""
# Every combination of a user (some, the default) with no client-id, some and the default.
_ENTITIES = [*itertools.product(["alice", "bob", _DEFAULT], [_ABSENT, "app", "reader", _DEFAULT]), ("carol", "app")]

Entity = frozenset[tuple[str, str | None]]


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    """A broker that has a quota for each entity."""
    with LocalBroker() as broker, connect(broker.bootstrap_servers) as open_connection:
        _fill(open_connection)
        yield open_connection


def _fill(connection: Connection) -> None:
    from kafka.protocol.admin import AlterClientQuotasRequest

    entry = AlterClientQuotasRequest.EntryData
    entries = [
        entry(
            entity=[entry.EntityData(entity_type=kind, entity_name=name) for kind, name in sorted(entity)],
            ops=[entry.OpData(key="producer_byte_rate", value=1000.0, remove=False)],
        )
        for entity in _entities()
    ]
    connection.send(AlterClientQuotasRequest(entries=entries, validate_only=False), check=False)


def _entities() -> list[Entity]:
    return [
        frozenset({("user", _name(user)), *([("client-id", _name(client))] if client else [])})
        for user, client in _ENTITIES
    ]


def _name(key: str) -> str | None:
    return None if key == _DEFAULT else key


def _filters() -> list[dict[str, Any]]:
    matches: list[tuple[int, str | None]] = [
        (0, "alice"),
        (0, "carol"),
        (0, "app"),
        (0, "zoe"),
        (0, ""),
        (1, None),
        (2, None),
    ]
    users = [{"entityType": "user", "matchType": kind, "match": name} for kind, name in matches]
    clients = [{"entityType": "client-id", "matchType": kind, "match": name} for kind, name in matches]
    return [
        {"components": [user, *([client] if client else [])], "strict": strict}
        for user, client, strict in itertools.product(users, [None, *clients], [False, True])
    ]


def _of_kafka(connection: Connection, request: dict[str, Any]) -> set[Entity]:
    from kafka.protocol.admin import DescribeClientQuotasRequest

    component = DescribeClientQuotasRequest.ComponentData
    components = [
        component(entity_type=one["entityType"], match_type=one["matchType"], match=one["match"])
        for one in request["components"]
    ]
    response = connection.send(DescribeClientQuotasRequest(components=components, strict=request["strict"]))
    return {
        frozenset((part.entity_type, part.entity_name) for part in entry.entity) for entry in response.entries or ()
    }


def _of_decision(decision: dict[str, Any]) -> set[Entity]:
    names = {"user": "user", "clientId": "client-id"}
    return {frozenset((names[kind], name) for kind, name in entry["entity"].items()) for entry in decision["entries"]}


def test_filters_match_what_a_broker_matches(connection: Connection, ask: Ask) -> None:
    """Every match type of user and client-id, strict and not: the same entities."""
    stored: dict[str, Any] = {}
    for user, client in _ENTITIES:
        stored.setdefault(user, {})[client] = {"acks": "1", "producer_byte_rate": "1000"}
    requests = _filters()
    questions = [
        {
            "operation": "DescribeClientConfigs",
            "cluster": "c",
            "principal": {"type": "User", "name": "admin"},
            "request": request,
            "clusterState": {"clientConfigs": stored, "acls": {}},
        }
        for request in requests
    ]
    decided = [_of_decision(decision) for decision in ask("kafka.decision", questions)]
    expected = [_of_kafka(connection, request) for request in requests]

    assert len(_ENTITIES) == max(map(len, expected))
    assert [] == [case for case in zip(requests, expected, decided, strict=True) if case[1] != case[2]]
