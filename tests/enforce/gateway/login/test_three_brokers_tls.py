"""Kafka's own tools with certificates, through a gateway to three brokers that know them by delegation tokens alone.

There is TLS on both sides: the brokers' listener for clients is SASL_SSL.
"""

import ssl
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from kafka.admin import ACLOperation, ResourceType

from tests.enforce.gateway.login.accounts import PASSWORD, PREFIXED, acl, grant, list_tokens, with_account
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.three_brokers import IDS, ThreeBrokers
from tests.fixtures.brokers.kafka import AUTHORIZER
from tests.fixtures.brokers.replication import replicate_cluster
from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import KafkaError
from warden.demo.java import run_java
from warden.policy.opa.local import LocalOpa

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.kafka,
    pytest.mark.opa,
]

SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
PROPERTIES = {
    **AUTHORIZER,
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CLIENTS:SASL_SSL,CONTROLLER:PLAINTEXT",
    "sasl.enabled.mechanisms": "SCRAM-SHA-256",
    "listener.name.clients.scram-sha-256.sasl.jaas.config": SCRAM,
    "delegation.token.secret.key": "a-key-of-this-test",
    # However slow the machine is, none of them is taken for dead.
    "broker.session.timeout.ms": "120000",
    "controller.quorum.fetch.timeout.ms": "20000",
}


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """Who signs everybody's certificates."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def brokers(authority):
    """Three brokers whose listener for clients takes logins: alice may do what is hers, the account make her tokens."""
    operations = (ACLOperation.CREATE, ACLOperation.DESCRIBE, ACLOperation.WRITE, ACLOperation.READ)
    certificate, key = authority.issue("broker", "/CN=broker", "subjectAltName=IP:127.0.0.1")
    store = certificate.with_name("broker.pem")
    store.write_text(key.read_text() + certificate.read_text())
    listener = {"ssl.keystore.type": "PEM", "ssl.keystore.location": str(store)}
    properties = PROPERTIES | {f"listener.name.clients.{name}": value for name, value in listener.items()}
    with ThreeBrokers(properties) as running:
        both = account(running, authority)
        with_account(both)
        grant(
            both,
            *(acl("alice", operation, ResourceType.TOPIC, "alice.", PREFIXED) for operation in operations),
            acl("alice", ACLOperation.READ, ResourceType.GROUP, "alice", PREFIXED),
            acl("gateway", ACLOperation.CREATE_TOKENS, ResourceType.USER, "User:alice"),
        )
        eventually(lambda: all(map(running.knows_all, IDS)), "three brokers that know each other", 120)
        yield running


def account(brokers, authority):
    """Where the first of the brokers takes logins, and anybody."""
    tls = ssl.create_default_context(cafile=str(authority.certificate))
    sasl = brokers.addresses[1]
    return SimpleNamespace(bootstrap_servers=brokers.bootstrap_servers, sasl_bootstrap_servers=sasl, tls=tls)


@pytest.fixture
def at(brokers, authority, few_bundle, opa_binary, tmp_path):
    """Every bootstrap server of a gateway whose clients have certificates, and alice's file for Kafka's tools."""
    served, served_key = authority.issue("gateway", "/CN=gateway", "subjectAltName=IP:127.0.0.1")
    certificate, key = authority.issue("alice", "/CN=alice", "extendedKeyUsage=clientAuth")
    (tmp_path / "alice.pem").write_text(key.read_text() + certificate.read_text())
    (tmp_path / "password").write_text(PASSWORD)
    stores = {"keystore": tmp_path / "alice.pem", "truststore": authority.certificate}
    lines = [f"ssl.{name}.type=PEM\nssl.{name}.location={path}" for name, path in stores.items()]
    (tmp_path / "alice").write_text("\n".join(["security.protocol=SSL", *lines, ""]))
    cluster = {
        "name": "three",
        "authentication": "tls",
        "principalMappingRules": "RULE:^CN=(.*)$/$1/",
        "account": {"username": "gateway", "password": {"file": "password"}},
        "tls": {
            "certificateFile": str(served),
            "keyFile": str(served_key),
            "clientCaFile": str(authority.certificate),
        },
        "upstreamTls": {"caFile": str(authority.certificate)},
        "brokers": brokers.addresses,
    }
    with ExitStack() as stack:
        opa = stack.enter_context(LocalOpa(few_bundle, opa=opa_binary))
        replicate_cluster(opa, tmp_path, brokers.bootstrap_servers, "three")
        config = write_config(tmp_path / "gateway.yaml", opa, [cluster], limits={"drainSeconds": 1})
        gateway = stack.enter_context(RunningGateway(config))
        yield ",".join(gateway.address(0, place) for place in range(len(IDS))), str(tmp_path / "alice")


def test_kafkas_own_tools(at, brokers, authority):
    """Topics are created and refused, records are produced to all brokers and consumed by a group, by one token."""
    address, login = at

    def run(main, *arguments, option="--command-config"):
        every = ["--bootstrap-server", address, option, login, *arguments]
        return run_java(f"org.apache.kafka.tools.{main}", every, class_path=brokers.class_path, timeout=PATIENCE)

    create = ("TopicCommand", "--create", "--partitions", "3", "--replication-factor", "3", "--topic")
    assert "Created topic alice.data" in run(*create, "alice.data")
    for name, reason in {"Alice_Data": "does not match the convention", "other.data": "uthorization"}.items():
        with pytest.raises(KafkaError, match=reason):
            run(*create, name)
    amount = ("--num-records", "3000", "--record-size", "100", "--throughput", "-1")
    assert "3000 records sent" in run("ProducerPerformance", "--topic", "alice.data", *amount)
    wanted = ("--topic", "alice.data", "--group", "alice", "--num-records", "3000", "--hide-header")
    consumed = run("ConsumerPerformance", *wanted).splitlines()[-1].split(", ")

    assert 3000 <= int(consumed[4])
    assert ["User:alice"] == [owner for owner, _, _ in list_tokens(account(brokers, authority))]
    assert [] == brokers.caught
