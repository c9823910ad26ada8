"""The entries of a state that come with one resource."""

from typing import Any

import pytest

from tests.fixtures.operations import operations
from warden.analyse.scan.own_state import select_resource_state

pytestmark = pytest.mark.process

STATE: dict[str, Any] = {
    "users": {"alice": {"SCRAM-SHA-256": 4096}},
    "topics": {"t": {}},
    "clientConfigs": {"alice": {"": {"acks": "-1"}, "app": {"acks": "0"}, "other": {}}, "bob": {"": {}}},
    "staticClientConfigs": {"alice": {"app": {"consumer": {"group.id": " g "}}}},
    "groups": {"g": {"members": 1}, "h": {}},
}


def _own(operation: str, state: dict[str, Any], **names: str) -> dict[str, Any]:
    return select_resource_state(operations()[operation]["own"], names, state)


@pytest.mark.parametrize(
    ("principal", "topic", "expected"),
    [
        ("User:alice", "t", {"users": {"alice": {"SCRAM-SHA-256": 4096}}, "topics": {"t": {}}}),
        ("User:al", "u", {"users": {}, "topics": {}}),
        ("alice", "", {"users": {}, "topics": {}}),
        ("User:", "t", {"users": {}, "topics": {"t": {}}}),
    ],
)
def test_of_an_acl(principal: str, topic: str, expected: dict[str, Any]) -> None:
    """The user and the topic that it names; a part without them is there all the same."""
    assert expected == _own("AuditAcl", STATE, principal=principal, resourceName=topic)


def test_of_a_client() -> None:
    """Its user's configs and its own, its file, and the group that the file names, without the blanks around it."""
    assert {
        "clientConfigs": {"alice": {"": {"acks": "-1"}, "app": {"acks": "0"}}},
        "staticClientConfigs": STATE["staticClientConfigs"],
        "groups": {"g": {"members": 1}},
    } == _own("AuditClientConfigs", STATE, user="alice", clientId="app")
    assert {"clientConfigs": {"bob": {"": {}}}, "staticClientConfigs": {}, "groups": {}} == _own(
        "AuditClientConfigs", STATE, user="bob", clientId=""
    )


@pytest.mark.parametrize("state", [{}, {"users": None, "groups": None}])
def test_what_is_not_in_the_state(state: dict[str, Any]) -> None:
    """It stays absent: unknown is not empty."""
    assert {} == _own("AuditAcl", state, principal="User:a", resourceName="t")
    assert {} == _own("AuditClientConfigs", state, user="a", clientId="b")


def test_a_value_that_names_nothing() -> None:
    """A group id that is not a text names no group."""
    odd = {**STATE, "staticClientConfigs": {"alice": {"app": {"consumer": {"group.id": 5}}}}}

    assert {} == _own("AuditClientConfigs", odd, user="alice", clientId="app")["groups"]
