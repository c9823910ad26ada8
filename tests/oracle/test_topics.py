"""New topics: the engine beside a real broker."""

import pytest

from tests.oracle.broker import Broker
from tests.oracle.cases import topic_creations
from tests.oracle.compare import check
from tests.oracle.engine import Engine
from warden.state.sources.kafka.read.request_state import collect_topics_state

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.oracle]


def test_create_topic(oracle: Broker, engine: Engine) -> None:
    """What a broker refuses of a new topic, the engine refuses in its words, and no more."""
    topic_creations.make_first(oracle)
    state = collect_topics_state(oracle.connection, ["create_there", "create_there.too"])
    cases = topic_creations.cases()
    theirs = topic_creations.answers(oracle, cases)
    check(cases, theirs, engine.answers(cases, state, topic_creations.requested, topic_creations.unchanged))
