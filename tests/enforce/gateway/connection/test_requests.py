"""Requests that a connection refuses, changes or asks something about before they go on."""

from uuid import UUID

import pytest

from tests.enforce.gateway.frames import ALLOWED, DENIED, connection, create_topics, raw_request, raw_response, taken
from tests.enforce.gateway.guards.heartbeats import heartbeat, subtopology
from warden.enforce.gateway.connection import connection as connection_module
from warden.enforce.gateway.connection.request_preview import peek_request
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.apis import APIS
from warden.enforce.gateway.wire.frames import LENGTH, FrameLimits, ProtocolError, encode_frame


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x80\0\0\0", "a frame of -2147483648 bytes"),
        (b"\x7f\xff\xff\xff", "a frame of 2147483647 bytes"),
        (b"\xff\xff\xff\xff", "a frame of -1 bytes"),
        (b"GET / HTTP/1.1\r\n\r\n", "a frame of 1195725856 bytes"),
        (encode_frame(b"\x03\xe7\0\0\0\0\0\x01\xff\xff"), "unknown API 999 v0"),
        (encode_frame(b"\0\x13\0\x63\0\0\0\x01\xff\xff"), "CreateTopics v99: not carried"),
        (raw_request("Metadata", 3, b"\0\0\0\x01"), "Metadata v3: the request cannot be decoded"),
        (encode_frame(b"\0\x1b\0\0\0\0\0\x01\xff\xff\0"), "WriteTxnMarkers v0: not carried"),
        (encode_frame(b"\0\x13\0\x07\0\0\0\x01\0\x40ab"), "reaches over the end"),
        (encode_frame(b"\0\x12\0\x03\0"), "a request that is shorter than a head"),
        (encode_frame(b"\0\x12\0\x03\0\0\0\x01\xff\xff\x11" + b"\0\0" * 17), "17 tagged fields: 16 at most"),
        (create_topics(None), r"CreateTopics v7: the request cannot be decoded \(ValueError\)"),
        (heartbeat("app", [subtopology("0", ["in"]) | {"sourceTopics": None}]), "StreamsGroupHeartbeat v0: the req"),
        (
            encode_frame(b"\0\x13\0\x07\0\0\0\x01\xff\xff\0", b"garbage that is not a request"),
            "CreateTopics v7: the request cannot be decoded",
        ),
    ],
)
def test_what_is_no_request_is_refused(data, message):
    """Lengths that cannot be, other protocols, unknown APIs and versions, and bodies that are none."""
    core = connection()

    with pytest.raises((ProtocolError, codec.Undecodable), match=message):
        core.receive_from_client(data)
    assert (b"", b"") == taken(core)


def test_tagged_fields_of_a_head_are_passed_over():
    """Kafka has none there, and later versions may."""
    core = connection()
    request = encode_frame(b"\0\x12\0\x03\0\0\0\x01\xff\xff\x10" + b"\0\x01a" * 16, b"\0\0")
    core.receive_from_client(request)

    assert (b"", request) == taken(core)


@pytest.mark.parametrize(
    "request_",
    [
        encode_frame(b"\0\x12\0\x03\0\0\0\x01\x7f\xff", b"\xff" * 32767, b"\x01\0\xd0\x0f", b"x" * 2000),
        raw_request("SaslAuthenticate", 2, {"authBytes": b"x" * 8000}),
    ],
    ids=["head", "body"],
)
def test_bytes_that_come_one_by_one_are_looked_at_twice_at_most(monkeypatch, request_):
    """A client that sends slowly costs no more than one that sends at once, also before it has logged in."""
    looked_at = []

    def peek(data, actions):
        looked_at.append(len(data))
        return peek_request(data, actions)

    monkeypatch.setattr(connection_module, "peek_request", peek)
    core = connection(authentication="sasl")
    for at in range(len(request_)):
        core.receive_from_client(request_[at : at + 1])

    assert sum(looked_at) <= 3 * len(request_)
    assert taken(core) != (b"", b"")


