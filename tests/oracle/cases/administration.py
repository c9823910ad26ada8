"""Random requests about a cluster as a whole, or its groups, in Kafka's form: what a broker of one node can answer.

None of them takes the broker itself away: it is never unregistered, features are only validated, and no controller is
added (AddRaftVoter of a node that is not there can end a broker of Kafka 4.4).
"""

import random
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tests.enforce.gateway.frames import decode_response, raw_request
from tests.fixtures.patience import PATIENCE
from tests.fixtures.seed import SEED

__all__ = ["DRAWS", "GROUPS", "TOPIC", "Sender", "codes", "draw_requests", "open_sender"]

TOPIC = "administration.records"
"""Has two partitions."""

GROUPS = tuple(f"administration.{number}" for number in range(8))
"""Groups that are there and have no members."""

Fields = Mapping[str, Any]

_NAMES = ("", " ", "ä", "a b", "*", "none", "x" * 300, *GROUPS)
_TOPICS = (TOPIC, TOPIC, "none", "")
_PARTITIONS = (0, 0, 1, 7, -1, 2**31 - 1)
_NODES = (-(2**31), -1, 0, 2, 7, 2**31 - 1)  # without 1, the broker's own
_TIMES = (-(2**63), -2, -1, 0, 1, 60_000, 2**63 - 1)
_PRINCIPALS = ("", "alice", "ä", "a:b", "ANONYMOUS")


def _features(source: random.Random) -> Fields:
    names = source.sample(("metadata.version", "share.version", "group.version", "kraft.version", "none", ""), 2)
    updates = [
        {
            "feature": name,
            "maxVersionLevel": source.choice((-(2**15), -2, -1, 0, 1, 2, 29, 2**15 - 1)),
            "upgradeType": source.randint(0, 4),
        }
        for name in names[: source.randint(1, 2)]
    ]
    return {"featureUpdates": updates, "timeoutMs": 60_000, "validateOnly": True}


def _leaders(source: random.Random) -> Fields:
    some = [{"topic": topic, "partitions": _some(source)} for topic in {source.choice(_TOPICS), TOPIC}]
    return {
        "electionType": source.choice((0, 1)),
        "topicPartitions": source.choice((None, [], some)),
        "timeoutMs": 60_000,
    }


def _groups(source: random.Random) -> Fields:
    return {"groupsNames": [source.choice(_NAMES) for _ in range(source.randint(0, 3))]}


def _deleted_offsets(source: random.Random) -> Fields:
    partitions = [{"partitionIndex": partition} for partition in _some(source)]
    return {"groupId": source.choice(_NAMES), "topics": [{"name": source.choice(_TOPICS), "partitions": partitions}]}


def _committed(source: random.Random) -> Fields:
    partitions = [
        {
            "partitionIndex": partition,
            "committedOffset": source.choice(_TIMES),
            "committedLeaderEpoch": source.choice((-1, 0)),
            "committedMetadata": source.choice((None, "", "ä")),
        }
        for partition in _some(source)
    ]
    return {
        "groupId": source.choice(_NAMES),
        "generationIdOrMemberEpoch": -1,
        "memberId": "",
        "groupInstanceId": None,
        "topics": [{"name": source.choice(_TOPICS), "partitions": partitions}],
    }


def _shared_offsets(source: random.Random) -> Fields:
    partitions = [
        {"partitionIndex": partition, "startOffset": source.choice(_TIMES)}
        for partition in dict.fromkeys(_some(source))
    ]
    topics = [{"topicName": source.choice(_TOPICS), "partitions": partitions}]
    return {"groupId": source.choice(_NAMES), "topics": topics}


def _deleted_shared_offsets(source: random.Random) -> Fields:
    return {"groupId": source.choice(_NAMES), "topics": [{"topicName": source.choice(_TOPICS)}]}


def _broker(source: random.Random) -> Fields:
    return {"brokerId": source.choice(_NODES)}


def _voter(source: random.Random) -> Fields:
    directory = UUID(int=source.choice((0, 1, 7, 2**127)))
    return {"clusterId": None, "voterId": source.choice(_NODES), "voterDirectoryId": directory}


def _directories(source: random.Random) -> Fields:
    topics = [{"name": source.choice(_TOPICS), "partitions": _some(source)}]
    return {"dirs": [{"path": source.choice(("", "/none", "relative")), "topics": topics}]}


