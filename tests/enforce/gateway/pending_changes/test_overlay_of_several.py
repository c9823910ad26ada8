"""What was let through, with two real OPAs whose replicas differ: it is kept for the one that does not show it yet."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.conditions import eventually
from tests.policy.failover.pair import CLUSTER, Pair, build_state, write_state
from tests.policy.failover.test_ranking import Recorder
from warden.base.errors import OpaUnreachable
from warden.enforce.gateway.config import GatewayOpa
from warden.enforce.gateway.decisions.decider import Decider
from warden.enforce.gateway.decisions.decision_queue import DecisionQueue
from warden.enforce.gateway.pending_changes.pending_changes import PendingChanges, RequestChanges
from warden.policy.bundle.build import Bundle
from warden.policy.failover.ranking import OpaRanking

MADE = "made.topic"
LATER = -20.0  # a state that was observed after all that is done now


def test_a_state_that_is_older_than_what_is_forgotten() -> None:
    """It is not decided by; one as old as that by which it was forgotten is."""
    now = 100.0
    changes = PendingChanges(lambda: now)
    assert changes.may_decide_by(1000.0)
    claim = RequestChanges(changes)
    document = {"operation": "CreateTopic", "request": {"topic": "a"}}
    claim.add("0", document, {"allowed": True, "effect": {"numPartitions": 1}})
    claim.confirm(["0"])
    now = 110.0
    changes.forget(8.0)
    assert (1, True) == (len(changes), changes.may_decide_by(1000.0))
    changes.forget(6.0)
    assert (0, True, False) == (len(changes), changes.may_decide_by(6.0), changes.may_decide_by(20.0))


@pytest.fixture
def pair(few_bundle: Bundle, opa_binary: Path, tmp_path: Path) -> Iterator[Pair]:
    """Both, with the same state."""
    with Pair(few_bundle, opa_binary, tmp_path) as running:
        yield running


async def _create(queue: DecisionQueue, topic: str) -> str | None:
    """Return the name of the error; None where the topic has been made."""
    request = {"topic": topic, "numPartitions": 1, "replicationFactor": 1}
    answer = await queue.decide({"0": {"operation": "CreateTopic", "request": request}}, {}, 60)
    error: str | None = (answer.decisions["0"]["error"] or {}).get("name")
    if error is None and answer.claim is not None:
        answer.claim.confirm(["0"])
    return error


async def _until(ranking: OpaRanking, order: list[str]) -> None:
    def is_known() -> bool:
        return ranking.rank_urls(CLUSTER) == order and all(known.observed for known in ranking._known.values())

    await asyncio.to_thread(eventually, is_known, "both have been looked at")


@pytest.mark.opa
@pytest.mark.parametrize("behind", [3600.0, 10.0])
def test_one_has_passed_it_and_the_other_has_not(pair: Pair, behind: float) -> None:
    """It is kept where both are used; where the other is passed over, that one decides nothing until it has passed."""
    first, second = pair.settings().addresses
    settings = GatewayOpa.model_validate(
        {"urls": (first, second), "token": pair.settings().token, "timeout": 20.0, "behind_seconds": behind},
        by_name=True,
    )

    async def run() -> list[str | None]:
        ranking = OpaRanking(settings.addresses, [CLUSTER], behind, Recorder())
        async with Decider(settings, ranking) as decider:
            common = {"cluster": CLUSTER, "enforcementPoint": "gateway"}
            queue = DecisionQueue(decider, common, asyncio.Semaphore(2), lambda *_: None)
            await _until(ranking, [first, second])
            found = [await _create(queue, MADE)]
            state = build_state({"old.topic": 1, MADE: 1}, LATER)
            await asyncio.to_thread(write_state, pair.opas[0], state)
            found.append(await _create(queue, MADE))  # the first shows it, so that it could be forgotten
            await _until(ranking, [first, second])
            await asyncio.to_thread(pair.kill, 0)
            if behind == 10.0:
                with pytest.raises(OpaUnreachable, match="has a state without changes that were let through"):
                    await _create(queue, MADE)
                await asyncio.to_thread(write_state, pair.opas[1], build_state({"old.topic": 1, MADE: 1}, LATER))
            found.append(await _create(queue, MADE))
            queue.close()
            return found

    assert [None, "TOPIC_ALREADY_EXISTS", "TOPIC_ALREADY_EXISTS"] == asyncio.run(run())
