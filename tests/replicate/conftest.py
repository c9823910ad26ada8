"""The bundle as it ships, one OPA and one broker for all tests of this directory; a test that kills one restarts it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from warden.bundle.build import Bundle, build_bundle
from warden.kafka.local_broker import LocalBroker
from warden.opa.client import OpaClient
from warden.opa.server import LocalOpa


@pytest.fixture(scope="session")
def bundle(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return build_bundle(tmp_path_factory.mktemp("replicate") / "bundle.tar.gz", opa=opa_binary)


@pytest.fixture(scope="session")
def opa(opa_binary: Path, bundle: Bundle) -> Iterator[LocalOpa]:
    with LocalOpa(bundle, opa=opa_binary) as running:
        yield running


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
