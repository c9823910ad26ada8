"""Topics that change: the engine beside a real broker, and a second one that is down."""

from collections.abc import Iterator

import pytest

from tests.fixtures.brokers.second_broker import register_and_leave
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.oracle.broker import Answer, Broker
from tests.oracle.cases import partitions, topic_configs
from tests.oracle.compare import check
from tests.oracle.engine import Engine
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.read.brokers import read_cluster
from warden.state.sources.kafka.read.request_state import collect_topics_state

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.oracle]


@pytest.fixture(scope="module")
def of_two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """Broker 1 of a cluster where 2 is registered and down, so that what moves to that never arrives."""
    with LocalBroker() as server, connect(server.bootstrap_servers, timeout=PATIENCE) as connection:

        def fenced() -> list[bool]:
            return [broker.fenced for broker in read_cluster(connection).brokers]

        directory = tmp_path_factory.mktemp("second")
        register_and_leave(server, directory, lambda: eventually(lambda: len(fenced()) == 2, "broker 2 registers"))
        eventually(lambda: fenced()[1], "broker 2 is down")
        yield Broker(connection)


def test_alter_topic(of_two: Broker, engine: Engine) -> None:
    """What a broker refuses of a topic's change, the engine refuses in its words, and no more."""
    state = {**collect_topics_state(of_two.connection, []), "topics": {}}
    state["brokers"]["2"] = state["brokers"]["1"]  # as it was read while the broker was there
    cases = topic_configs.cases()
    theirs: dict[str, Answer] = {}
    ours: dict[str, Answer] = {}
    for part in (topic_configs, partitions):
        own = [case for case in cases if ("configs" in case.request) == (part is topic_configs)]
        theirs |= part.answers(of_two, own)
        ours |= engine.answers(own, state, part.requested, part.before)
    check(cases, theirs, ours)
