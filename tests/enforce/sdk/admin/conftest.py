"""A real broker and a real OPA for the wrapper of confluent-kafka's AdminClient."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from confluent_kafka.admin import AdminClient

from warden import Warden
from warden.demo.local_broker import LocalBroker
from warden.enforce.sdk.admin import PolicyAdminClient
from warden.policy.opa.local import LocalOpa
from warden.state.sources.kafka.login.connection import Connection


@pytest.fixture(scope="session")
def opa(few_opa: LocalOpa) -> LocalOpa:
    """An OPA under whose settings only a few rules deny."""
    return few_opa


@pytest.fixture
def wrapped(broker: LocalBroker, connection: Connection, opa: LocalOpa) -> Iterator[Callable[..., PolicyAdminClient]]:
    """Makes a client that asks at some enforcement point."""
    clients: list[PolicyAdminClient] = []
    with ExitStack() as opened:

        def make(enforcement_point: str = "service") -> PolicyAdminClient:
            warden = opened.enter_context(
                Warden(
                    opa.url,
                    opa.tokens.query,
                    cluster="local",
                    principal="User:alice",
                    enforcement_point=enforcement_point,
                )
            )
            client = PolicyAdminClient(
                {"bootstrap.servers": broker.bootstrap_servers}, warden=warden, connection=connection
            )
            clients.append(client)  # one that is collected forgets its futures, as the original does
            return client

        yield make


@pytest.fixture
def plain(broker: LocalBroker) -> AdminClient:
    """The original, to see what happened."""
    return AdminClient({"bootstrap.servers": broker.bootstrap_servers})