def test_a_large_guarded_request_is_refused():
    """What has to be decoded has a limit of its own."""
    core = connection(limits=FrameLimits(decoded=1000))

    with pytest.raises(ProtocolError, match="1000 at most"):
        core.receive_from_client(create_topics("a" * 2000))


@pytest.mark.parametrize("kind", [b"\0\x11\0\x01", b"\0\x24\0\x01", b"\0\x12\0\x63"])
@pytest.mark.parametrize("size", [512 * 1024 + 1, 50 * 1024 * 1024])
def test_nobody_fills_the_memory_before_the_login(size, kind):
    """A login, and versions that are requested in one that nobody knows: what is too large is refused by its head."""
    core = connection(authentication="sasl")

    with pytest.raises(ProtocolError, match=r"of \d+ bytes: 524288 at most"):
        core.receive_from_client(size.to_bytes(4, "big") + kind + b"\0\0\0\x01\0\x02me\0")


def test_topics_by_id_are_looked_up_first():
    """DeleteTopics by id asks the broker for the names, and is decided by those."""
    known, unknown = UUID(int=5), UUID(int=6)
    core = connection()
    topics = [{"name": None, "topicId": known}, {"name": None, "topicId": unknown}]
    request = raw_request("DeleteTopics", 6, {"topics": topics, "timeoutMs": 1}, 9)
    core.receive_from_client(request)
    assert b"\0\x03\0\x0c\0\0\0\x09" in taken(core)[1]  # Metadata v12, under the same correlation id
    found = [
        {"name": "a", "topicId": known, "errorCode": 0, "partitions": []},
        {"name": None, "topicId": unknown, "errorCode": 100, "partitions": []},
    ]
    core.receive_from_broker(raw_response("Metadata", 12, {"topics": found, "clusterId": "x"}, 9))
    assert b"" == taken(core)[0]
    assert ["a"] == [one["request"]["topic"] for one in core.pending_inputs.values()]
    core.apply_decisions(dict.fromkeys(core.pending_inputs, ALLOWED))
    sent = codec.decode(20, 6, "Request", taken(core)[1][LENGTH + 13 :]).fields
    assert [known] == [topic["topicId"] for topic in sent["topics"]]
    core.receive_from_broker(
        raw_response("DeleteTopics", 6, {"responses": [{"name": "a", "topicId": known, "errorCode": 0}]}, 9)
    )
    got = codec.decode(20, 6, "Response", taken(core)[0][LENGTH + 5 :]).fields["responses"]

    assert [(known, 0), (unknown, 100)] == [(one["topicId"], one["errorCode"]) for one in got]


def metadata_of(names, version=9, creates=True):
    """A request for the metadata of topics."""
    fields = {"topics": [{"name": name} for name in names], "allowAutoTopicCreation": creates}
    return raw_request("Metadata", version, fields)


def found(errors, version=9):
    """A broker's answer: topics with their errors."""
    topics = [{"name": name, "errorCode": code, "partitions": []} for name, code in errors.items()]
    brokers = [{"nodeId": 1, "host": "real", "port": 9092, "rack": None}]
    return raw_response("Metadata", version, {"brokers": brokers, "topics": topics, "clusterId": "c"})


def topics_of(raw, version=9):
    """Each topic's error, and where brokers are."""
    fields = codec.decode(3, version, "Response", raw[LENGTH + 5 :]).fields
    assert ["gateway"] == [broker["host"] for broker in fields["brokers"]]
    return {topic["name"]: topic["errorCode"] for topic in fields["topics"]}


def test_metadata_of_topics_that_are_there_creates_nothing():
    """The broker is not left to create: what it does not know is decided first."""
    core = connection()
    core.receive_from_client(metadata_of(["a"]))
    assert metadata_of(["a"], creates=False) == taken(core)[1]
    core.receive_from_broker(found({"a": 0}))

    assert {"a": 0} == topics_of(taken(core)[0])
    assert core.idle


