"""Who reads slowly, sends slowly, or sends too much: the gateway holds what fits its buffers, and loses nothing."""

import contextlib
import os
import signal
import socket
import threading

import pytest

from tests.enforce.gateway.frames import KEYS, create_topics, raw_request
from tests.enforce.gateway.running import build_gateway
from tests.enforce.gateway.test_faults import DENIAL, LIST_GROUPS, broken_opa, errors_of, receive, respond
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.pausing import pause
from warden.enforce.gateway.wire.frames import encode_frame
from warden.policy.opa.local import LocalOpa

LARGE = 48 * 1024 * 1024
"""Bytes of one frame: more than any system's buffers of two connections."""

HELD = 4 * 1024 * 1024
"""More than the gateway may hold for one connection: what came in one piece, and its buffers."""


@pytest.fixture
def upstream():
    """A listener in a broker's place."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE)
        yield server


@pytest.fixture
def make(tmp_path, upstream):
    """Returns a gateway before `upstream`, and an OPA's place where the test puts what it wants."""

    def gateway(url="http://127.0.0.1:1", **settings):
        return build_gateway(tmp_path, upstream, url, **settings)

    return gateway


@contextlib.contextmanager
def both_ends(gateway, upstream):
    """A client of the gateway, the broker's end of its connection, and what the gateway has for the two."""
    host, port = gateway.address().split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as client:
        accepted, _ = upstream.accept()
        with accepted:
            accepted.settimeout(PATIENCE)
            (relay,) = gateway.gateway._relays
            eventually(lambda: relay._broker is not None, "the broker's side")
            yield client, accepted, relay


def send_all(connected, data):
    """Send in a thread of its own, since nobody may read; returns the thread."""

    def send():
        with contextlib.suppress(OSError):
            connected.sendall(data)

    thread = threading.Thread(target=send)
    thread.start()
    return thread


def read(connected, count):
    """So many bytes, fewer where the connection ends."""
    data = bytearray()
    while len(data) < count and (piece := connected.recv(min(1 << 20, count - len(data)))):
        data += piece
    return bytes(data)


def test_a_client_that_does_not_read(make, upstream):
    """The broker is read no further than the client reads; then all arrives."""
    answer = encode_frame(b"\0\0\0\x02", os.urandom(1024) * (LARGE // 1024))
    with make() as gateway, both_ends(gateway, upstream) as (client, broker, relay):
        client.sendall(LIST_GROUPS)
        assert LIST_GROUPS == read(broker, len(LIST_GROUPS))
        thread = send_all(broker, answer)
        eventually(lambda: not relay._broker.is_reading(), "the broker is not read")
        held = relay._client.get_write_buffer_size() + len(relay._core._responses._bytes)
        assert not relay._client.is_reading()
        assert answer == read(client, len(answer))
        thread.join()

    assert held < HELD


def test_a_broker_that_does_not_read(make, upstream):
    """The client is read no further than the broker reads; then all arrives."""
    head = KEYS["Produce"].to_bytes(2, "big") + b"\0\x09\0\0\0\x01\0\x02me\0" + b"\0\xff\xff"
    request = encode_frame(head, os.urandom(1024) * (LARGE // 1024))
    with make() as gateway, both_ends(gateway, upstream) as (client, broker, relay):
        thread = send_all(client, request)
        eventually(lambda: not relay._client.is_reading(), "the client is not read")
        held = relay._broker.get_write_buffer_size() + len(relay._core._requests)
        assert request == read(broker, len(request))
        thread.join()

    assert held < HELD


def test_what_comes_behind_a_request_that_waits_for_opa(make, upstream):
    """While OPA is slow nothing more of the client is read; then it goes on, in its order."""
    release = threading.Event()

    def late(connected):
        release.wait(PATIENCE)
        connected.close()

    later = raw_request("ListGroups", 3, b"\x01\0" + bytes(1000), 9) * (LARGE // 1000)
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(broken_opa(late))
        gateway = stack.enter_context(make(url, timeout=50))
        client, broker, relay = stack.enter_context(both_ends(gateway, upstream))
        thread = send_all(client, create_topics("slow") + later)
        eventually(lambda: relay._core.is_waiting and not relay._client.is_reading(), "the client is not read")
        held = len(relay._core._requests)
        release.set()
        assert later == read(broker, len(later))
        assert [44] == [code for code, _ in errors_of(receive(client))]
        thread.join()

    assert held < HELD


def test_one_byte_at_a_time(make, upstream):
    """Requests and responses that come byte by byte are the same."""
    answer = encode_frame(b"\0\0\0\x02", b"groups")
    with contextlib.ExitStack() as stack:
        gateway = stack.enter_context(make(stack.enter_context(broken_opa(respond("200 OK", DENIAL)))))
        client, broker, _ = stack.enter_context(both_ends(gateway, upstream))
        for connected in (client, broker):
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in create_topics("NEVER") + LIST_GROUPS:
            client.send(bytes([byte]))
        assert [44] == [code for code, _ in errors_of(receive(client))]
        assert LIST_GROUPS == read(broker, len(LIST_GROUPS))
        for byte in answer:
            broker.send(bytes([byte]))
        assert answer == receive(client)


@pytest.mark.opa
def test_opa_is_killed_in_mid_request(make, upstream, opa_binary, few_bundle, monkeypatch):
    """The request that it had is denied, and nothing of it goes on; what follows does."""
    with contextlib.ExitStack() as stack:
        opa = stack.enter_context(LocalOpa(few_bundle, opa=opa_binary))
        monkeypatch.setenv("WARDEN_TEST_GATEWAY_TOKEN", opa.tokens.query)
        gateway = stack.enter_context(make(opa.url, token={"env": "WARDEN_TEST_GATEWAY_TOKEN"}, timeout=50))
        client, broker, relay = stack.enter_context(both_ends(gateway, upstream))
        pause(opa.pid)  # it takes the request, and does not answer
        client.sendall(create_topics("killed.topic") + LIST_GROUPS)
        eventually(lambda: relay._core.is_waiting, "the request is with OPA")
        os.kill(opa.pid, signal.SIGKILL)
        ((code, message),) = errors_of(receive(client))
        assert LIST_GROUPS == read(broker, len(LIST_GROUPS))

    assert 44 == code
    assert "cannot be reached" in message


def test_a_broker_that_ends_in_mid_response(make, upstream):
    """The client sees the part that came, and the end of its connection: never an answer that is not the broker's."""
    answer = encode_frame(b"\0\0\0\x02", bytes(100))
    with make() as gateway, both_ends(gateway, upstream) as (client, broker, _):
        client.sendall(LIST_GROUPS + LIST_GROUPS)
        read(broker, 2 * len(LIST_GROUPS))
        broker.sendall(answer + answer[:50])
        broker.shutdown(socket.SHUT_RDWR)
        assert answer + answer[:50] == read(client, 1000)
