"""An OPA that tests write to, and a client that writes as the replicator does."""

from collections.abc import Iterator

import pytest

from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa


@pytest.fixture(scope="session")
def opa(replicated_opa: LocalOpa) -> LocalOpa:
    """The OPA that tests write to."""
    return replicated_opa


@pytest.fixture
def client(opa: LocalOpa) -> Iterator[OpaClient]:
    """A client with the replicator's token."""
    with OpaClient(opa.url, token=opa.tokens.replicator) as one:
        yield one
