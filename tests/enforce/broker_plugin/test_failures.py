"""While OPA is away nothing is created or changed, nobody waits for it twice, and the cluster goes on."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer

from tests.enforce.broker_plugin.figures import jmx_options, read_figures
from tests.enforce.broker_plugin.inside import Inside, start_inside
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.pausing import pause
from warden.base.http.ports import find_free_port
from warden.policy.bundle.build import Bundle

_BUDGET_MS = 2000
_EXISTS, _POLICY_VIOLATION = 36, 44
_LATE = "failed (no answer in time)"
_UNDECIDED = "the policy has not decided about topic {}: OPA does not answer"

pytestmark = [pytest.mark.kafka, pytest.mark.slow]


@pytest.fixture(scope="module")
def jmx() -> int:
    """The port at which the broker shows its figures."""
    return find_free_port()


@pytest.fixture(scope="module")
def inside(
    rules: Bundle, opa_binary: Path, plugin: Path, jmx: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Inside]:
    """A broker whose decisions have a budget, and that has a topic."""
    directory, budget = tmp_path_factory.mktemp("failures"), str(_BUDGET_MS)
    with start_inside(rules, opa_binary, plugin, directory, options=jmx_options(jmx), budget_ms=budget) as running:
        _create_at_last(running, "shop.data")
        yield running


def _create_at_last(inside: Inside, name: str) -> None:
    """Create a topic once OPA decides again."""
    eventually(lambda: inside.create(name)[name][0] in (0, _EXISTS), f"{name} is allowed")


def test_an_opa_that_hangs_is_waited_for_once(inside: Inside, jmx: int) -> None:
    """The first topic of a request waits for the budget, the others for nothing; all are denied, until OPA goes on."""
    names = [f"shop.hanging{i}" for i in range(20)]
    _create_at_last(inside, "shop.before.hanging")
    before = inside.log.count(_LATE)
    pause(inside.opa.pid)
    try:
        found = inside.create(*names)
    finally:
        os.kill(inside.opa.pid, signal.SIGCONT)

    assert {name: (_POLICY_VIOLATION, _UNDECIDED.format(name)) for name in names} == found
    assert before + 1 == inside.log.count(_LATE)
    _create_at_last(inside, "shop.after.hanging")
    figures = read_figures(jmx)
    assert ("false", True) == (figures["BreakerOpen"], int(figures["Undecided"]) >= len(names))
    assert _BUDGET_MS <= float(figures["LongestWaitMs"])


def test_without_an_opa_changes_are_denied_and_data_flows(inside: Inside) -> None:
    """Creations, changes of configs and deletions are denied; records, groups and their topics are not touched."""
    os.kill(inside.opa.pid, signal.SIGKILL)
    eventually(lambda: not inside.opa.is_alive, "OPA has ended")
    assert "__consumer_offsets" not in inside.topics()

    found = inside.create("shop.undecided")
    altered = inside.alter("shop.data", {"segment.bytes": "2000000"})
    deleted = inside.delete("shop.data")
    value = _pass_a_record(inside, "shop.data")

    assert {"shop.undecided": (_POLICY_VIOLATION, _UNDECIDED.format("shop.undecided"))} == found
    assert (_POLICY_VIOLATION, {"shop.data": 29}) == (altered[0], deleted)
    assert b"through" == value
    assert {"__consumer_offsets"} == inside.topics() - {"shop.data", "shop.after.hanging", "shop.before.hanging"}
    inside.opa.restart(PATIENCE)
    inside.replicate()
    _create_at_last(inside, "shop.after.restart")


def _pass_a_record(inside: Inside, topic: str) -> bytes | None:
    """Produce a record, have a group read it, and return its value."""
    producer = Producer({"bootstrap.servers": inside.broker.bootstrap_servers})
    producer.produce(topic, b"through")
    assert 0 == producer.flush(PATIENCE)
    consumer = Consumer(
        {"bootstrap.servers": inside.broker.bootstrap_servers, "group.id": "readers", "auto.offset.reset": "earliest"}
    )
    try:
        consumer.subscribe([topic])
        record = eventually(lambda: consumer.poll(1), "the record comes back")
        consumer.commit(message=record, asynchronous=False)
        value = record.value()
        assert value is None or isinstance(value, bytes)
        return value
    finally:
        consumer.close()
