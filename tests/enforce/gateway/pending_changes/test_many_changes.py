"""Many changes at once, as of a tool that makes a whole estate: they are decided by, in bounds, and forgotten."""

import asyncio
import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
import yaml

from tests.enforce.gateway.pending_changes.capped import start_capped_opa
from tests.enforce.gateway.pending_changes.test_changes import ALLOWED, Deciding, creation
from tests.enforce.gateway.slow_opa import slow_opa
from tests.fixtures.patience import PATIENCE
from tests.policy.failover.pair import build_state, write_state
from warden.base.errors import OpaTimeout
from warden.base.files.config_model import read_model
from warden.enforce.gateway.config import GatewayOpa
from warden.enforce.gateway.decisions.decider import Decider
from warden.enforce.gateway.decisions.decision_queue import DecisionQueue, ReplicaBehind
from warden.enforce.gateway.pending_changes.pending_changes import RequestChanges
from warden.policy.opa.client import OpaClient
from warden.policy.opa.item_size import MAX_BODY_BYTES, measure_json
from warden.policy.opa.retry import Timeout

MANY = 1500
STATE = {
    "numPartitions": 100, "configs": {}, "labels": {}, "internal": False, "markedForDeletion": False, "reassigning": {},
    "replicasAssignments": {str(at): [-1] for at in range(100)},
}  # fmt: skip
"""Of a topic that was made."""
CHARGES = {"/totals/replicas": 100, "/totals/byPrincipal/User:a/topics": 1}


@pytest.fixture(scope="module")
def opa(opa_binary, tmp_path_factory):
    """An OPA that takes a state of any age."""
    with start_capped_opa(opa_binary, tmp_path_factory.mktemp("many"), 10**9) as running:
        yield running


def topic(number):
    """A topic's name."""
    return "many." + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def make_many(queue, charges=CHARGES, state=STATE, count=MANY):
    """Have a queue know topics that were made and that no replica has shown yet."""
    claim = RequestChanges(queue._changes)
    for number in range(count):
        claim.add(str(number), creation(topic(number)), {"allowed": True, "charges": charges, "effect": state})
    claim.confirm(map(str, range(count)))


def build_queue(decider):
    """A queue of the cluster."""
    common = {"cluster": "model", "enforcementPoint": "gateway"}
    return DecisionQueue(cast("Decider", decider), common, asyncio.Semaphore(1), lambda *_: None)


async def create(queue, name="many.last", **fields):
    """Whether one topic more may be made."""
    request = {"topic": name, "numPartitions": 1, "replicationFactor": 1, **fields}
    answer = await queue.decide({"0": {"operation": "CreateTopic", "request": request}}, {}, 60)
    return answer.decisions["0"]["allowed"]


@pytest.mark.opa
def test_what_the_state_shows_costs_no_more_than_what_it_does_not(opa):
    """Changes that were observed are passed over one by one: none is compared with the others."""
    write_state(opa, build_state({}), "model")
    common = {"cluster": "model", "enforcementPoint": "gateway"}
    with OpaClient(opa.url, token=opa.tokens.query, timeout=Timeout(read=60, total=60)) as client:

        def measure(seconds_ago):
            steps = [{"secondsAgo": ago, "state": STATE, "charges": CHARGES} for ago in seconds_ago]
            changes = {topic(number): [step] for number, step in enumerate(steps)}
            items = {"0": {"operation": "CreateTopic", "request": {"topic": "many.last", "numPartitions": 1}}}
            document = {"items": items, "order": ["0"], "common": common, "changes": changes}
            body = json.dumps({"input": document}).encode()
            began = time.perf_counter()
            assert json.loads(client.post_raw("kafka/decisions", body))["result"]["0"]["errors"] == []
            return time.perf_counter() - began

        under_way = min(measure([None] * MANY) for _ in range(3))
        observed = min(measure([1e6 + number / MANY for number in range(MANY)]) for _ in range(3))

    assert observed < 2 * under_way + 0.1


