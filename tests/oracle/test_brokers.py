"""Dynamic configs of brokers: the engine beside a real broker."""

import pytest

from tests.oracle.broker import Broker
from tests.oracle.cases import brokers
from tests.oracle.compare import check
from tests.oracle.engine import Engine
from warden.state.sources.kafka.read.features import read_features
from warden.state.sources.kafka.read.request_state import collect_topics_state

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.oracle]


def test_alter_broker(oracle: Broker, engine: Engine) -> None:
    """What a broker refuses of its own configs and of those of all, the engine refuses in its words, and no more."""
    state = {**collect_topics_state(oracle.connection, []), "features": read_features(oracle.connection)}
    cases = brokers.cases()
    theirs = brokers.answers(oracle, cases)
    check(cases, theirs, engine.answers(cases, state, brokers.after, brokers.unchanged))
