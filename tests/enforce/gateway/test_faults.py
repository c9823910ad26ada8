"""What fails around the gateway: OPA, the broker, the client, and the gateway's own end."""

import contextlib
import json
import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.enforce.gateway.frames import create_topics, raw_request
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.patience import PATIENCE
from warden.base.errors import ConfigurationError
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

ERROR = {"code": 44, "name": "POLICY_VIOLATION", "message": "no"}
DENIED = {"allowed": False, "errors": ["no"], "error": ERROR, "violations": []}
DENIAL = json.dumps({"result": {"0/topics/0": DENIED}}).encode()
LIST_GROUPS = raw_request("ListGroups", 3, b"\0", 2)


@contextlib.contextmanager
def client(gateway, cluster=0) -> Iterator[socket.socket]:
    """A socket to the gateway."""
    host, port = gateway.address(cluster).split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connected:
        yield connected


def receive(connected):
    """One response; nothing where the connection has ended."""
    data, wanted = b"", LENGTH
    with contextlib.suppress(ConnectionResetError):
        while len(data) < wanted and (piece := connected.recv(wanted - len(data))):
            data += piece
            if len(data) == LENGTH:
                wanted += int.from_bytes(data, "big")
    return data if len(data) == wanted else b""


def is_served(gateway):
    """Whether a client that comes now gets an answer."""
    with client(gateway) as connected:
        connected.sendall(LIST_GROUPS)
        return bool(receive(connected))


def errors_of(raw):
    """Code and message of each topic in a CreateTopics response."""
    answer = codec.decode(19, 7, "Response", raw[LENGTH + 5 :]).fields
    return [(topic["errorCode"], topic["errorMessage"]) for topic in answer["topics"]]


@contextlib.contextmanager
def broken_opa(answer):
    """A server in OPA's place; ``answer`` takes each of its connections, with the request read."""
    server = socket.create_server(("127.0.0.1", 0))
    taken = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                taken.append(server.accept()[0])
                taken[-1].recv(65536)
                answer(taken[-1])

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()
        for connected in taken:
            connected.close()


@pytest.fixture
def make(tmp_path, gateway_opa, broker):
    """Returns a gateway before `broker`, with an OPA's settings of the test's own."""

    def gateway(**more):
        return RunningGateway(write_config(tmp_path / "gateway.yaml", gateway_opa, clusters(broker), **more))

    return gateway


def clusters(broker):
    """The broker's plain listener as a cluster."""
    return [{"name": "gate", "brokers": {1: broker.bootstrap_servers}}]


def respond(status, body):
    """Answers a request of HTTP; a further one needs a connection of its own."""
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return lambda connected: connected.sendall(head.encode() + b"Connection: close\r\n\r\n" + body)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda connected: None, "too much to decide, try again"),
        (lambda connected: connected.close(), "cannot be reached"),
        (respond("200 OK", b"{}"), "no decision"),
        (respond("200 OK", b'{"result": {"0/topics/0": {}}}'), "no decision"),
        (respond("200 OK", b'{"result": {}}'), "no decision"),
        (respond("200 OK", DENIAL.replace(b"false", b"true")), "no decision"),
        (respond("200 OK", b"<html>"), "cannot be reached"),
        (respond("401 Unauthorized", b'{"code": "unauthorized"}'), "refuses the gateway"),
        (respond("500 Error", b'{"code": "internal_error", "errors": [{"code": "eval_conflict_error"}]}'), "it failed"),
        (respond("302 Found", b""), "refuses the gateway"),
    ],
    ids=[
        "slow",
        "killed",
        "undefined",
        "no decision",
        "empty",
        "contradiction",
        "no json",
        "refused",
        "failed",
        "redirect",
    ],
)
def test_without_decisions_changes_are_denied_and_the_rest_flows(make, answer, reason, caplog):
    """Whatever is wrong with OPA: an error with the reason at once, and the next request is answered.

    It is POLICY_VIOLATION, after which clients give up, but where OPA is slow.
    """
    slow = "try again" in reason
    limit = 0.5 if slow else PATIENCE
    with broken_opa(answer) as url, make(opa={"url": url, "timeout": limit}) as gateway, client(gateway) as connected:
        with caplog.at_level(logging.ERROR, "warden.enforce.gateway"):
            connected.sendall(create_topics("fault.a", "fault.b") + LIST_GROUPS)
            found = errors_of(receive(connected))
            assert b"\0\0\0\x02" == receive(connected)[LENGTH : LENGTH + 4]
        if reason != "no decision":  # what comes without one may be an answer to no question at all
            with pytest.raises(HTTPError, match="503"):
                urlopen(f"{gateway.probes}/readyz")

    assert [89 if slow else 44] * 2 == [code for code, _ in found]
    assert all(reason in message for _, message in found)
    assert slow or url in caplog.records[0].error


def test_opa_comes_back(make, opa_binary, few_bundle):
    """With OPA killed changes are denied; once it is there again they are decided, over the same connection."""
    with LocalOpa(few_bundle, opa=opa_binary) as opa:
        token = {"token": {"env": "WARDEN_TEST_GATEWAY_TOKEN"}}
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("WARDEN_TEST_GATEWAY_TOKEN", opa.tokens.query)
            with make(opa={"url": opa.url} | token) as gateway, client(gateway) as connected:
                os.kill(opa.pid, signal.SIGKILL)
                connected.sendall(create_topics("BACK"))
                assert "cannot be reached" in errors_of(receive(connected))[0][1]
                opa.restart()
                connected.sendall(create_topics("BACK"))
                assert "cannot be reached" not in errors_of(receive(connected))[0][1]


