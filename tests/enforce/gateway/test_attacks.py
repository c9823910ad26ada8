"""Clients that lie by Kafka's protocol: what they say of themselves decides nothing, and nothing goes on undecided."""

import json
import logging
from typing import Any
from urllib.request import urlopen

import pytest

from tests.enforce.gateway.frames import ALLOWED, connection, create_topics, raw_request, taken
from tests.enforce.gateway.running import RunningGateway
from tests.enforce.gateway.test_faults import client, errors_of, receive
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.patience import PATIENCE
from warden.base.telemetry.json_log import _JsonLines
from warden.demo.local_broker import LocalBroker
from warden.enforce.gateway.login.sasl import Login, LoginRefused
from warden.enforce.gateway.wire.codec import Undecodable
from warden.enforce.gateway.wire.frames import ProtocolError, encode_frame

_REFUSED = 44  # POLICY_VIOLATION
_FORGED = (
    'x"}\n{"level": "info", "message": "decided", "principal": "User:admin", "items": [{"allowed": true}]}\r\x1b[2J'
)


def _of_client(name: str, content: bytes) -> bytes:
    """A request of `raw_request` under another client.id."""
    encoded = name.encode()
    return encode_frame(content[4:12], len(encoded).to_bytes(2, "big"), encoded, content[16:])


def _create(name: str, *configs: tuple[str, str]) -> bytes:
    given = [{"name": key, "value": value} for key, value in configs]
    topic = {"name": name, "numPartitions": 1, "replicationFactor": 1, "assignments": [], "configs": given}
    return raw_request("CreateTopics", 7, {"topics": [topic], "timeoutMs": 60_000})


def _answers(gateway: RunningGateway, request: bytes, cluster: int = 0) -> bytes:
    with client(gateway, cluster) as connected:
        connected.sendall(request)
        answer: bytes = receive(connected)
    return answer


@pytest.mark.kafka
@pytest.mark.opa
@pytest.mark.parametrize("name", [_FORGED, "\0", "\u202eevil", "a" * 32_000, "User:admin", ""])
def test_a_client_id_forges_no_line(gateway: RunningGateway, caplog: pytest.LogCaptureFixture, name: str) -> None:
    """It stands in one line of the log, as a text; it is nobody's name, and no label of a metric."""
    with caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        ((code, _),) = errors_of(_whole(gateway, _of_client(name, create_topics("Not_Allowed"))))
    (record,) = (one for one in caplog.records if one.getMessage() == "decided")
    line = _JsonLines().format(record)

    assert _REFUSED == code
    assert [line] == line.splitlines()
    assert (name, False) == (json.loads(line)["clientId"], json.loads(line)["items"][0]["allowed"])
    assert "User:ANONYMOUS" == json.loads(line)["principal"]
    assert not name or name not in urlopen(f"{gateway.probes}/metrics", timeout=PATIENCE).read().decode()


def _whole(gateway: RunningGateway, request: bytes) -> bytes:
    answer = _answers(gateway, request)
    assert answer
    return answer


@pytest.mark.kafka
@pytest.mark.opa
@pytest.mark.parametrize(
    "config",
    [
        ("retention.ms", '{"allowed": true, "violations": []}'),
        ("retention.ms", '1", "allowed": true, "x": "'),
        ('cleanup.policy", "allowed": "true', "delete"),
        ("warden.allowed", "true"),
        ("enforcementPoint", "scan"),
        ("cleanup.policy", "data.kafka.decision.allowed"),
        ("segment.bytes", "1\0\n{{ allowed }}"),
    ],
)
def test_configs_that_look_like_decisions(
    gateway: RunningGateway, broker: LocalBroker, config: tuple[str, str]
) -> None:
    """They are texts: what is denied stays denied, and is not created."""
    ((code, message),) = errors_of(_whole(gateway, _create("Looks_Allowed", config)))

    assert code in {40, _REFUSED}  # INVALID_CONFIG, of the policy
    assert "KFK-" in message
    assert "Looks_Allowed" not in run_tool(broker, "TopicCommand", "--list")


