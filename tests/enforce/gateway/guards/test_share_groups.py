"""Offsets of groups of a share, on a real broker: those of protected groups stay, others go as without the gateway."""

import contextlib
import socket
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from tests.enforce.gateway.frames import KEYS, decode_response, new_word, raw_request
from tests.enforce.gateway.test_faults import client, receive
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.enforce.gateway.wire.apis import APIS
from warden.enforce.gateway.wire.frames import LENGTH

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

Send = Callable[[str, str, Mapping[str, Any]], Mapping[str, Any]]

_CHANGES = ("AlterShareGroupOffsets", "DeleteShareGroupOffsets")


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
        self._direct.sendall(raw_request(_CHANGES[0], 0, self.start(name, offset)))
        answered = decode_response(_CHANGES[0], 0, receive(self._direct))
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
def sockets(gateway, broker) -> Iterator[dict[str, socket.socket]]:
    """Connections to the gateway and past it."""
    host, port = broker.bootstrap_servers.split(":")
    with contextlib.ExitStack() as stack:
        gate = stack.enter_context(client(gateway))
        direct = stack.enter_context(socket.create_connection((host, int(port)), timeout=PATIENCE))
        yield {"gate": gate, "direct": direct}


@pytest.fixture
def send(sockets) -> Send:
    """What sends a request one of both ways."""

    def send(way: str, name: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        sockets[way].sendall(raw_request(name, 0, fields))
        return decode_response(name, 0, receive(sockets[way]))

    return send


@pytest.fixture
def groups(sockets, broker) -> ShareGroups:
    """What makes groups of a share."""
    return ShareGroups(broker.bootstrap_servers, sockets["direct"])


def test_the_brokers_versions(send):
    """The broker has no version of these requests beyond that of the tests."""
    answered = send("direct", "ApiVersions", {})
    ranges = {row["apiKey"]: (row["minVersion"], row["maxVersion"]) for row in answered["apiKeys"]}

    for name in _CHANGES:
        assert APIS[KEYS[name]].advertised == ranges[KEYS[name]] == (0, 0)


def test_a_protected_group_keeps_its_start(send, groups):
    """The broker sees neither request; the client gets the policy's sentence."""
    name = f"kept.{new_word()}"
    groups.make(name)
    before = groups.offsets(name)
    altered = send("gate", "AlterShareGroupOffsets", groups.start(name, 7))
    deleted = send("gate", "DeleteShareGroupOffsets", groups.deletion(name))

    for done, answered in (("altered", altered), ("deleted", deleted)):
        sentence = f'KFK-DEL-006: offsets of group "{name}" may not be {done}, "kept.*" protects it'
        assert (44, sentence, []) == (answered["errorCode"], answered["errorMessage"], answered["responses"])
    assert before == groups.offsets(name)
    assert groups.topic.encode() in before


def test_another_group_gets_another_start(send, groups):
    """It is altered and deleted as the client asks."""
    name = f"gone.{new_word()}"
    groups.make(name)
    before = groups.offsets(name)
    altered = send("gate", "AlterShareGroupOffsets", groups.start(name, 7))
    between = groups.offsets(name)
    deleted = send("gate", "DeleteShareGroupOffsets", groups.deletion(name))

    assert (0, 0) == (altered["errorCode"], altered["responses"][0]["partitions"][0]["errorCode"])
    assert (0, 0) == (deleted["errorCode"], deleted["responses"][0]["errorCode"])
    assert 3 == len({before, between, groups.offsets(name)})


@pytest.mark.parametrize(
    ("change", "name"),
    [("AlterShareGroupOffsets", ""), ("DeleteShareGroupOffsets", ""), ("DeleteShareGroupOffsets", "none.such")],
)
def test_groups_that_the_broker_does_not_know(send, groups, change, name):
    """What the broker says of them is what a client gets that goes past the gateway."""
    fields = groups.start(name, 0) if change.startswith("Alter") else groups.deletion(name)
    through, direct = (send(way, change, fields) for way in ("gate", "direct"))

    assert direct == through
    assert direct["errorCode"]
