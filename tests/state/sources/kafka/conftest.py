"""One real broker for all tests of this directory, filled once with Kafka's own command-line tools."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.fixtures.brokers.java_stores import Stores
from tests.fixtures.brokers.oauth_broker import TokenBroker, token_broker
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.certificates import Authority
from tests.warm.borrow import open_broker
from warden.demo.local_broker import LocalBroker

PASSWORD = 'a "secret"\\'  # with the characters that need an escape
AUTHORIZER = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}


@pytest.fixture(scope="session")
def broker() -> Iterator[LocalBroker]:
    with open_broker(
        properties={**AUTHORIZER, "num.partitions": "3", "log.roll.hours": "24", "broker.rack": "a"},
        sasl_users={"alice": PASSWORD},
    ) as started:
        _fill(started)
        yield started


@pytest.fixture(scope="session")
def signed(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TokenBroker]:
    """A broker that takes signed tokens, for all tests; each leaves it as it was."""
    with token_broker(opa_binary, tmp_path_factory.mktemp("keys")) as started:
        yield started


@pytest.fixture
def no_thread_left() -> Iterator[None]:
    """No I/O thread of kafka-python survives a connection, whether it came about or not."""
    before = set(threading.enumerate())
    yield
    left = set(threading.enumerate()) - before
    assert [] == [thread.name for thread in left if thread.name.startswith("kafka-io")]


@pytest.fixture
def password() -> str:
    """The password of alice."""
    return PASSWORD


@pytest.fixture
def login(tmp_path: Path) -> Callable[[str], Path]:
    """Makes a properties file with which alice logs in at the SASL listener with some password."""
    module = "org.apache.kafka.common.security.plain.PlainLoginModule"

    def write(password: str) -> Path:
        quoted = password.replace("\\", "\\\\").replace('"', '\\"')
        jaas = f'{module} required username="alice" password="{quoted}";'.replace("\\", "\\\\")
        path = tmp_path / "alice.properties"
        path.write_text(f"security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config={jaas}\n")
        return path

    return write


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    """Where stores are made; the server's certificate and the client's are issued."""
    authority = Authority(tmp_path_factory.mktemp("stores"))
    authority.issue("server", "/CN=server", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    authority.issue("client", "/CN=alice", "basicConstraints=CA:FALSE")
    return Stores(authority)


def _fill(broker: LocalBroker) -> None:
    policy = ["--config", "cleanup.policy=compact,delete", "--config", "retention.ms=1000"]
    run_tool(broker, "TopicCommand", "--create", "--topic", "payments.orders.created.v1", "--partitions", "2", *policy)
    run_tool(broker, "TopicCommand", "--create", "--topic", "audit", "--replica-assignment", "1,1,1,1")
    for arguments in (
        ["--entity-type", "brokers", "--entity-default", "--add-config", "log.retention.ms=86400000"],
        ["--entity-type", "brokers", "--entity-name", "1", "--add-config", "message.max.bytes=2000000"],
        [
            *["--entity-type", "users", "--entity-name", "alice", "--entity-type", "clients", "--entity-name", "app"],
            *["--add-config", "producer_byte_rate=1024,request_percentage=12.5"],
        ],
        ["--entity-type", "clients", "--entity-default", "--add-config", "consumer_byte_rate=2048"],
        ["--entity-type", "groups", "--entity-name", "billing", "--add-config", "consumer.session.timeout.ms=50000"],
        [
            *["--entity-type", "client-metrics", "--entity-name", "all"],
            *["--add-config", "interval.ms=5000,metrics=[org.apache.kafka.producer.,org.apache.kafka.consumer.]"],
        ],
    ):
        run_tool(broker, "kafka.admin.ConfigCommand", "--alter", *arguments)
    alice = ["--allow-principal", "User:alice"]
    run_tool(broker, "AclCommand", "--add", *alice, "--operation", "Read", "--topic", "audit")
    run_tool(broker, "AclCommand", "--add", *alice, "--operation", "TwoPhaseCommit", "--transactional-id", "tx-")
    run_tool(
        broker,
        *["AclCommand", "--add", "--deny-principal", "User:bob", "--deny-host", "10.0.0.1", "--operation", "Write"],
        *["--topic", "payments.", "--resource-pattern-type", "prefixed"],
    )
    run_tool(
        broker,
        *["org.apache.kafka.tools.consumer.group.ConsumerGroupCommand", "--reset-offsets", "--group", "billing"],
        *["--topic", "payments.orders.created.v1", "--topic", "audit:1", "--to-earliest", "--execute"],
    )
