"""A real broker and a real OPA, once for all tests of this directory."""

from collections.abc import Iterator

import pytest

from tests.adapter.oracle import Oracle
from warden.bundle.build import Bundle
from warden.kafka.connection import connect
from warden.kafka.local_broker import LocalBroker
from warden.opa.client import OpaClient
from warden.opa.server import LocalOpa


@pytest.fixture(scope="session")
def oracle(tmp_path_factory) -> Iterator[Oracle]:
    data = tmp_path_factory.mktemp("kafka")
    # Nothing of these is where APPEND and SUBTRACT start from: a topic without an override starts from Kafka's default.
    inherited = {"log.retention.hours": "24", "log.cleanup.policy": "compact"}
    properties = {"num.partitions": "3", "log.dirs": str(data), **inherited}
    with LocalBroker(properties=properties) as broker, connect(broker.bootstrap_servers, timeout=30) as connection:
        yield Oracle(connection, data)


@pytest.fixture(scope="session")
def opa(shipped_bundle: Bundle) -> Iterator[OpaClient]:
    with LocalOpa(shipped_bundle) as server, server.client() as client:
        yield client
