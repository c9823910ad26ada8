"""The start of a broker: the engine beside the class of Kafka's that reads a broker's file."""

import pytest

from tests.oracle.cases import files
from tests.oracle.compare import check
from tests.oracle.engine import Engine
from tools.catalog.jvm import run_kafka_jvm

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.oracle]


def test_start_broker(engine: Engine) -> None:
    """What Kafka refuses of a file, the engine refuses in its words, and no more; the rest is read as the same."""
    cases = files.cases()
    with run_kafka_jvm() as jvm:
        theirs = files.answers(jvm, cases)
    check(cases, theirs, engine.answers(cases, {}, files.requested))
