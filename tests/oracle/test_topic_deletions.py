"""Topics deleted by name and by id: adapter and engine beside a real broker."""

import pytest

from tests.oracle.broker import Broker
from tests.oracle.cases import topic_deletions
from tests.oracle.compare import check
from tests.oracle.engine import Engine

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.oracle]


def test_delete_topics(oracle: Broker, engine: Engine) -> None:
    """Adapter and engine refuse what the broker refuses of a request, once for each topic, and the rest goes."""
    cases = topic_deletions.cases()
    ids = topic_deletions.ids_of(oracle, cases)
    ours = topic_deletions.evaluated(engine, cases, ids)
    check(cases, topic_deletions.answers(oracle, cases, ids), ours)
