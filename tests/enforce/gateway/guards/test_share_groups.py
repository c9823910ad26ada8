"""Offsets of groups of a share, on a real broker: those of protected groups stay, others go as without the gateway."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from tests.enforce.gateway.frames import decode_response, new_word, raw_request
from tests.enforce.gateway.test_administration import sender
from tests.enforce.gateway.test_faults import receive
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.enforce.gateway.wire.frames import LENGTH

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

__all__ = ["sender"]

_ALTER = "AlterShareGroupOffsets"


class ShareGroups:
    """Groups of a share without members, which start at offset 0 of a topic."""

    def __init__(self, address: str, direct: socket.socket) -> None:
        self._direct = direct
        self.topic = f"shared.{new_word()}"
        admin = AdminClient({"bootstrap.servers": address})
        admin.create_topics([NewTopic(self.topic, 1, 1)])[self.topic].result(PATIENCE)

    def make(self, name: str) -> None:
        """Give a group a start, by which it comes to be; the first one makes the topic of their offsets."""
        eventually(lambda: self._answer(name, 0) == 0, f"a start of {name}")

    def _answer(self, name: str, offset: int) -> int:
        self._direct.sendall(raw_request(_ALTER, 0, self.start(name, offset)))
        answered = decode_response(_ALTER, 0, receive(self._direct))
        parts = [part["errorCode"] for topic in answered["responses"] for part in topic["partitions"]]
        code: int = answered["errorCode"] or max(parts, default=0)
        return code

    def start(self, name: str, offset: int) -> dict[str, Any]:
        """A request for another start."""
        partitions = [{"partitionIndex": 0, "startOffset": offset}]
        return {"groupId": name, "topics": [{"topicName": self.topic, "partitions": partitions}]}

    def deletion(self, name: str) -> dict[str, Any]:
        """A request for no start."""
        return {"groupId": name, "topics": [{"topicName": self.topic}]}

    def offsets(self, name: str) -> bytes:
        """What the broker says of a group's offsets (DescribeShareGroupOffsets), as it says it."""
        text = bytes([len(name) + 1]) + name.encode()
        self._direct.sendall(raw_request("DescribeShareGroupOffsets", 0, b"\x02" + text + b"\0\0\0"))
        answered: bytes = receive(self._direct)
        return answered[LENGTH + 4 :]


@pytest.fixture
def groups(broker) -> Iterator[ShareGroups]:
    """What makes groups of a share."""
    host, port = broker.bootstrap_servers.split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as direct:
        yield ShareGroups(broker.bootstrap_servers, direct)


def test_a_protected_group_keeps_its_start(sender, groups):
    """The broker sees neither request; the client gets the policy's sentence."""
    name = f"kept.{new_word()}"
    groups.make(name)
    before = groups.offsets(name)
    altered = sender("gate", _ALTER, 0, groups.start(name, 7))
    deleted = sender("gate", "DeleteShareGroupOffsets", 0, groups.deletion(name))

    for done, answered in (("altered", altered), ("deleted", deleted)):
        sentence = f'KFK-DEL-006: offsets of group "{name}" may not be {done}, "kept.*" protects it'
        assert (44, sentence, []) == (answered["errorCode"], answered["errorMessage"], answered["responses"])
    assert before == groups.offsets(name)
    assert groups.topic.encode() in before


def test_another_group_gets_another_start(sender, groups):
    """It is altered and deleted as the client asks."""
    name = f"gone.{new_word()}"
    groups.make(name)
    before = groups.offsets(name)
    altered = sender("gate", _ALTER, 0, groups.start(name, 7))
    between = groups.offsets(name)
    deleted = sender("gate", "DeleteShareGroupOffsets", 0, groups.deletion(name))

    assert (0, 0) == (altered["errorCode"], altered["responses"][0]["partitions"][0]["errorCode"])
    assert (0, 0) == (deleted["errorCode"], deleted["responses"][0]["errorCode"])
    assert 3 == len({before, between, groups.offsets(name)})


@pytest.mark.parametrize(
    ("change", "name"),
    [("AlterShareGroupOffsets", ""), ("DeleteShareGroupOffsets", ""), ("DeleteShareGroupOffsets", "none.such")],
)
def test_groups_that_the_broker_does_not_know(sender, groups, change, name):
    """What the broker says of them is what a client gets that goes past the gateway."""
    fields = groups.start(name, 0) if change.startswith("Alter") else groups.deletion(name)
    through, direct = (sender(way, change, 0, fields) for way in ("gate", "direct"))

    assert direct == through
    assert direct["errorCode"]
