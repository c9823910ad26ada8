"""The gateway's logins in a client's name, on that client's connection: before its requests, and between them."""

import base64

import pytest
from kafka.net.sasl.scram import ScramClient

from tests.enforce.gateway.frames import connection, raw_request, raw_response, taken
from warden.enforce.gateway.login.upstream import Credentials, LoginFailed
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError, encode_frame, read_head

TOKEN = Credentials("id=1", "c2VjcmV0", "SCRAM-SHA-256", is_token=True)
PRINCIPAL = "User:alice"


def requests(data):
    """Names, heads and bodies of the requests in some bytes."""
    found = []
    while data:
        size = LENGTH + int.from_bytes(data[:LENGTH], "big")
        head = read_head(data[:size])
        found.append((head, data[head.body_start : size]))
        data = data[size:]
    return found


class Broker:
    """The broker's side of SCRAM."""

    def __init__(self, seconds=60, error=0):
        self.seconds, self.error = seconds, error
        self.first = b""

    def answer(self, data):
        """The response to the one request of a login in some bytes."""
        ((head, body),) = requests(data)
        fields = codec.decode(head.api.key, head.version, "Request", body).fields
        if head.api.name == "SaslHandshake":
            return raw_response("SaslHandshake", 1, {"errorCode": 0, "mechanisms": [fields["mechanism"]]}, 0)
        sent = fields["authBytes"]
        if self.error:
            return self.authenticated(b"", self.error)
        if sent.startswith(b"n,,"):
            self.first = sent[3:]
            nonce = sent.split(b"r=")[1].split(b",")[0]
            self.challenge = b"r=" + nonce + b"more,s=" + base64.b64encode(b"salt") + b",i=4096"
            return self.authenticated(self.challenge)
        twin = ScramClient("any", TOKEN.password, TOKEN.mechanism)
        twin.nonce, twin.auth_message = b"", self.first
        twin.process_server_first_message(self.challenge)
        assert sent.endswith(base64.b64encode(twin.client_proof))
        return self.authenticated(b"v=" + base64.b64encode(twin.server_signature))

    def authenticated(self, data, error=0):
        """A response to SaslAuthenticate."""
        fields = {"errorCode": error, "errorMessage": None, "authBytes": data, "sessionLifetimeMs": self.seconds * 1000}
        return raw_response("SaslAuthenticate", 2, fields, 0)


def log_in(core, broker):
    """Carry a login to its end; returns what the broker gets behind it."""
    for _ in range(3):
        to_client, to_broker = taken(core)
        assert b"" == to_client
        core.receive_from_broker(broker.answer(to_broker))
    return taken(core)


def groups(number):
    """A request that passes."""
    return raw_request("ListGroups", 3, b"\0", number)


def test_nothing_goes_before_the_login():
    """What a client sends meanwhile waits; a token says that it is one; the principal is known at the end alone."""
    core, broker = connection(authentication="tls"), Broker()
    core.log_in_as(PRINCIPAL, TOKEN)
    core.receive_from_client(groups(7))
    assert core.is_waiting
    assert core.principal is None
    assert (b"", groups(7)) == log_in(core, broker)
    assert broker.first.startswith(b"n=id=3D1,r=")
    assert broker.first.endswith(b",tokenauth=true")
    assert (60.0, 0.0) == (core.take_session_seconds(), core.take_session_seconds())
    core.log_in_as(PRINCIPAL, TOKEN)


def test_a_login_is_renewed_between_two_requests():
    """Not within one; responses that are owed still come, and the client sees nothing of the login."""
    core, broker = connection(authentication="tls"), Broker()
    core.log_in_as(PRINCIPAL, TOKEN)
    log_in(core, broker)
    half = groups(1)[:-1]
    core.receive_from_client(half)
    core.log_in_as(PRINCIPAL, TOKEN)
    assert (b"", half) == taken(core)
    core.receive_from_client(groups(1)[-1:] + groups(2))
    rest, handshake = (one := taken(core)[1])[:1], one[1:]
    assert groups(1)[-1:] == rest
    response = encode_frame(b"\0\0\0\x01", b"\0groups")
    core.receive_from_broker(response + broker.answer(handshake))
    to_client, to_broker = taken(core)
    assert response == to_client
    for _ in range(2):
        core.receive_from_broker(broker.answer(to_broker))
        to_client, to_broker = taken(core)
        assert b"" == to_client
    assert groups(2) == to_broker


def test_a_login_that_is_refused_ends_the_connection():
    """So does one that the broker takes for expired, and one for somebody else."""
    core = connection(authentication="tls")
    core.log_in_as(PRINCIPAL, TOKEN)
    with pytest.raises(LoginFailed):
        log_in(core, Broker(error=58))
    core = connection(authentication="tls")
    core.log_in_as(PRINCIPAL, TOKEN)
    with pytest.raises(ProtocolError, match="expired"):
        log_in(core, Broker(seconds=0))
    core = connection(authentication="tls")
    core.log_in_as(PRINCIPAL, TOKEN)
    log_in(core, Broker())
    with pytest.raises(ProtocolError, match="another principal"):
        core.log_in_as("User:bob", TOKEN)


def test_a_client_that_nobody_speaks_for_gets_the_error():
    """ApiVersions, with which all clients begin, has a place for it; nothing reaches a broker."""
    core = connection(authentication="tls")
    core.refuse(61, "no tokens")
    software = {"clientSoftwareName": "c", "clientSoftwareVersion": "1"}
    with pytest.raises(ProtocolError, match="no tokens"):
        core.receive_from_client(raw_request("ApiVersions", 3, software, 5))
    to_client, to_broker = taken(core)

    assert b"" == to_broker
    assert (5, 61) == (int.from_bytes(to_client[4:8], "big"), int.from_bytes(to_client[8:10], "big"))


def test_secrets_are_not_shown():
    """Neither by what is printed nor by what is raised."""
    assert TOKEN.password not in repr(TOKEN)