def test_topics_that_metadata_would_create_are_decided():
    """What is allowed the broker creates, by a second request; what is denied the client may not have."""
    core = connection()
    core.receive_from_client(metadata_of(["a", "b", "c"]))
    taken(core)
    core.receive_from_broker(found({"a": 0, "b": 3, "c": 3}))
    assert ["b", "c"] == [one["request"]["topic"] for one in core.pending_inputs.values()]
    assert {"CreateTopic"} == {one["operation"] for one in core.pending_inputs.values()}
    core.apply_decisions({"topics/0": ALLOWED, "topics/1": DENIED})
    to_client, to_broker = taken(core)
    assert (b"", metadata_of(["b"])) == (to_client, to_broker)
    core.receive_from_broker(found({"b": 5}))

    assert {"a": 0, "b": 5, "c": 29} == topics_of(taken(core)[0])
    assert core.idle


def test_topics_that_nobody_decided_are_not_created():
    """Without OPA no topic comes into being, and metadata flows: the client asks again, as of the broker."""
    core = connection()
    core.receive_from_client(metadata_of(["a", "b"]) + metadata_of(["a"], creates=False))
    taken(core)
    core.receive_from_broker(found({"a": 0, "b": 3}))
    core.deny_pending("away")
    to_client, to_broker = taken(core)

    assert {"a": 0, "b": 3} == topics_of(to_client)
    assert metadata_of(["a"], creates=False) == to_broker


def test_a_topic_for_which_the_policy_wants_configs_is_not_created():
    """A broker creates by its defaults, so that the policy's configs would be missing."""
    core = connection()
    core.receive_from_client(metadata_of(["a"]))
    core.receive_from_broker(found({"a": 3}))
    core.apply_decisions({"topics/0": {**ALLOWED, "annotations": {"configs": {"min.insync.replicas": "2"}}}})
    core.apply_decisions({"topics/0": ALLOWED})

    assert {"a": 3} == topics_of(taken(core)[0])


def test_versions_are_those_that_the_gateway_carries():
    """An API that is refused is not advertised, nor a version that nobody knows."""
    core = connection()
    core.receive_from_client(raw_request("ApiVersions", 3, {"clientSoftwareName": "x", "clientSoftwareVersion": "1"}))
    rows = [(0, 0, 99), (19, 2, 99), (3, 0, 13), (17, 0, 1), (27, 0, 1), (999, 0, 1), (58, 0, 0)]
    keys = [{"apiKey": key, "minVersion": low, "maxVersion": high} for key, low, high in rows]
    core.receive_from_broker(raw_response("ApiVersions", 3, {"errorCode": 0, "apiKeys": keys}))
    got = codec.decode(18, 3, "Response", taken(core)[0][LENGTH + 4 :]).fields["apiKeys"]

    assert [(0, 0, 13), (19, 2, 7), (3, 0, 13), (17, 1, 1)] == [
        (r["apiKey"], r["minVersion"], r["maxVersion"]) for r in got
    ]


def test_an_error_about_versions_is_passed_on():
    """A client that is newer than its broker gets the broker's own answer, which is version 0's."""
    core = connection()
    core.receive_from_client(raw_request("ApiVersions", 5, b"\0\0\0"))
    answer = encode_frame(b"\0\0\0\x01", b"\0\x23", b"\0\0\0\x01\0\x12\0\0\0\x04")
    core.receive_from_broker(answer)

    assert answer == taken(core)[0]


def test_a_client_that_is_newer_than_the_gateway_is_shown_the_newest_version():
    """No broker answers it: one that is as new would in a form that nobody here can read."""
    core = connection()
    core.receive_from_client(raw_request("ApiVersions", 99, b"\0\0\0"))

    high = APIS[18].advertised[1]
    refusal = encode_frame(b"\0\0\0\x01", b"\0\x23", b"\0\0\0\x01\0\x12\0\0\0" + bytes([high]))
    assert (refusal, b"") == taken(core)