def test_opa_gets_another_token(make, opa_binary, few_bundle, tmp_path):
    """OPA refuses the token that was read; the next change is decided with the one that the file has by then."""
    file = tmp_path / "token"
    file.write_text("of-before")
    with LocalOpa(few_bundle, opa=opa_binary) as opa:
        opa_settings = {"url": opa.url, "token": {"file": str(file)}}
        with make(opa=opa_settings) as gateway, client(gateway) as connected:
            connected.sendall(create_topics("RENEWED"))
            assert "refuses" in errors_of(receive(connected))[0][1]
            file.write_text(opa.tokens.query)
            connected.sendall(create_topics("RENEWED"))
            assert "refuses" not in errors_of(receive(connected))[0][1]


def test_a_defect_while_deciding(gateway, monkeypatch, caplog):
    """The connection is closed and the log has the defect: nobody waits for ever, and the next client is served."""

    async def fail(*_, **__):
        raise RuntimeError("a defect")

    with monkeypatch.context() as patch, client(gateway) as connected:
        patch.setattr("warden.enforce.gateway.decisions.decider.Decider.decide", fail)
        connected.sendall(create_topics("DEFECT"))
        assert b"" == receive(connected)
    assert "a defect" in caplog.text
    assert is_served(gateway)


def test_the_broker_away_and_back(gateway, broker):
    """A broker that is away closes its clients' connections; the gateway goes on, and so do new ones."""
    with client(gateway) as connected:
        connected.sendall(LIST_GROUPS)
        assert receive(connected)
        broker.restart()
        assert b"" == receive(connected)
    assert is_served(gateway)


def test_a_broker_that_is_not_there(tmp_path, gateway_opa, caplog):
    """The client's connection is closed, and the log says why."""
    config = write_config(tmp_path / "g.yaml", gateway_opa, [{"name": "gate", "brokers": {1: "127.0.0.1:1"}}])
    with RunningGateway(config) as gateway, client(gateway) as connected, caplog.at_level(logging.WARNING):
        assert b"" == receive(connected)

    assert (
        "broker 1 at 127.0.0.1:1 cannot be reached" in caplog.text or "cannot be reached" in caplog.records[-1].reason
    )


def test_a_client_that_goes_away_in_mid_frame(gateway, broker):
    """Half a request changes nothing, and nobody else notices."""
    with client(gateway) as connected:
        connected.sendall(create_topics("half.topic")[:-3])
    assert is_served(gateway)

    assert "half.topic" not in run_tool(broker, "TopicCommand", "--list")


def test_a_client_that_goes_away_while_its_request_is_decided(make, broker):
    """Nothing of its request goes on, and nobody else notices."""
    release, entered = threading.Event(), threading.Event()

    def late(connected):
        entered.set()
        release.wait(PATIENCE)
        with contextlib.suppress(OSError):
            respond("200 OK", DENIAL)(connected)

    with broken_opa(late) as url, make(opa={"url": url}) as gateway:
        with client(gateway) as connected:
            connected.sendall(create_topics("gone.topic"))
            assert entered.wait(PATIENCE)
        assert is_served(gateway)
        release.set()

    assert "gone.topic" not in run_tool(broker, "TopicCommand", "--list")


@pytest.mark.parametrize("data", [b"GET / HTTP/1.1", b"\xff" * 4, b"\x7f\xff\xff\xff", b"\x16\x03\x01\x02\0\x01\0"])
def test_what_is_no_kafka_is_closed(gateway, data):
    """Another protocol, a negative length, one of 2 GiB, a TLS greeting."""
    with client(gateway) as connected:
        connected.sendall(data)
        assert b"" == receive(connected)


def test_a_defect_closes_the_connection(make, monkeypatch, caplog):
    """What nobody foresaw forwards nothing: the client's connection ends, and the log has the trace."""
    answer = respond("200 OK", DENIAL)
    monkeypatch.setattr("warden.enforce.gateway.guards.guarded_request.GuardResult", None)
    with broken_opa(answer) as url, make(opa={"url": url}) as gateway, client(gateway) as connected:
        connected.sendall(create_topics("defect.topic"))
        assert b"" == receive(connected)

    assert "TypeError" in caplog.text


def test_draining_answers_what_is_under_way(make):
    """A gateway that ends answers the requests it has, and takes no new connection."""
    release, entered = threading.Event(), threading.Event()

    def late(connected):
        entered.set()
        release.wait(PATIENCE)
        respond("200 OK", DENIAL)(connected)

    with broken_opa(late) as url:
        gateway = make(opa={"url": url})
        gateway.start()
        with client(gateway) as connected:
            connected.sendall(create_topics("drained.topic"))
            assert entered.wait(PATIENCE)
            (stopping := threading.Thread(target=gateway.stop)).start()
            release.set()
            assert [(44, "no")] == errors_of(receive(connected))
            stopping.join()
        with pytest.raises(OSError, match="refused"), client(gateway):
            pass


def test_a_port_that_is_taken_is_named(make):
    """The gateway does not start without all of its listeners."""
    first = make()
    second = RunningGateway(first.config)
    with first, pytest.raises(ConfigurationError, match=str(first.config.clusters[0].brokers[0].port)):
        second.start()
    second.stop()
