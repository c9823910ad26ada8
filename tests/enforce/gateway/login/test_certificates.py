"""Clients with certificates: the gateway speaks to the broker as them, by tokens, and lends them nothing of its own."""

import logging
import socket
import ssl
import time
from contextlib import contextmanager
from functools import partial
from urllib.request import urlopen

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic
from kafka.admin import ACLOperation, ResourceType

from tests.enforce.gateway.frames import raw_request
from tests.enforce.gateway.login.accounts import PASSWORD, acl, grant, list_tokens, revoke, with_account
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.test_faults import receive
from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """An authority, with certificates of the gateway and of users."""
    one = Authority(tmp_path_factory.mktemp("certificates"))
    one.issue("gateway", "/CN=gateway", "subjectAltName=IP:127.0.0.1")
    one.issue("nobody", "/CN=nobody", "extendedKeyUsage=clientAuth")
    for user in ("Alice", "dora", "erin", "mallory"):
        one.issue(user, f"/O=x/OU=Team A/CN={user}", "extendedKeyUsage=clientAuth")
    return one


@contextmanager
def running_gateway(directory, opa, authority, address, authorities=None, **account):
    """A gateway whose clients have certificates; of the authorities in a file, where one is given."""
    (directory / "password").write_text(PASSWORD)
    files = {
        "certificateFile": str(authority.directory / "gateway.crt"),
        "keyFile": str(authority.directory / "gateway.key"),
        "clientCaFile": str(authorities or authority.certificate),
    }
    cluster = {
        "name": "gate",
        "brokers": {1: address},
        "authentication": "tls",
        "tls": files,
        "principalMappingRules": "RULE:^CN=(.*?),OU=.*$/$1/L",
        "account": {"username": "gateway", "password": {"file": "password"}} | account,
    }
    with RunningGateway(write_config(directory / "gateway.yaml", opa, [cluster])) as running:
        yield running


@pytest.fixture(scope="module")
def certified(tmp_path_factory, gateway_opa, replicate, authority, token_broker):
    """A gateway before `token_broker`."""
    directory = tmp_path_factory.mktemp("certified")
    with running_gateway(directory, gateway_opa, authority, token_broker.sasl_bootstrap_servers) as running:
        yield running


def admin_of(gateway, authority, user, **more):
    """An AdminClient with a certificate."""
    stem = authority.directory / user
    files = {"ssl.certificate.location": f"{stem}.crt", "ssl.key.location": f"{stem}.key"}
    usual = {
        "bootstrap.servers": gateway.address(),
        "security.protocol": "SSL",
        "ssl.ca.location": str(authority.certificate),
        "client.id": user,
    }
    return AdminClient(usual | files | more)


def create(gateway, authority, user, topic):
    """Have a user create a topic through the gateway; returns the error's name, or None."""
    admin = admin_of(gateway, authority, user)  # held until the result is there
    try:
        admin.create_topics([NewTopic(topic, 1)], request_timeout=PATIENCE)[topic].result(PATIENCE)
    except KafkaException as error:
        return error.args[0].name()
    return None


def test_the_broker_sees_the_certificates_principal(certified, authority, token_broker, caplog):
    """Her ACLs hold upstream, and not the account's, which may create any topic; no secret is logged."""
    with caplog.at_level(logging.DEBUG):
        found = {
            topic: create(certified, authority, "Alice", topic) for topic in ("alice.one", "other.one", "Alice_Two")
        }

    wanted = {"alice.one": None, "other.one": "TOPIC_AUTHORIZATION_FAILED", "Alice_Two": "POLICY_VIOLATION"}
    assert wanted == found
    decided = [one for one in caplog.records if one.getMessage() == "decided" and one.clientId == "Alice"]
    assert {"User:alice"} == {one.principal for one in decided}
    tokens = list_tokens(token_broker)
    assert "User:alice" in {owner for owner, _, _ in tokens}
    assert not [one for _, *secrets in tokens for one in (*secrets, PASSWORD) if one in caplog.text]


