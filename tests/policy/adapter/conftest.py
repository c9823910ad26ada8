"""A real broker and a real OPA, once for all tests of this directory."""

from collections.abc import Iterator

import pytest

from tests.fixtures.patience import PATIENCE
from tests.policy.adapter.oracle import Oracle
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.login.connection import connect


@pytest.fixture(scope="session")
def oracle(tmp_path_factory) -> Iterator[Oracle]:
    data = tmp_path_factory.mktemp("kafka")
    # Nothing of these is where APPEND and SUBTRACT start from: a topic without an override starts from Kafka's default.
    inherited = {"log.retention.hours": "24", "log.cleanup.policy": "compact"}
    properties = {"num.partitions": "3", "log.dirs": str(data), **inherited}
    with (
        LocalBroker(properties=properties) as broker,
        connect(broker.bootstrap_servers, timeout=PATIENCE) as connection,
    ):
        yield Oracle(connection, data)
