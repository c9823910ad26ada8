"""The bundle as it ships, one OPA and one broker for all tests of this directory; a test that kills one restarts it."""

from collections.abc import Iterator

import pytest

from tests.sessions import opa
from warden.kafka.connection import Connection, connect
from warden.kafka.local_broker import LocalBroker
from warden.opa.client import OpaClient
from warden.opa.server import LocalOpa

__all__ = ["opa"]


@pytest.fixture
def client(opa: LocalOpa) -> Iterator[OpaClient]:
    """With the replicator's token."""
    with OpaClient(opa.url, token=opa.tokens.replicator) as one:
        yield one


@pytest.fixture(scope="session")
def broker() -> Iterator[LocalBroker]:
    authorizer = {
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS;User:bob",
        "broker.rack": "a",
    }
    scram = {
        "sasl.enabled.mechanisms": "SCRAM-SHA-256",
        "listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config": "org.apache.kafka.common.security.scram."
        "ScramLoginModule required;",
    }
    with LocalBroker(properties={**authorizer, **scram}, sasl_users={"nobody": "x"}) as running:
        yield running


@pytest.fixture
def connection(broker: LocalBroker) -> Iterator[Connection]:
    with connect(broker.bootstrap_servers, timeout=30) as open_connection:
        yield open_connection
