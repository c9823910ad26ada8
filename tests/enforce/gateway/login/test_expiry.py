"""Logins that end while their client is connected: delegation tokens, and OAUTHBEARER sessions (KIP-48, KIP-368)."""

import base64
import json
import logging
import socket
import time
from functools import partial

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic
from kafka.admin import ACLOperation, ResourceType

from tests.enforce.gateway.frames import new_word
from tests.enforce.gateway.login.accounts import PASSWORD, PREFIXED, acl, grant, own_token, with_account
from tests.enforce.gateway.login.creations import GOOD, created, exchange
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.demo.local_broker import LocalBroker
from warden.enforce.gateway.login.upstream import Credentials, encode_request, log_in, read_response

pytestmark = [pytest.mark.cluster, pytest.mark.kafka, pytest.mark.opa]

LIFETIMES = (5, 20, 60)
"""Seconds that a login is good for; the longer ones where a machine is too slow to use a shorter one."""
MODULE = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"
LISTENER = "listener.name.sasl_plaintext.oauthbearer."
OAUTHBEARER = {
    "sasl.enabled.mechanisms": "OAUTHBEARER",
    f"{LISTENER}sasl.jaas.config": f'{MODULE} required unsecuredLoginStringClaim_sub="x";',
    f"{LISTENER}connections.max.reauth.ms": "3600000",
}


@pytest.fixture(scope="module")
def sessions():
    """A broker whose clients log in by unsecured tokens, and have to again when those end."""
    with LocalBroker(properties=OAUTHBEARER, sasl_users={"nobody": "x"}) as running:
        yield running


@pytest.fixture(scope="module")
def gateway(tmp_path_factory, gateway_opa, replicate, token_broker, sessions):
    """A gateway: cluster 0 is `token_broker`, with an account that finds owners; cluster 1 is `sessions`."""
    with_account(token_broker, "erin")
    grant(
        token_broker,
        acl("erin", ACLOperation.CREATE, ResourceType.TOPIC, "erin.", PREFIXED),
        acl("gateway", ACLOperation.DESCRIBE_TOKENS, ResourceType.USER, "User:erin"),
    )
    directory = tmp_path_factory.mktemp("expiry")
    (directory / "password").write_text(PASSWORD)
    account = {"account": {"username": "gateway", "password": {"file": "password"}}}
    clusters = [
        {"name": "logins", "brokers": {1: token_broker.sasl_bootstrap_servers}} | account,
        {"name": "gate", "brokers": {1: sessions.sasl_bootstrap_servers}},
    ]
    usual = [{"authentication": "sasl"} | cluster for cluster in clusters]
    with RunningGateway(write_config(directory / "gateway.yaml", gateway_opa, usual)) as running:
        yield running


def connect(gateway, cluster):
    """A socket to the gateway."""
    host, port = gateway.address(cluster).split(":")
    return socket.create_connection((host, int(port)), timeout=PATIENCE)


def bearer(seconds):
    """The steps of a login by an unsecured token of alice's that ends in so many seconds."""

    def encoded(document):
        return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")

    now = time.time()
    token = f"{encoded({'alg': 'none'})}.{encoded({'sub': 'alice', 'iat': now - 1, 'exp': now + seconds})}."
    head, raw = encode_request("SaslHandshake", 1, 0, {"mechanism": "OAUTHBEARER"})
    assert 0 == read_response(head, (yield head, raw))["errorCode"]
    head, raw = encode_request("SaslAuthenticate", 2, 0, {"authBytes": f"n,,\x01auth=Bearer {token}\x01\x01".encode()})
    answer = read_response(head, (yield head, raw))
    assert (0, b"") == (answer["errorCode"], answer["authBytes"])


def passed(moment):
    """Whether a moment is in the past."""
    return time.time() > moment


def of(principal, caplog):
    """How many requests were decided about a principal."""
    return sum(one.getMessage() == "decided" and one.principal == principal for one in caplog.records)


def ended(connected, topic):
    """Whether the connection has ended when a broker is to create a topic that is not there."""
    return created(connected, f"{topic}.{new_word()}") is None


def outlived(begin, topic):
    """Have a login end: where it could still create a topic, more are requested until its connection has ended."""
    for seconds in LIFETIMES:
        with begin(seconds) as connected:
            if created(connected, f"{topic}.first") in GOOD:
                eventually(partial(ended, connected, f"{topic}.again"), "the end of the connection")
                return
    pytest.fail("no login was good for a single request")


def test_a_delegation_token_that_ends(gateway, token_broker, caplog):
    """The broker ends the connection of a token that has expired, so the gateway ends its client's; others go on."""

    def begin(seconds):
        connected = connect(gateway, 0)
        identity, secret = own_token(token_broker, "erin", 1000 * seconds)
        exchange(connected, log_in(Credentials(identity, secret, "SCRAM-SHA-256", is_token=True)))
        return connected

    with caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        outlived(begin, "erin.token")

    assert of("User:erin", caplog)
    with begin(600) as another:
        assert created(another, "erin.token.another") in GOOD


def test_an_oauthbearer_session_that_ends(gateway, caplog):
    """A session ends with its token, unless the client logs in again (KIP-368)."""

    def begin(seconds):
        connected = connect(gateway, 1)
        exchange(connected, bearer(seconds))
        return connected

    with caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        outlived(begin, "bearer.ended")

    assert of("User:alice", caplog)


def test_an_oauthbearer_session_that_is_renewed(gateway):
    """A client that logs in again on its connection goes on beyond the end of its first token."""
    for seconds in LIFETIMES:
        with connect(gateway, 1) as connected:
            exchange(connected, bearer(seconds))
            end = time.time() + seconds
            first = created(connected, "bearer.renewed.first")
            if first is None or time.time() > end - 1:
                continue
            exchange(connected, bearer(600))
            if time.time() > end:
                continue
            eventually(partial(passed, end + 1), "the end of the first token")
            assert created(connected, "bearer.renewed.second") in GOOD
            return
    pytest.fail("no login was good for a single request")


def test_librdkafka_logs_in_by_oauthbearer(gateway):
    """A client as it is: its token goes through the gateway, and the policy comes before the broker."""
    oauth = {"enable.sasl.oauthbearer.unsecure.jwt": True, "sasl.oauthbearer.config": "principal=alice"}
    login = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "OAUTHBEARER"} | oauth
    admin = AdminClient({"bootstrap.servers": gateway.address(1)} | login)
    topics = admin.create_topics([NewTopic("bearer.topic", 1), NewTopic("Bearer_Topic", 1)])

    topics["bearer.topic"].result(PATIENCE)
    with pytest.raises(KafkaException, match="does not match the convention"):
        topics["Bearer_Topic"].result(PATIENCE)