def _new_token(source: random.Random) -> Fields:
    renewers = [
        {"principalType": source.choice(("User", "User", "Group", "")), "principalName": source.choice(_PRINCIPALS)}
        for _ in range(source.randint(0, 2))
    ]
    owner = {"ownerPrincipalType": None, "ownerPrincipalName": None}
    return {**owner, "renewers": renewers, "maxLifetimeMs": source.choice(_TIMES)}


def _renewed_token(source: random.Random) -> Fields:
    return {"hmac": source.choice((b"", b"none")), "renewPeriodMs": source.choice(_TIMES)}


def _ended_token(source: random.Random) -> Fields:
    return {"hmac": source.choice((b"", b"none")), "expiryTimePeriodMs": source.choice(_TIMES)}


def _some(source: random.Random) -> list[int]:
    return [source.choice(_PARTITIONS) for _ in range(source.randint(0, 3))]


DRAWS: Mapping[str, tuple[int, Callable[[random.Random], Fields]]] = {
    "AlterReplicaLogDirs": (2, _directories),
    "AlterShareGroupOffsets": (0, _shared_offsets),
    "CreateDelegationToken": (3, _new_token),
    "DeleteGroups": (2, _groups),
    "DeleteShareGroupOffsets": (0, _deleted_shared_offsets),
    "ElectLeaders": (2, _leaders),
    "ExpireDelegationToken": (2, _ended_token),
    "OffsetCommit": (9, _committed),
    "OffsetDelete": (0, _deleted_offsets),
    "RemoveRaftVoter": (0, _voter),
    "RenewDelegationToken": (2, _renewed_token),
    "UnregisterBroker": (0, _broker),
    "UpdateFeatures": (1, _features),
}
"""A version of each API, and what makes a random request of it."""


# What a broker takes, of APIs of which few random requests are taken.
_PLAIN: Mapping[str, Fields] = {
    "DeleteGroups": {"groupsNames": [GROUPS[0]]},
    "OffsetCommit": {
        "groupId": GROUPS[1],
        "generationIdOrMemberEpoch": -1,
        "memberId": "",
        "groupInstanceId": None,
        "topics": [
            {
                "name": TOPIC,
                "partitions": [
                    {"partitionIndex": 0, "committedOffset": 1, "committedLeaderEpoch": -1, "committedMetadata": ""}
                ],
            }
        ],
    },
    "OffsetDelete": {"groupId": GROUPS[2], "topics": [{"name": TOPIC, "partitions": [{"partitionIndex": 0}]}]},
    "UpdateFeatures": {
        "featureUpdates": [{"feature": "group.version", "maxVersionLevel": 1, "upgradeType": 1}],
        "timeoutMs": 60_000,
        "validateOnly": True,
    },
}


def draw_requests(api: str, number: int) -> list[Fields]:
    """Return a plain request and random ones of an API, the same ones for a seed."""
    source = random.Random(f"{SEED}:{api}")
    return [*([_PLAIN[api]] if api in _PLAIN else []), *(DRAWS[api][1](source) for _ in range(number))]


@dataclass(frozen=True)
class Sender:
    """A connection to a broker that sends requests as they are written.

    Args:
        connection: The socket.
    """

    connection: socket.socket

    def send(self, api: str, version: int, fields: Fields) -> Fields:
        """Send a request and return the response's fields."""
        self.connection.sendall(raw_request(api, version, fields))
        length = self._receive(4)
        return decode_response(api, version, length + self._receive(int.from_bytes(length, "big")))

    def _receive(self, length: int) -> bytes:
        parts = bytearray()
        while len(parts) < length:
            part = self.connection.recv(length - len(parts))
            assert part, "the broker has closed the connection"
            parts += part
        return bytes(parts)


@contextmanager
def open_sender(address: str, login: tuple[str, str]) -> Iterator[Sender]:
    """A connection with a login by PLAIN, as requests for tokens want one."""
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        sender = Sender(connection)
        assert sender.send("SaslHandshake", 1, {"mechanism": "PLAIN"})["errorCode"] == 0
        secret = "\0".join(("", *login)).encode()
        assert sender.send("SaslAuthenticate", 2, {"authBytes": secret})["errorCode"] == 0
        yield sender


def codes(response: Any) -> Iterator[tuple[int, str | None]]:
    """Yield each error in a response, as code and text, 0 where there is none, the whole's own first."""
    if isinstance(response, Mapping):
        if "errorCode" in response:
            yield response["errorCode"], response.get("errorMessage")
        for value in response.values():
            yield from codes(value)
    elif isinstance(response, list | tuple):
        for one in response:
            yield from codes(one)
