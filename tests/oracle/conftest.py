"""A broker as an oracle, and one engine for all operations."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.brokers.kafka import AUTHORIZER, SCRAM
from tests.fixtures.patience import PATIENCE
from tests.oracle.broker import Broker
from tests.oracle.engine import Engine
from tests.warm.borrow import open_broker
from warden.state.sources.kafka.login.connection import connect


@pytest.fixture(scope="session")
def oracle() -> Iterator[Broker]:
    """A broker of the oracles' own: quotas that they set for addresses would refuse other tests their connections."""
    properties = {**AUTHORIZER, **SCRAM, "broker.rack": "a"}
    with (
        open_broker(properties=properties, sasl_users={"nobody": "x"}) as broker,
        connect(broker.bootstrap_servers, timeout=PATIENCE) as connection,
    ):
        yield Broker(connection)


@pytest.fixture(scope="session")
def engine(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """The bundle under settings where no rule denies."""
    return Engine(opa_binary, tmp_path_factory.mktemp("engine"))
