"""Clients that log in through the gateway: the broker sees their own login, and decisions their own name."""

import logging

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import (
    AdminClient,
    NewTopic,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)

from tests.enforce.gateway.frames import create_topics, raw_request
from tests.enforce.gateway.test_faults import client, receive
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.patience import PATIENCE
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

PASSWORD = "wonder-land"


@pytest.fixture(scope="module", autouse=True)
def users(broker):
    """Users at the broker: alice may do nothing, bob is its super user."""
    admin = AdminClient({"bootstrap.servers": broker.bootstrap_servers})
    info = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096)
    changes = [UserScramCredentialUpsertion(user, info, PASSWORD.encode()) for user in ("alice", "bob")]
    for future in admin.alter_user_scram_credentials([*changes]).values():
        future.result(PATIENCE)


def create(gateway, user, topic, password=PASSWORD):
    """Have a user create a topic through the gateway; returns the error's name, or None."""
    login = {"sasl.mechanism": "SCRAM-SHA-256", "sasl.username": user, "sasl.password": password}
    settings = {"bootstrap.servers": gateway.address(1), "security.protocol": "SASL_PLAINTEXT", "client.id": topic}
    admin = AdminClient(settings | login)
    limit = PATIENCE if password == PASSWORD else 10  # librdkafka goes on with a login that is refused
    try:
        admin.create_topics([NewTopic(topic, 1)], operation_timeout=limit, request_timeout=limit)[topic].result(
            PATIENCE
        )
    except KafkaException as error:
        return error.args[0].name()
    return None


def lines(caplog, client_id):
    """Lines of the log about requests of a client."""
    return [one for one in caplog.records if one.getMessage() == "decided" and one.clientId == client_id]


def test_the_principal_is_the_clients_own(gateway, caplog):
    """Decisions are about the user who has logged in, and so are the broker's ACLs: the gateway lends no rights."""
    with caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        found = {user: create(gateway, user, f"login.{user}") for user in ("bob", "alice")}

    assert {"bob": None, "alice": "TOPIC_AUTHORIZATION_FAILED"} == found
    assert ["User:bob"] == [line.principal for line in lines(caplog, "login.bob")]
    assert ["User:alice"] == [line.principal for line in lines(caplog, "login.alice")]
    assert PASSWORD not in caplog.text


def test_the_policy_comes_first(gateway):
    """What the policy denies the broker does not see, whoever asks for it."""
    assert "POLICY_VIOLATION" == create(gateway, "bob", "Login_Bob")


def test_a_wrong_password_is_the_brokers_to_refuse(gateway, caplog):
    """No name is believed, and nothing is decided."""
    with caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        assert create(gateway, "bob", "login.wrong", "guess") is not None

    assert [] == lines(caplog, "login.wrong")


def handshake(mechanism, version=1):
    """A SaslHandshake."""
    return raw_request("SaslHandshake", version, {"mechanism": mechanism}, 3)


def authenticate(data):
    """A SaslAuthenticate."""
    return raw_request("SaslAuthenticate", 2, {"authBytes": data}, 4)


def test_changes_before_the_login_are_not_carried(gateway, caplog):
    """A request that does not wait for the login ends the connection, and reaches neither OPA nor the broker."""
    with client(gateway, 1) as connected, caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        connected.sendall(create_topics("early.topic"))
        assert b"" == receive(connected)

    assert [] == lines(caplog, "me")


def test_changes_behind_a_failed_login_are_not_carried(gateway, broker, caplog):
    """What a client sends in one packet with its login waits for the broker's answer to that."""
    with client(gateway, 1) as connected, caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        connected.sendall(handshake("SCRAM-SHA-256"))
        assert receive(connected)
        connected.sendall(authenticate(b"n,,n=bob,r=nonce") + create_topics("early.topic"))
        assert receive(connected)
        assert b"" == receive(connected)

    assert [] == lines(caplog, "me")
    assert "early.topic" not in run_tool(broker, "TopicCommand", "--list")


def test_a_delegation_token_is_refused_with_a_sentence(gateway):
    """Its id does not say whose it is."""
    with client(gateway, 1) as connected:
        connected.sendall(handshake("SCRAM-SHA-256"))
        assert receive(connected)
        connected.sendall(authenticate(b"n,,n=token-id,r=nonce,tokenauth=true"))
        fields = codec.decode(36, 2, "Response", receive(connected)[LENGTH + 5 :]).fields

    assert 58 == fields["errorCode"]
    assert "whose delegation token" in fields["errorMessage"]


def test_kerberos_is_refused(gateway):
    """The client gets the mechanisms that the gateway carries."""
    with client(gateway, 1) as connected:
        connected.sendall(handshake("GSSAPI"))
        fields = codec.decode(17, 1, "Response", receive(connected)[LENGTH + 4 :]).fields

    assert 33 == fields["errorCode"]
    assert "SCRAM-SHA-512" in fields["mechanisms"]


def test_the_old_handshake_is_closed(gateway):
    """After version 0 come bytes that are no frames."""
    with client(gateway, 1) as connected:
        connected.sendall(handshake("PLAIN", 0))
        assert b"" == receive(connected)


def test_a_listener_without_logins_takes_none(gateway):
    """Where the file says that nobody logs in, nobody can: its principal would not be known."""
    with client(gateway, 0) as connected:
        connected.sendall(handshake("PLAIN"))
        fields = codec.decode(17, 1, "Response", receive(connected)[LENGTH + 4 :]).fields

    assert 34 == fields["errorCode"]
