"""Metadata before version 4, of clients of Kafka 0.10: nothing undecided is created, and the client is answered."""

import socket
from functools import partial

import pytest

from tests.enforce.gateway.frames import (
    ALLOWED,
    DENIED,
    connection,
    decode_response,
    new_word,
    raw_request,
    raw_response,
    taken,
)
from tests.enforce.gateway.test_faults import client, receive
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from warden.enforce.gateway.wire.frames import ProtocolError

OLD = range(4)
_BROKER = {"nodeId": 1, "host": "real", "port": 9092, "rack": None}


def ask(names, version):
    """A request for topics by name; None for all of them."""
    topics = [{"name": name} for name in names or ()]
    return raw_request("Metadata", version, {"topics": None if names is None and version else topics})


def encode_lookup(names, *, creates):
    """What goes to the broker."""
    topics = None if names is None else [{"name": name} for name in names]
    return raw_request("Metadata", 4, {"topics": topics, "allowAutoTopicCreation": creates})


def found(errors):
    """A broker's answer."""
    topics = [{"name": name, "errorCode": code, "partitions": []} for name, code in errors.items()]
    return raw_response("Metadata", 4, {"brokers": [_BROKER], "topics": topics, "clusterId": "c"})


def errors_of(raw, version):
    """Each topic's error, as a client of the version reads it."""
    fields = decode_response("Metadata", version, raw)
    assert [("gateway", 1001)] == [(broker["host"], broker["port"]) for broker in fields["brokers"]]
    return {topic["name"]: topic["errorCode"] for topic in fields["topics"]}


@pytest.mark.parametrize("version", OLD)
def test_a_topic_that_would_be_made_is_decided(version):
    """The broker says what is there, then to create what is allowed; the client has one answer in its version."""
    core = connection()
    core.receive_from_client(ask(["a", "b", "c"], version))
    assert encode_lookup(["a", "b", "c"], creates=False) == taken(core)[1]
    core.receive_from_broker(found({"a": 0, "b": 3, "c": 3}))
    core.apply_decisions({"topics/0": ALLOWED, "topics/1": DENIED})
    assert (b"", encode_lookup(["b"], creates=True)) == taken(core)
    core.receive_from_broker(found({"b": 5}))

    assert {"a": 0, "b": 5, "c": 29} == errors_of(taken(core)[0], version)
    assert core.idle


@pytest.mark.parametrize("version", OLD)
def test_all_topics(version):
    """Version 0 names none, the others null: nothing is created, and nothing decided."""
    core = connection()
    core.receive_from_client(ask(None, version))
    assert encode_lookup(None, creates=True) == taken(core)[1]
    core.receive_from_broker(found({"a": 0}))

    assert {"a": 0} == errors_of(taken(core)[0], version)


@pytest.mark.parametrize("version", OLD[1:])
def test_no_topics(version):
    """From version 1 on an empty list is none: the brokers alone."""
    core = connection()
    core.receive_from_client(ask([], version))

    assert encode_lookup([], creates=True) == taken(core)[1]


def test_bytes_that_nobody_knows():
    """What could not be said in another version does not go on at all."""
    core = connection()
    with pytest.raises(ProtocolError, match="Metadata v3: bytes behind its end"):
        core.receive_from_client(raw_request("Metadata", 3, b"\0\0\0\x01\0\x01a\x07"))

    assert (b"", b"") == taken(core)


def _exchange(connected, names, version):
    connected.sendall(ask(names, version))
    return decode_response("Metadata", version, receive(connected))


def _is_made(connected, topic, version):
    return [0] == [one["errorCode"] for one in _exchange(connected, [topic], version)["topics"]]


def _without_addresses(answer):
    brokers = [{**broker, "host": "", "port": 0} for broker in answer["brokers"]]
    return {**answer, "brokers": brokers}


@pytest.mark.kafka
@pytest.mark.opa
def test_a_broker_beside_its_gateway(gateway, broker):
    """Of topics that are there both answer the same; one that policy denies is not made, one that it allows is."""
    known = f"old.{new_word()}"
    run_tool(broker, "TopicCommand", "--create", "--topic", known, "--partitions", "3")
    host, _, port = broker.bootstrap_servers.partition(":")
    with client(gateway) as through, socket.create_connection((host, int(port))) as direct:
        for version in OLD:
            allowed, denied = f"old.{new_word()}", new_word().upper()
            eventually(partial(_is_made, direct, known, version), known)
            expected = _exchange(direct, [known], version)
            assert _without_addresses(expected) == _without_addresses(_exchange(through, [known], version))
            eventually(partial(_is_made, through, allowed, version), allowed)
            assert [29] == [topic["errorCode"] for topic in _exchange(through, [denied], version)["topics"]]
            names = {topic["name"] for topic in _exchange(direct, None, version)["topics"]}
            assert ({known, allowed} <= names, denied in names) == (True, False)
