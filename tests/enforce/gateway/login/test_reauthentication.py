"""Sessions that end in seconds (KIP-368): clients log in again on their connection, through the gateway as direct."""

import logging
import threading
import time
from contextlib import suppress
from functools import partial

import pytest
from confluent_kafka import Producer

from tests.enforce.gateway.frames import new_word
from tests.enforce.gateway.login.accounts import PASSWORD, with_account
from tests.enforce.gateway.login.creations import GOOD, created, exchange
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.test_faults import client
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from warden.demo.class_path import build_class_path
from warden.demo.java import run_java
from warden.demo.local_broker import LocalBroker
from warden.enforce.gateway.connection.relay import Relay
from warden.enforce.gateway.login.upstream import Credentials, LoginFailed, encode_request, log_in, read_response

pytestmark = [pytest.mark.cluster, pytest.mark.kafka, pytest.mark.opa]

SESSION = 4
"""Seconds that a login is good for."""
LISTENER = "listener.name.sasl_plaintext"
SECURITY = "org.apache.kafka.common.security"
MODULES = {
    "PLAIN": f"{SECURITY}.plain.PlainLoginModule",
    "SCRAM-SHA-256": f"{SECURITY}.scram.ScramLoginModule",
    "OAUTHBEARER": f"{SECURITY}.oauthbearer.OAuthBearerLoginModule",
}
USERS = ("alice", "bob")


@pytest.fixture(scope="module")
def sessions():
    """A broker that wants a login again every few seconds, by each mechanism."""
    properties = {"sasl.enabled.mechanisms": ",".join(MODULES)}
    users = " ".join(f'user_{user}="{PASSWORD}"' for user in USERS)
    known = {"PLAIN": f" {users}", "OAUTHBEARER": ' unsecuredLoginStringClaim_sub="x"'}
    for mechanism, module in MODULES.items():
        listener = f"{LISTENER}.{mechanism.lower()}"
        properties[f"{listener}.sasl.jaas.config"] = f"{module} required{known.get(mechanism, '')};"
        properties[f"{listener}.connections.max.reauth.ms"] = str(1000 * SESSION)
    with LocalBroker(properties=properties, sasl_users=dict.fromkeys(USERS, PASSWORD)) as running:
        with_account(running, *USERS)
        run_tool(running, "TopicCommand", "--create", "--topic", "session.data", "--partitions", "1")
        yield running


@pytest.fixture(scope="module")
def gateway(tmp_path_factory, gateway_opa, replicate, sessions):
    """A gateway before it."""
    cluster = {"name": "logins", "brokers": {1: sessions.sasl_bootstrap_servers}, "authentication": "sasl"}
    config = write_config(tmp_path_factory.mktemp("sessions") / "gateway.yaml", gateway_opa, [cluster])
    with RunningGateway(config) as running:
        yield running


def plain(user):
    """The steps of a login by password."""
    head, raw = encode_request("SaslHandshake", 1, 0, {"mechanism": "PLAIN"})
    assert 0 == read_response(head, (yield head, raw))["errorCode"]
    head, raw = encode_request("SaslAuthenticate", 2, 0, {"authBytes": f"\0{user}\0{PASSWORD}".encode()})
    answer = read_response(head, (yield head, raw))
    assert 0 == answer["errorCode"], answer["errorMessage"]
    return answer["sessionLifetimeMs"] / 1000


LOGINS = {"PLAIN": plain, "SCRAM-SHA-256": lambda user: log_in(Credentials(user, PASSWORD, "SCRAM-SHA-256"))}


def decided(caplog, topic):
    """The principals of what was decided about a topic."""
    lines = [one for one in caplog.records if one.getMessage() == "decided"]
    return [one.principal for one in lines if [topic] == [item["name"] for item in one.items]]


@pytest.mark.parametrize("mechanism", LOGINS)
def test_another_principal_is_the_brokers_to_refuse(mechanism, gateway, caplog):
    """Who logs in again as somebody else gets the broker's own answer, and nothing is decided about either."""
    with client(gateway) as connected, caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        assert SESSION == exchange(connected, LOGINS[mechanism]("alice"))
        with pytest.raises((AssertionError, LoginFailed), match=r"Cannot change principals|correct account.user"):
            exchange(connected, LOGINS[mechanism]("bob"))
        assert created(connected, f"session.bob.{mechanism[:2].lower()}") is None

    assert [] == decided(caplog, f"session.bob.{mechanism[:2].lower()}")


