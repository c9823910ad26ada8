"""Clients that log in by delegation tokens of their own (KIP-48): decisions are about the owner of the token."""

import logging
from contextlib import contextmanager

import pytest
from kafka.admin import ACLOperation, ResourceType

from tests.enforce.gateway.frames import create_topics
from tests.enforce.gateway.login.accounts import PASSWORD, acl, grant, own_token, with_account
from tests.enforce.gateway.login.creations import exchange
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.test_faults import client, errors_of, receive
from warden.base.errors import KafkaError, WardenError
from warden.demo.class_path import build_class_path
from warden.demo.java import run_java
from warden.enforce.gateway.login.upstream import Credentials, LoginFailed, log_in
from warden.state.sources.kafka.read.collect import collect

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

LOGIN = "org.apache.kafka.common.security.scram.ScramLoginModule"


@pytest.fixture(scope="module")
def owners(token_broker):
    """Users with passwords; the gateway's account may see the tokens of alice, and not those of carol."""
    with_account(token_broker, "alice", "carol")
    grant(token_broker, acl("gateway", ACLOperation.DESCRIBE_TOKENS, ResourceType.USER, "User:alice"))
    return token_broker


@pytest.fixture(scope="module")
def gateway(tmp_path_factory, gateway_opa, replicate, owners):
    """A gateway before `token_broker` that finds owners for cluster 0, and has no account for cluster 1."""
    directory = tmp_path_factory.mktemp("token-logins")
    (directory / "password").write_text(PASSWORD)
    account = {"username": "gateway", "password": {"file": "password"}}
    usual = {"authentication": "sasl", "brokers": {1: owners.sasl_bootstrap_servers}}
    clusters = [{"name": "logins", "account": account} | usual, {"name": "gate"} | usual]
    with RunningGateway(write_config(directory / "gateway.yaml", gateway_opa, clusters)) as running:
        yield running


@contextmanager
def logged_in(gateway, token, cluster=0):
    """A socket that has logged in by a token."""
    with client(gateway, cluster) as connected:
        exchange(connected, log_in(Credentials(token[0], token[1], "SCRAM-SHA-256", is_token=True)))
        yield connected


def lines(caplog):
    """Lines of the log about decisions."""
    return [one for one in caplog.records if one.getMessage() == "decided"]


def test_kafkas_own_client(gateway, owners, tmp_path, caplog):
    """kafka-topics, logged in by a token of alice's: what is decided is about her, and no secret is logged."""
    token = own_token(owners, "alice")
    module = "org.apache.kafka.common.security.scram.ScramLoginModule"
    login = f'sasl.jaas.config={module} required username="{token[0]}" password="{token[1]}" tokenauth="true";'
    (tmp_path / "login").write_text(f"security.protocol=SASL_PLAINTEXT\nsasl.mechanism=SCRAM-SHA-256\n{login}\n")

    def create(topic):
        options = ("--bootstrap-server", gateway.address(), "--command-config", str(tmp_path / "login"))
        main = "org.apache.kafka.tools.TopicCommand"
        return run_java(main, [*options, "--create", "--topic", topic], class_path=build_class_path())

    with caplog.at_level(logging.DEBUG):
        assert "Created topic alice.token" in create("alice.token")
        with pytest.raises(KafkaError, match="does not match the convention"):
            create("Alice_ByToken")

    assert ["User:alice", "User:alice"] == [line.principal for line in lines(caplog)]
    assert token[1] not in caplog.text


def test_the_owners_rights_hold(gateway, owners):
    """The broker decides by alice's ACLs, not by those of the account, which may create any topic."""
    with logged_in(gateway, own_token(owners, "alice")) as connected:
        connected.sendall(create_topics("alice.three", "other.three", "Alice_Three"))
        assert [0, 29, 44] == [code for code, _ in errors_of(receive(connected))]


def test_an_owner_that_cannot_be_known(gateway, owners, caplog):
    """The account may not see carol's token: her login fails, although the broker has believed it."""
    token = own_token(owners, "carol")
    with (
        caplog.at_level(logging.INFO, "warden.enforce.gateway"),
        pytest.raises(LoginFailed),
        logged_in(gateway, token),
    ):
        pass

    reasons = "\n".join(one.reason for one in caplog.records if one.getMessage() == "connection closed")
    assert "grant the gateway's account User:gateway DESCRIBE_TOKENS" in reasons
    assert [] == lines(caplog)


def test_a_wrong_secret_is_the_brokers_to_refuse(gateway, owners, caplog):
    """No owner is looked up for a login that the broker does not believe."""
    identity, _ = own_token(owners, "carol")
    with (
        caplog.at_level(logging.INFO, "warden.enforce.gateway"),
        pytest.raises(LoginFailed),
        logged_in(gateway, (identity, "guess")),
    ):
        pass

    assert "the owner of a delegation token" not in caplog.text


def test_without_an_account_tokens_are_refused(gateway, owners):
    """A real token, which the broker would take."""
    with pytest.raises(LoginFailed) as refused, logged_in(gateway, own_token(owners, "alice"), cluster=1):
        pass

    assert 58 == refused.value.code


def test_what_reads_a_cluster_logs_in_by_a_token(owners):
    """With the properties of Kafka's own clients the state is what the owner sees; a user has no token's id."""
    grant(owners, acl("alice", ACLOperation.DESCRIBE, ResourceType.CLUSTER, "kafka-cluster"))
    identifier, secret = own_token(owners, "alice")
    login = f'{LOGIN} required username="{identifier}" password="{secret}"'
    given = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "SCRAM-SHA-256"}
    state = collect(owners.sasl_bootstrap_servers, security={**given, "sasl.jaas.config": f'{login} tokenauth="true";'})

    assert 1 == state["clusterSize"]
    assert "User:alice" in str(state["acls"])  # which she may see now
    for wrong in (f"{login};", login.replace(secret, "eA==") + ' tokenauth="true";'):
        with pytest.raises(WardenError):
            collect(owners.sasl_bootstrap_servers, security={**given, "sasl.jaas.config": wrong}, timeout=10)
    name = f'{LOGIN} required username="alice" password="{PASSWORD}";'  # a user beside: nothing of it stays
    assert 1 == collect(owners.sasl_bootstrap_servers, security={**given, "sasl.jaas.config": name})["clusterSize"]
