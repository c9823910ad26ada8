"""Addresses in responses: replaced where they stand, with every other byte as it was."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka.protocol.consumer.fetch import FetchResponse
from kafka.protocol.metadata.find_coordinator import FindCoordinatorResponse
from kafka.protocol.metadata.metadata import MetadataResponse
from kafka.protocol.producer.produce import ProduceResponse

from warden.enforce.gateway.wire.addresses import has_addresses, with_addresses
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError, encode_frame

HOSTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def encoded(message):
    """A response's frame."""
    message.with_header(correlation_id=7)
    return bytes(message.encode(header=True, framed=True))


def locate(broker):
    """The gateway's address for a broker."""
    return f"gateway-{broker}." + "x" * (broker % 200), 10_000 + broker


def decoded(kind, version, raw):
    """A response, from its frame, whose length is that of its bytes."""
    assert int.from_bytes(raw[:LENGTH], "big") == len(raw) - LENGTH
    return kind.decode(raw, version=version, header=True, framed=True)


@given(st.integers(0, 13), st.lists(st.tuples(st.integers(0, 999), HOSTS), max_size=5), st.booleans())
def test_metadata(version, brokers, topics):
    """The brokers' addresses are the gateway's, and everything after them is the same bytes."""
    node, topic = MetadataResponse.MetadataResponseBroker, MetadataResponse.MetadataResponseTopic
    named = [topic(version=version, error_code=0, name="t", partitions=[], is_internal=False)] if topics else []

    def message(addresses):
        nodes = [node(version=version, node_id=n, host=h, port=p, rack=None) for n, (h, p) in addresses]
        return encoded(MetadataResponse(version=version, brokers=nodes, cluster_id="c", controller_id=1, topics=named))

    raw = message([(number, (host, 9092)) for number, host in brokers])

    assert message([(n, locate(n)) for n, _ in brokers]) == with_addresses(3, version, raw, locate)


@pytest.mark.parametrize("version", range(7))
def test_find_coordinator(version):
    """One coordinator before version 4, several from then on; one that was not found keeps its emptiness."""
    if version < 4:
        raw = encoded(FindCoordinatorResponse(version=version, error_code=0, node_id=3, host="real", port=9))
        got = decoded(FindCoordinatorResponse, version, with_addresses(10, version, raw, locate))
        assert (3, *locate(3)) == (got.node_id, got.host, got.port)
        return
    kind = FindCoordinatorResponse.Coordinator
    both = [("a", 3, "real", 9), ("b", -1, "", -1)]
    rows = [kind(version=version, key=k, node_id=n, host=h, port=p, error_code=0) for k, n, h, p in both]
    raw = encoded(FindCoordinatorResponse(version=version, coordinators=rows))
    got = decoded(FindCoordinatorResponse, version, with_addresses(10, version, raw, locate)).coordinators

    assert [(3, *locate(3)), (-1, "", -1)] == [(one.node_id, one.host, one.port) for one in got]


@pytest.mark.parametrize("version", range(3, 14))
@pytest.mark.parametrize("hints", [[], [3, 150]])
def test_produce(version, hints):
    """Leader hints (KIP-951) are in a tagged field, whose size changes with them."""
    assert (version >= 10) == has_addresses(0, version)
    topic, partition = (
        ProduceResponse.TopicProduceResponse,
        ProduceResponse.TopicProduceResponse.PartitionProduceResponse,
    )
    parts = [partition(version=version, index=0, error_code=6, base_offset=-1, record_errors=[], error_message="moved")]
    topics = [topic(version=version, name="t", topic_id=None, partition_responses=parts)]
    real = {"version": version, "host": "real", "port": 9, "rack": "r"}
    tagged = {}
    if version >= 10 and hints:
        tagged["node_endpoints"] = [ProduceResponse.NodeEndpoint(node_id=number, **real) for number in hints]
    raw = encoded(ProduceResponse(version=version, responses=topics, throttle_time_ms=0, **tagged))
    mended = with_addresses(0, version, raw, locate)
    if not tagged:
        assert raw == mended
        return
    got = decoded(ProduceResponse, version, mended)

    assert [(n, *locate(n), "r") for n in hints] == [(e.node_id, e.host, e.port, e.rack) for e in got.node_endpoints]
    assert "moved" == got.responses[0].partition_responses[0].error_message


@pytest.mark.parametrize("version", range(12, 19))
def test_fetch(version):
    """Records are passed over; hints behind them are found."""
    assert (version >= 16) == has_addresses(1, version)
    topic = FetchResponse.FetchableTopicResponse
    part = topic.PartitionData(version=version, partition_index=0, error_code=0, high_watermark=1, records=b"r" * 5000)
    topics = [topic(version=version, topic="t", topic_id=None, partitions=[part])]
    hint = {"version": version, "node_id": 2, "host": "real", "port": 9, "rack": None}
    tagged = {"node_endpoints": [FetchResponse.NodeEndpoint(**hint)]} if version >= 16 else {}
    raw = encoded(FetchResponse(version=version, session_id=1, responses=topics, **tagged))
    got = decoded(FetchResponse, version, with_addresses(1, version, raw, locate))

    assert [locate(2)] * bool(tagged) == [(one.host, one.port) for one in got.node_endpoints or ()]
    assert b"r" * 5000 == bytes(got.responses[0].partitions[0].records)


def test_unknown_tagged_fields_are_kept():
    """What nobody here knows stays: nothing is decoded and encoded again."""
    broker = b"\0\0\0\x01" + b"\x05real" + b"\0\0\x23\x84" + b"\0" + b"\x01\x63\x02hi"  # with tag 99
    rest = b"\0\0\0\0\x01\x01\0"
    raw = encode_frame(b"\0\0\0\x07", b"\0", b"\0\0\0\0", b"\x02", broker, rest)
    host, port = locate(1)
    mended = broker.replace(b"\x05real\0\0\x23\x84", bytes([len(host) + 1]) + host.encode() + port.to_bytes(4, "big"))

    assert encode_frame(b"\0\0\0\x07", b"\0", b"\0\0\0\0", b"\x02", mended, rest) == with_addresses(3, 12, raw, locate)


@given(st.integers(0, 13), st.binary(max_size=60))
def test_garbage(version, body):
    """A response that is none is an error, not a crash and not something else."""
    raw = encode_frame(b"\0\0\0\x07", body)
    with contextlib.suppress(ProtocolError):
        with_addresses(3, version, raw, locate)
