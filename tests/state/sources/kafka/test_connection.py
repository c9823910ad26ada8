"""What goes wrong before a cluster answers: each is its own error, in one sentence, and leaves nothing behind."""

import logging
import random
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from kafka import errors

from warden.base.errors import ConfigurationError, KafkaError, KafkaUnreachable, StoreError
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.client_configs.topic import ClientConfigTopic
from warden.state.sources.kafka.entry import KafkaEntry
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.login.error_codes import format_reason
from warden.state.sources.kafka.login.first_request import build_refusal
from warden.state.sources.kafka.login.security import read_properties

pytestmark = pytest.mark.usefixtures("no_thread_left")


@pytest.mark.parametrize(
    "address",
    ["", "localhost", "localhost:x", "localhost:0", "localhost:70000", ":9092", "a:1,b", "[::1:9092", "a:1,b..c:1"],
)
def test_an_address_that_is_none_is_a_configuration_error(address: str) -> None:
    """It is named, with an example of a right one."""
    with pytest.raises(ConfigurationError, match=r"bootstrap server '.*' is not host:port, such as localhost:9092"):
        connect(address)


def test_a_closed_port_is_reported_at_once() -> None:
    """Every server that was tried, with the reason of the operating system."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(
        KafkaUnreachable, match=rf"no Kafka broker can be reached \(127.0.0.1:{port}: Connection refused\)"
    ):
        connect(f"127.0.0.1:{port}", timeout=60)


def test_a_port_that_never_answers_is_given_up_in_time() -> None:
    """A server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(KafkaUnreachable, match="timed out"):
        connect(f"127.0.0.1:{server.getsockname()[1]}", timeout=0.5)


@contextmanager
def _serve(closes: bool) -> Iterator[str]:
    """A server that reads a request and closes the connection, or never answers; its address."""
    kept: list[socket.socket] = []

    def run() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            kept.append(connection)
            if closes:
                connection.recv(65536)
                connection.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = Thread(target=run)
        thread.start()
        try:
            yield f"127.0.0.1:{server.getsockname()[1]}"
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in kept:
                connection.close()


_PLAIN = {
    "security.protocol": "SASL_PLAINTEXT",
    "sasl.mechanism": "PLAIN",
    "sasl.jaas.config": 'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="p";',
}


@pytest.mark.parametrize("order", [1, -1])
def test_servers_that_close_the_connection_or_hang(order: int) -> None:
    """Each is tried, in its share of the time; only where all close the connection that is a refused login."""
    with _serve(closes=True) as closing, _serve(closes=False) as hanging:
        servers = [closing, hanging][::order]
        with pytest.raises(KafkaUnreachable) as error:
            connect(",".join(servers), security=_PLAIN, timeout=2.0)
        with pytest.raises(KafkaError, match="refused the login") as refused:
            connect(closing, security=_PLAIN, timeout=60.0)

    assert f"{closing}: socket disconnected" in str(error.value)
    assert f"{hanging}: Request timed out" in str(error.value)
    assert "check the address, the login, that" in str(error.value)
    assert not isinstance(refused.value, KafkaUnreachable)
    assert refused.value.code is None


@pytest.mark.kafka
def test_a_good_server_beside_others(broker: LocalBroker, login: Any, password: str) -> None:
    """One closes the connection, one hangs, and the cluster is read."""
    with _serve(closes=True) as closing, _serve(closes=False) as hanging:
        servers = f"{closing},{hanging},{broker.sasl_bootstrap_servers}"
        with connect(servers, security=read_properties(login(password)), timeout=20.0) as connection:
            assert "audit" in connection.admin.list_topics()


@pytest.mark.kafka
def test_a_consumer_beside_a_server_that_hangs(broker: LocalBroker, monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins with the server that answers, though kafka-python itself would have begun with the other."""
    with _serve(closes=False) as hanging:
        port, others = int(hanging.rpartition(":")[2]), {"shuffle": random.shuffle, "uniform": random.uniform}
        chosen = SimpleNamespace(choice=lambda servers: max(servers, key=lambda server: server.port == port), **others)
        monkeypatch.setattr("kafka.net.manager.random", chosen)
        entry = KafkaEntry(name="c", bootstrap_servers=f"{hanging},{broker.bootstrap_servers}", timeout=10.0)
        with closing(entry.open_consumer()) as consumer:
            assert "audit" in consumer.topics()


def test_a_consumer_of_servers_that_hang_leaves_nothing() -> None:
    """No thread either, of which there would be one more with each try; of a topic's store it is one of its errors."""
    with _serve(closes=False) as hanging:
        entry = KafkaEntry(name="c", bootstrap_servers=hanging, timeout=0.5)
        with pytest.raises(KafkaUnreachable, match="no Kafka broker can be reached"):
            entry.open_consumer()
        with pytest.raises(StoreError, match="topic t cannot be read: no Kafka broker can be reached"):
            ClientConfigTopic("t", entry.open_consumer).refresh()


@pytest.mark.kafka
def test_one_server_of_several_is_enough(broker: LocalBroker) -> None:
    """The first is closed, the second answers."""
    with connect(f"127.0.0.1:1,{broker.bootstrap_servers}") as connection:
        assert "audit" in connection.admin.list_topics()


@pytest.mark.kafka
def test_a_refused_login_is_not_unreachable(
    broker: LocalBroker, login, password: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The error names what to check; neither it nor any log shows the password."""
    caplog.set_level(logging.DEBUG)
    with pytest.raises(KafkaError, match=r"refused the login: check sasl\.mechanism and sasl\.jaas\.config") as error:
        connect(broker.sasl_bootstrap_servers, security=read_properties(login("wr0ng-" + password)))

    assert not isinstance(error.value, KafkaUnreachable)
    assert "wr0ng" not in caplog.text + str(error.value)


@pytest.mark.parametrize(
    ("error", "cause", "code"),
    [
        (errors.SaslAuthenticationFailedError("wrong password"), None, 58),
        (errors.KafkaConnectionError("socket disconnected"), None, None),
        (errors.SaslAuthenticationFailedError("no token"), KafkaError("the token cannot be had"), None),
    ],
)
def test_the_code_of_a_refused_login(error: errors.KafkaError, cause: KafkaError | None, code: int | None) -> None:
    """Kafka's, where it gave one: some close the connection without, and some logins never get there."""
    error.__cause__ = cause

    assert code == build_refusal("localhost:9092", error).code


@pytest.mark.kafka
def test_a_login_that_is_missing_is_reported(broker: LocalBroker) -> None:
    """A plain connection to a port that wants a login."""
    with pytest.raises(KafkaUnreachable, match=r"check .* that security\.protocol fits the port"):
        connect(broker.sasl_bootstrap_servers)


@pytest.mark.parametrize(
    ("code", "message", "expected"),
    [
        (29, None, "TOPIC_AUTHORIZATION_FAILED"),
        (31, "Cluster authorization failed.", "CLUSTER_AUTHORIZATION_FAILED: Cluster authorization failed"),
        (
            31,
            "Request Request(processor=4, session=x) needs DESCRIBE permission.",
            "CLUSTER_AUTHORIZATION_FAILED: the principal needs DESCRIBE permission",
        ),
    ],
)
def test_error_codes_in_words(code: int, message: str | None, expected: str) -> None:
    """Kafka's name of the error, and its message without internals."""
    assert expected == format_reason(code, message)