@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")  # aiohttp's, about what it sends at once
@pytest.mark.parametrize("partitions", [1, 400], ids=["many topics", "topics that are placed by hand"])
def test_no_call_has_more_than_opa_reads(monkeypatch, partitions):
    """Of a request that is larger: what is sent is what was measured, with the keys of its items."""
    most = 400_000
    monkeypatch.setattr("warden.enforce.gateway.decisions.decision_queue.MAX_BODY_BYTES", most)
    placed = {"replicasAssignments": {str(at): [1, 2, 3] for at in range(partitions)}}
    count = 6000 // partitions + 500
    inputs = {f"topics/{at}": {**creation("x"), "request": {"topic": topic(at), **placed}} for at in range(count)}

    async def run(url):
        async with Decider(GatewayOpa(url=url, timeout=PATIENCE)) as decider:
            queue = build_queue(decider)
            queue._lanes[0].size = count
            answer = await queue.decide(inputs, {}, PATIENCE)
            queue.close()
            return answer.decisions

    with slow_opa(lambda _items: None) as opa:
        assert inputs.keys() == asyncio.run(run(opa.url)).keys()
    assert most * 0.8 < max(opa.sizes) <= most


@pytest.mark.opa
@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")  # aiohttp's, about what it sends at once
@pytest.mark.parametrize(
    "charges",
    [CHARGES, CHARGES | {f"/totals/byBroker/{broker}": 100 for broker in range(150)}],
    ids=["of a few brokers", "more than OPA reads"],
)
def test_a_decision_after_many_changes(opa, tmp_path, monkeypatch, charges):
    """With the limits that ship: once the replica was observed later the next change is decided, and they are gone."""
    monkeypatch.setattr("warden.enforce.gateway.decisions.decision_queue._UNSEEN_BYTES", 10**9)
    (tmp_path / "token").write_text(opa.tokens.query)
    (tmp_path / "opa.yaml").write_text(yaml.safe_dump({"url": opa.url, "token": {"file": "token"}}))
    settings = read_model(tmp_path / "opa.yaml", GatewayOpa, "YAML file with an OPA")

    async def run():
        async with Decider(settings) as decider:
            queue = build_queue(decider)
            make_many(queue, charges)
            assert await create(queue)
            queue.close()
            return len(queue._changes)

    later = datetime.now(UTC) + timedelta(seconds=60)
    write_state(opa, build_state({topic(number): 100 for number in range(MANY)}, observed=later), "model")
    assert 1 == asyncio.run(run())


class Slow(Deciding):
    """In the place of an OPA that has no time for changes."""

    async def decide(self, batch, **fields):
        """Take too long where there are any."""
        if batch.get("changes"):
            raise OpaTimeout("too slow")
        return await super().decide(batch, **fields)


def test_an_opa_that_is_too_slow_for_all_changes():
    """What the replica shows by now is forgotten without a decision, so that there is one again."""
    slow = Slow()
    slow.age = -60.0

    async def run():
        queue = build_queue(slow)
        make_many(queue, count=3)
        return await create(queue)

    assert asyncio.run(run())


class Measuring(Deciding):
    """In OPA's place; it measures what it gets."""

    def __init__(self):
        super().__init__()
        self.sizes: list[int] = []

    async def decide(self, batch: Any, **fields: Any) -> Any:
        """Allow all of it."""
        self.sizes.append(len(json.dumps({"input": batch})))
        return await super().decide(batch, **fields)


def test_changes_have_an_end_in_bytes():
    """A topic of many brokers takes more than one of few: beyond half of what OPA reads nothing more is let change."""
    measuring = Measuring()
    charges = {f"/totals/byBroker/{broker}": 1 for broker in range(1000)}

    async def run():
        queue = build_queue(measuring)
        make_many(queue, charges, count=MAX_BODY_BYTES // 2 // measure_json(charges) + 1)
        with pytest.raises(ReplicaBehind):
            await create(queue)
        measuring.age = -60.0
        return await create(queue)

    assert asyncio.run(run())


def test_items_have_the_room_that_changes_leave():
    """Together they are no more than OPA reads: changes of other topics by what is counted, of the items' own whole."""
    measuring = Measuring()
    large = {"retention.ms": "x" * 400_000}

    async def run():
        queue = build_queue(measuring)
        make_many(queue, {f"/totals/byBroker/{broker}": 1 for broker in range(100)}, count=600)
        claim = RequestChanges(queue._changes)
        for number in range(5):
            claim.add(str(number), creation(f"large.{number}"), ALLOWED | {"effect": {"configs": large}})
        return await asyncio.gather(*(create(queue, f"large.{number}", configs=large) for number in range(5)))

    assert [True] * 5 == asyncio.run(run())
    assert len(measuring.sizes) > 1
    assert max(measuring.sizes) <= MAX_BODY_BYTES
    assert sum(measuring.sizes) > MAX_BODY_BYTES