@pytest.mark.parametrize("mechanism", LOGINS)
def test_a_session_that_is_renewed_goes_on(mechanism, gateway, caplog):
    """Beyond its first end a connection goes on, and its decisions are about the same user; without, it ends."""
    topic = f"session.renewed.{mechanism[:2].lower()}"
    for _ in range(5):  # a slow machine may miss the end of a session
        with client(gateway) as connected, caplog.at_level(logging.INFO, "warden.enforce.gateway"):
            began = time.monotonic()
            exchange(connected, LOGINS[mechanism]("alice"))
            with suppress(StopIteration, ConnectionError, OSError):
                while time.monotonic() < began + 2.5 * SESSION:
                    time.sleep(SESSION / 4)
                    exchange(connected, LOGINS[mechanism]("alice"))
                    if (code := created(connected, topic)) is None:
                        break
                    assert code in GOOD
                else:
                    assert {"User:alice"} == set(decided(caplog, topic))
                    eventually(
                        lambda: created(connected, f"{topic}.{new_word()}") is None,
                        "the end of what is not renewed",
                        10 * SESSION,
                    )
                    return
    pytest.fail("no session was renewed in time")


def librdkafka(address, mechanism, seconds, _directory):
    """Have confluent-kafka produce for so many seconds; returns how many records failed."""
    login = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": mechanism}
    bearer = {"enable.sasl.oauthbearer.unsecure.jwt": True, "sasl.oauthbearer.config": "principal=bob"}
    login |= bearer if mechanism == "OAUTHBEARER" else {"sasl.username": "bob", "sasl.password": PASSWORD}
    producer, failed = Producer(login | {"bootstrap.servers": address}), []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        producer.produce("session.data", b"x", on_delivery=lambda error, _: failed.append(error) if error else None)
        producer.flush(60)
        time.sleep(0.1)
    return failed


def java(address, mechanism, seconds, directory):
    """Have Kafka's own ProducerPerformance produce for so many seconds; returns what it says beside its figures."""
    bearer, password = 'unsecuredLoginStringClaim_sub="bob"', f'username="bob" password="{PASSWORD}"'
    login = f"{MODULES[mechanism]} required {bearer if mechanism == 'OAUTHBEARER' else password};"
    lines = ["security.protocol=SASL_PLAINTEXT", f"sasl.mechanism={mechanism}", f"sasl.jaas.config={login}"]
    (directory / "login").write_text("\n".join([*lines, f"bootstrap.servers={address}", ""]))
    options = ["--topic", "session.data", "--record-size", "10", "--throughput", "20"]
    options += ["--num-records", str(20 * seconds)]
    options += ["--command-config", str(directory / "login")]
    main = "org.apache.kafka.tools.ProducerPerformance"
    said = run_java(main, options, class_path=build_class_path(), timeout=300)
    return [line for line in said.splitlines() if "records sent" not in line]


@pytest.mark.parametrize("mechanism", MODULES)
@pytest.mark.parametrize("produce", [librdkafka, java])
def test_clients_renew_their_sessions(produce, mechanism, gateway, tmp_path):
    """Unmodified clients produce beyond several ends of their session, on one connection, without an error."""
    for _ in range(5):  # on a slow machine a client may miss the end of a session, and connect again
        failed, lived = produced(partial(produce, gateway.address(), mechanism, 4 * SESSION, tmp_path), gateway)
        assert [] == failed
        if lived > 2 * SESSION:
            return
    pytest.fail("no connection lived longer than two sessions")


def produced(produce, gateway):
    """What failed, and for how many seconds the connection of bob's lived that lived longest."""
    stop, seen = threading.Event(), dict[Relay, list[float]]()

    def watch():
        while not stop.wait(0.2):
            for relay in tuple(gateway.gateway._relays):
                if relay._core.principal == "User:bob":
                    seen.setdefault(relay, [time.monotonic()]).append(time.monotonic())

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        failed = produce()
    finally:
        stop.set()
        watching.join()
    return failed, max(times[-1] - times[0] for times in seen.values())
