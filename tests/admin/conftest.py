"""A real broker and a real OPA for the wrapper of confluent-kafka's AdminClient."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from confluent_kafka.admin import AdminClient

from warden import Warden
from warden.admin import PolicyAdminClient
from warden.bundle.build import Bundle
from warden.kafka.local_broker import LocalBroker
from warden.opa.server import LocalOpa


@pytest.fixture(scope="session")
def broker() -> Iterator[LocalBroker]:
    authorizer = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
    properties = {"authorizer.class.name": authorizer, "super.users": "User:ANONYMOUS"}
    with LocalBroker(properties=properties) as started:
        yield started


@pytest.fixture(scope="session")
def opa(opa_binary: Path, few_bundle: Bundle) -> Iterator[LocalOpa]:
    with LocalOpa(few_bundle, opa=opa_binary) as started:
        yield started


@pytest.fixture
def wrapped(broker: LocalBroker, opa: LocalOpa) -> Iterator[Callable[..., PolicyAdminClient]]:
    """Makes a client that asks at some point."""
    clients: list[PolicyAdminClient] = []
    with ExitStack() as opened:

        def make(point: str = "service") -> PolicyAdminClient:
            warden = opened.enter_context(
                Warden(opa.url, opa.tokens.query, cluster="local", principal="User:alice", point=point)
            )
            client = PolicyAdminClient(
                {"bootstrap.servers": broker.bootstrap_servers}, warden=warden, state="collected"
            )
            clients.append(client)  # one that is collected forgets its futures, as the original does
            return client

        yield make


@pytest.fixture
def plain(broker: LocalBroker) -> AdminClient:
    """The original, to see what happened."""
    return AdminClient({"bootstrap.servers": broker.bootstrap_servers})