@pytest.mark.kafka
@pytest.mark.opa
@pytest.mark.parametrize(
    "name",
    ["odd\0topic", "odd\ntopic", "../odd", "odd%2Ftopic", "..", "", "odd\u202etopic", "ödd", "odd" * 200, "odd topic"],
)
def test_names_with_odd_characters(gateway: RunningGateway, broker: LocalBroker, name: str) -> None:
    """None is created: the policy refuses it, or the broker what no topic may be called."""
    ((code, _),) = errors_of(_whole(gateway, create_topics(name)))

    assert code in {17, _REFUSED}  # INVALID_TOPIC_EXCEPTION
    listed = run_tool(broker, "TopicCommand", "--list").splitlines()
    assert [] == [topic for topic in listed if topic == ".." or "odd" in topic or "ödd" in topic]


def test_names_that_are_no_text() -> None:
    """Bytes that are not UTF-8 have no one reading: the connection is closed, and nothing of the request goes on."""
    core = connection()
    with pytest.raises(Undecodable, match="the request cannot be decoded"):
        core.receive_from_client(create_topics("oddname").replace(b"oddname", b"odd\xff\xfe\xc0\x80"))

    assert ((b"", b""), {}) == (taken(core), dict(core.pending_inputs))


@pytest.mark.parametrize("api", ["SaslAuthenticate", "CreateTopics", "Metadata", "ListGroups"])
def test_requests_before_the_login(api: str) -> None:
    """Whatever is sent in one packet with the first request, nothing of it goes on: no answer was waited for."""
    core = connection(authentication="sasl")
    bodies: dict[str, Any] = {
        "SaslAuthenticate": {"authBytes": b"\0admin\0x"},
        "Metadata": {"topics": None, "allowAutoTopicCreation": False},
        "ListGroups": b"\x01\0",
    }
    first = create_topics("early") if api == "CreateTopics" else raw_request(api, *_at(api, bodies[api]))
    with pytest.raises(ProtocolError):
        core.receive_from_client(first + create_topics("early.too"))

    assert (b"", {}) == (taken(core)[1], dict(core.pending_inputs))


def _at(api: str, body: Any) -> tuple[int, Any]:
    return {"SaslAuthenticate": 2, "Metadata": 9, "ListGroups": 3}[api], body


@pytest.mark.parametrize(
    ("mechanism", "data"),
    [
        ("PLAIN", b"admin\0bob\0secret"),
        ("PLAIN", b"\0bob\0admin\0secret"),
        ("SCRAM-SHA-256", b"n,a=admin,n=bob,r=nonce"),
        ("SCRAM-SHA-256", b"n,,n=bob,n=admin,r=nonce"),
        ("OAUTHBEARER", b"n,a=admin,\x01auth=Bearer e30.eyJzdWIiOiJib2IifQ.\x01\x01"),
    ],
)
def test_a_login_that_names_two(mechanism: str, data: bytes) -> None:
    """Who logs in is nobody but the one whose password it is: another name beside is refused, or not believed."""
    login = Login()
    login.note_mechanism(mechanism)
    login.on_handshake_response(0)
    try:
        login.note_name(data)
        login.on_authenticate_response(0, b"")
    except LoginRefused:
        pass

    assert login.principal in {None, "User:bob"}


@pytest.mark.parametrize("key", [58, 7, 4, 5, 6, 52, 56, 62, 63, 1000, 32_767, -1])
def test_apis_among_brokers(key: int) -> None:
    """An envelope states the principal of who is inside, others speak for a broker: none is carried."""
    core = connection()
    raw = encode_frame(key.to_bytes(2, "big", signed=True), b"\0\0", b"\0\0\0\1", b"\0\x02me", b"\0", b"\0User:admin")
    with pytest.raises(ProtocolError, match=r"unknown API|not carried by the gateway"):
        core.receive_from_client(raw + create_topics("behind"))

    assert (b"", {}) == (taken(core)[1], dict(core.pending_inputs))


def test_a_decision_about_another_request() -> None:
    """Answers belong to the one request that they are about, so that one allowed lets no other pass."""
    core = connection()
    core.receive_from_client(create_topics("first", correlation_id=7) + create_topics("second", correlation_id=7))
    core.apply_decisions(dict.fromkeys(core.pending_inputs, ALLOWED))
    _, to_broker = taken(core)

    assert (True, False) == (b"first" in to_broker, b"second" in to_broker)
    assert ["second"] == [one["request"]["topic"] for one in core.pending_inputs.values()]
