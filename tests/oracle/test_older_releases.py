"""Clusters of older releases: the engine beside a real broker of each, by the catalogues of its own release."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest

from tests.fixtures.brokers import kafka_3_9
from tests.fixtures.patience import PATIENCE
from tests.oracle.broker import Broker
from tests.oracle.cases import brokers, configs, older, topic_configs, topic_creations
from tests.oracle.cases.sampling import complete
from tests.oracle.compare import check
from tests.oracle.engine import Engine
from warden.demo.class_path import build_class_path
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.read.features import read_features
from warden.state.sources.kafka.read.request_state import collect_topics_state

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.oracle]

_CLASS_PATHS: Final = {
    kafka_3_9.VERSION: kafka_3_9.class_path_3_9,
    "4.0.1": lambda: kafka_3_9.server_class_path("4.0.1"),
    "4.3.1": lambda: build_class_path("4.3.1"),
}


class _Older(NamedTuple):
    release: str
    broker: Broker


@pytest.fixture(scope="module", params=_CLASS_PATHS)
def cluster(request: pytest.FixtureRequest) -> Iterator[_Older]:
    """A broker of an older release, with its patch."""
    running = LocalBroker()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warden.demo.local_broker.build_class_path", _CLASS_PATHS[request.param])
        running.start()
    assert f"kafka_2.13-{request.param}.jar" in running._class_path
    with running, connect(running.bootstrap_servers, timeout=PATIENCE) as connection:
        yield _Older(request.param, Broker(connection))


def test_create_topic(cluster: _Older, engine: Engine) -> None:
    """Every config that its release or the newest has, with every edge: refused and read as by the broker."""
    state = _read_state(cluster)
    cases = older.creations(cluster.release)
    theirs = topic_creations.answers(cluster.broker, cases)
    ours = engine.answers(cases, state, topic_creations.requested, topic_creations.unchanged)
    check(cases, theirs, ours, cluster.release)


def test_alter_topic(cluster: _Older, engine: Engine) -> None:
    """Overrides of topics, altered one by one and as a whole: refused and read as by the broker."""
    state = {**_read_state(cluster), "topics": {}}
    cases = [*topic_configs.edges(), *complete("AlterTopic", [], topic_configs.draw)]
    theirs = topic_configs.answers(cluster.broker, cases)
    ours = engine.answers(cases, state, topic_configs.requested, topic_configs.before)
    check(cases, theirs, ours, cluster.release)


def test_alter_broker(cluster: _Older, engine: Engine) -> None:
    """Configs of one broker and of all: refused and read as by the broker."""
    brokers.reset(cluster.broker)
    state = {**_read_state(cluster), "features": read_features(cluster.broker.connection)}
    cases = older.alterations(brokers.cases())
    theirs = brokers.answers(cluster.broker, cases)
    check(cases, theirs, engine.answers(cases, state, brokers.after, brokers.unchanged), cluster.release)


def test_alter_config(cluster: _Older, engine: Engine) -> None:
    """Configs of groups and of client metrics: refused and read as by the broker."""
    state = {"topics": {}, **configs.STATE, "catalog": {"release": cluster.release}}
    cases = older.alterations([case for case in configs.cases() if older.is_tried(case, cluster.release)])
    theirs = configs.answers(cluster.broker, cases)
    check(cases, theirs, engine.answers(cases, state, configs.requested, configs.unchanged), cluster.release)


def _read_state(cluster: _Older) -> dict[str, Any]:
    return {**collect_topics_state(cluster.broker.connection, []), "catalog": {"release": cluster.release}}
