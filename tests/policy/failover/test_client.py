"""Decisions of two real OPAs, each with its own replica, whatever becomes of one of them."""

import logging
import time

import pytest

from tests.fixtures.conditions import eventually
from tests.policy.failover.pair import CLUSTER, Pair, RunningClient
from warden.base.errors import OpaUnreachable

pytestmark = [pytest.mark.opa]

NEW, WRONG, THERE = "new.topic", "WRONG", "old.topic"
ANSWERS = {
    NEW: (True, None),
    WRONG: (False, "POLICY_VIOLATION"),
    THERE: (False, "TOPIC_ALREADY_EXISTS"),
}


def check_decisions(running: RunningClient) -> None:
    """Each is decided as policy and state have it."""
    assert ANSWERS == {topic: running.decide(topic) for topic in ANSWERS}


def test_one_call_a_decision_while_all_is_well(pair: Pair) -> None:
    """As many decisions as requests, all of the preferred one, denials too."""
    with RunningClient(pair.settings()) as running:
        eventually(lambda: running.order() == [0, 1], "both are well")
        before = pair.count(0), pair.count(1)
        for _ in range(10):
            check_decisions(running)
        eventually(lambda: pair.count(0) == before[0] + 30, "30 decisions are logged")
        assert pair.count(1) == before[1]
        assert 0 == running.value("pair_opa_failovers_total", opa=pair.opas[0].url)
        assert 30 == running.value("pair_opa_calls_total", cluster=CLUSTER, opa=pair.opas[0].url)


def test_one_is_killed_and_comes_back(pair: Pair) -> None:
    """The other decides; one that is back without a state is passed over until it has one."""
    with RunningClient(pair.settings()) as running:
        eventually(lambda: running.order() == [0, 1], "both are well")
        check_decisions(running)
        pair.kill(0)
        for _ in range(5):
            check_decisions(running)
        url = pair.opas[0].url
        eventually(lambda: running.order() == [1, 0], "the other is preferred")
        assert 1 >= running.value("pair_opa_failovers_total", opa=url)
        assert (0, 1) == (
            running.value("pair_opa_healthy", opa=url),
            running.value("pair_opa_current", cluster=CLUSTER, opa=pair.opas[1].url),
        )
        pair.restart(0)
        eventually(lambda: running.value("pair_opa_healthy", opa=url), "it decides again")
        eventually(lambda: running.order() == [1, 0], "the other is preferred")
        check_decisions(running)
        pair.write(0)
        eventually(lambda: running.order() == [0, 1], "it is preferred again")
        check_decisions(running)


def test_one_is_killed_and_back_before_anybody_has_looked(pair: Pair) -> None:
    """What it decides without the state that it had is not carried out."""
    with RunningClient(pair.settings()) as running:
        eventually(lambda: running.order() == [0, 1], "both are well")
        pair.restart(0)
        check_decisions(running)


def test_one_hangs(pair: Pair) -> None:
    """It takes its share of a request's time, of one request; then nobody waits for it."""
    with RunningClient(pair.settings(timeout=12.0)) as running:
        eventually(lambda: running.order() == [0, 1], "both are well")
        pair.pause(0)
        check_decisions(running)
        eventually(lambda: running.order() == [1, 0], "the other is preferred")
        assert 1 >= running.value("pair_opa_failovers_total", opa=pair.opas[0].url)
        for _ in range(5):
            check_decisions(running)
        assert 1 >= running.value("pair_opa_failovers_total", opa=pair.opas[0].url)
        pair.resume(0)
        pair.write(0)
        pair.write(1)
        eventually(lambda: running.order() == [0, 1], "it is preferred again")


def test_the_first_is_down_from_the_start(pair: Pair) -> None:
    """The first request is decided."""
    pair.kill(0)
    with RunningClient(pair.settings()) as running:
        check_decisions(running)


@pytest.mark.parametrize("age", [None, 1000.0])
def test_one_has_no_state_or_an_old_one(pair: Pair, age: float | None) -> None:
    """The other decides, until the state is there again."""
    if age is None:
        pair.restart(0)
    else:
        pair.write(0, age)
    with RunningClient(pair.settings(behind_seconds=60.0)) as running:
        eventually(lambda: running.order() == [1, 0], "it is passed over")
        check_decisions(running)
        pair.write(0)
        eventually(lambda: running.order() == [0, 1], "it is preferred again")


@pytest.mark.slow
def test_no_opa_has_a_state(pair: Pair) -> None:
    """The preferred one decides without, as one that is alone, and no other is called."""
    pair.restart(0)
    pair.restart(1)
    with RunningClient(pair.settings()) as running:
        eventually(lambda: running.ranking.list_clusters_without_state() == [CLUSTER], "both have been looked at")
        before = pair.count(1)
        assert (False, "INVALID_REQUEST") == running.decide(NEW)
        assert [0, 1] == running.order()
        assert before == pair.count(1)


def test_both_are_down(pair: Pair) -> None:
    """Nothing is decided, and the error names both; it takes no longer than the request has."""
    pair.pause(0)
    pair.pause(1)
    with RunningClient(pair.settings(timeout=2.0)) as running:
        began = time.monotonic()
        with pytest.raises(OpaUnreachable) as raised:
            running.decide(NEW)
        took = time.monotonic() - began
        failure = eventually(running.ranking.find_common_failure, "the checks have found it")
    assert 1.9 <= took  # the limit is the client's own clock's; how much later a busy machine wakes up is not its doing
    for opa in pair.opas:
        assert opa.url in str(raised.value)
        assert opa.url in failure[0]


@pytest.mark.slow
def test_one_refuses_the_token(pair: Pair, caplog: pytest.LogCaptureFixture) -> None:
    """The other decides; the log says which of them refuses, and why."""
    pair.opas[0].tokens, own = type(own_tokens := pair.opas[0].tokens).generate(), own_tokens
    try:
        pair.restart(0)
        with caplog.at_level(logging.WARNING, "warden.pair"), RunningClient(pair.settings()) as running:
            check_decisions(running)
            eventually(lambda: running.order() == [1, 0], "it is passed over")
            check_decisions(running)
    finally:
        pair.opas[0].tokens = own
        pair.restart(0)
    own_records = [record for record in caplog.records if record.name == "warden.pair"]
    reasons = {(getattr(record, "opa", ""), "401" in str(getattr(record, "reason", ""))) for record in own_records}
    assert {(pair.opas[0].url, True)} == reasons