@contextmanager
def client(gateway, authority, user, trusted=None):
    """A socket to the gateway, with a certificate; the gateway's own is of the same authority, or of a trusted one."""
    context = ssl.create_default_context(cafile=str((trusted or authority).certificate))
    context.load_cert_chain(authority.directory / f"{user}.crt", authority.directory / f"{user}.key")
    host, port = gateway.address().split(":")
    with (
        socket.create_connection((host, int(port)), timeout=PATIENCE) as plain,
        context.wrap_socket(plain, server_hostname=host) as connected,
    ):
        yield connected


def turned_away(gateway, authority, user, caplog):
    """The error that a client gets, and the reason that is logged."""
    names = {"clientSoftwareName": "c", "clientSoftwareVersion": "1"}
    caplog.clear()
    with caplog.at_level(logging.INFO, "warden.enforce.gateway"), client(gateway, authority, user) as connected:
        connected.sendall(raw_request("ApiVersions", 3, names))
        answer = receive(connected)
        assert b"" == receive(connected)
    reasons = [one.reason for one in caplog.records if one.getMessage() == "connection closed"]
    return int.from_bytes(answer[8:10], "big"), "\n".join(reasons)


def test_who_has_no_token_is_refused(certified, authority, caplog):
    """The account may make none for mallory: the log says what to grant, and the broker sees nothing of her."""
    code, reason = turned_away(certified, authority, "mallory", caplog)

    assert 65 == code
    assert "grant it CREATE_TOKENS on the user User:mallory" in reason


def test_a_subject_without_a_rule_is_refused(certified, authority, caplog):
    """It is nobody's: no token is made."""
    code, reason = turned_away(certified, authority, "nobody", caplog)

    assert 58 == code
    assert "no rule of principalMappingRules applies to the subject CN=nobody" in reason


def test_brokers_without_tokens(tmp_path, gateway_opa, authority, broker, caplog):
    """Clients with certificates are refused with a sentence that says what to configure."""
    with_account(broker)
    right = acl("gateway", ACLOperation.CREATE_TOKENS, ResourceType.USER, "User:alice")
    grant(broker, right)
    try:
        with running_gateway(tmp_path, gateway_opa, authority, broker.sasl_bootstrap_servers) as gateway:
            code, reason = turned_away(gateway, authority, "Alice", caplog)
    finally:
        revoke(broker, right)

    assert 61 == code
    assert "set delegation.token.secret.key on every broker and controller" in reason


@pytest.mark.parametrize("spent", [False, True])
def test_a_login_is_renewed(certified, authority, token_broker, spent):
    """On an open connection, with the token that is there, and with another once that is spent."""
    with client(certified, authority, "dora") as connected:
        connected.sendall(raw_request("ListGroups", 3, b"\0", 2))
        assert receive(connected)
        before, tokens = logins(certified), of_dora(token_broker)
        certified.call(partial(renew, relay_of(certified, "User:dora"), spent))
        eventually(lambda: logins(certified) > before, "another login")
        connected.sendall(raw_request("ListGroups", 3, b"\0", 3))
        assert receive(connected)

    assert spent == bool(of_dora(token_broker) - tokens)


@pytest.mark.cluster
def test_short_tokens_are_renewed_by_the_timer(tmp_path, gateway_opa, replicate, authority, token_broker):
    """A client as it is works on over several lives of its token, on one connection, with another token each time."""
    seen = []
    for seconds in (5, 15, 40):  # a slow machine may miss the end of the first ones
        (directory := tmp_path / str(seconds)).mkdir()
        address, before = token_broker.sasl_bootstrap_servers, of_dora(token_broker)
        with running_gateway(directory, gateway_opa, authority, address, tokenSeconds=seconds) as gateway:
            admin = admin_of(gateway, authority, "dora")
            made: set[str] = set()
            since: dict[object, float] = {}
            end = time.monotonic() + 5 * seconds
            while time.monotonic() < end:
                assert admin.list_topics(timeout=PATIENCE).brokers
                made |= of_dora(token_broker) - before
                since = {one: since.get(one, time.monotonic()) for one in relays_of(gateway, "User:dora")}
                lived = time.monotonic() - min(since.values(), default=time.monotonic())
                if lived > 3 * seconds and len(made) >= 3:
                    return
                time.sleep(seconds / 10)
        seen.append(f"tokens of {seconds} s: {len(made)}, the oldest connection: {lived:.0f} s")
    pytest.fail(f"no connection lived longer than its tokens: {seen}")


def of_dora(broker):
    """Ids of her tokens."""
    return {id_ for owner, id_, _ in list_tokens(broker) if owner == "User:dora"}


def relays_of(gateway, principal):
    """The connections of somebody."""
    return [one for one in gateway.gateway._relays if one._core.principal == principal]


def relay_of(gateway, principal):
    """A connection of somebody."""
    return relays_of(gateway, principal)[0]


def renew(relay, spent):
    """Have a connection log in again, as its timer does."""
    if spent:
        relay._impersonation.drop_token()
    relay._renew()


def logins(gateway):
    """How many there were."""
    with urlopen(f"{gateway.probes}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return next(float(line.split()[-1]) for line in lines if line.startswith("warden_gateway_logins_total{"))


def test_a_login_that_cannot_be_renewed(certified, authority, token_broker, caplog):
    """The right to make tokens is taken away in mid-session: the connection ends, and the log says why."""
    right = acl("gateway", ACLOperation.CREATE_TOKENS, ResourceType.USER, "User:erin")
    grant(token_broker, right)
    with caplog.at_level(logging.INFO, "warden.enforce.gateway"), client(certified, authority, "erin") as connected:
        connected.sendall(raw_request("ListGroups", 3, b"\0", 2))
        assert receive(connected)
        revoke(token_broker, right)
        relay = relay_of(certified, "User:erin")
        certified.call(partial(renew, relay, True))
        assert b"" == receive(connected)

    reasons = [one.reason for one in caplog.records if one.getMessage() == "connection closed"]
    assert any("cannot be renewed" in reason and "User:erin" in reason for reason in reasons), reasons


def test_tokens_end_with_the_gateway(tmp_path, gateway_opa, authority, token_broker):
    """None is left behind for whoever finds it."""
    address = token_broker.sasl_bootstrap_servers
    with running_gateway(tmp_path, gateway_opa, authority, address) as gateway:
        before = {id_ for _, id_, _ in list_tokens(token_broker)}
        with client(gateway, authority, "Alice") as connected:
            connected.sendall(raw_request("ListGroups", 3, b"\0", 2))
            assert receive(connected)
        (made,) = {id_ for _, id_, _ in list_tokens(token_broker)} - before
    eventually(lambda: made not in {id_ for _, id_, _ in list_tokens(token_broker)}, "the token is expired")


def test_authorities_are_replaced(tmp_path, gateway_opa, authority, token_broker):
    """While the gateway runs: from then on clients need a certificate of the new ones; open connections go on."""
    (tmp_path / "later").mkdir()
    later = Authority(tmp_path / "later")
    later.issue("Alice", "/O=x/OU=Team A/CN=Alice", "extendedKeyUsage=clientAuth")
    file = tmp_path / "clients.crt"
    file.write_bytes(authority.certificate.read_bytes())

    def taken_in(issuer):
        """Whether a client with a certificate of an authority gets an answer."""
        try:
            with client(gateway, issuer, "Alice", trusted=authority) as connected:
                connected.sendall(raw_request("ListGroups", 3, b"\0", 2))
                return b"" != receive(connected)
        except (ssl.SSLError, ConnectionError):
            return False

    address = token_broker.sasl_bootstrap_servers
    with (
        running_gateway(tmp_path, gateway_opa, authority, address, file) as gateway,
        client(gateway, authority, "Alice") as old,
    ):
        assert [True, False] == [taken_in(authority), taken_in(later)]
        file.write_bytes(later.certificate.read_bytes())
        assert [False, True] == [taken_in(authority), taken_in(later)]
        old.sendall(raw_request("ListGroups", 3, b"\0", 2))
        assert receive(old)
