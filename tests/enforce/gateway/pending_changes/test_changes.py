"""The order of changes against a model of one client after the other: random sessions at once, with OPA itself."""

import asyncio
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import cast

import pytest
import yaml

from tests.enforce.gateway.pending_changes.capped import start_capped_opa
from tests.policy.failover.pair import build_state
from warden.base.files.config_model import read_model
from warden.enforce.gateway.config import GatewayOpa
from warden.enforce.gateway.decisions.batches import BatchDecisions
from warden.enforce.gateway.decisions.decider import Decider
from warden.enforce.gateway.decisions.decision_queue import DecisionQueue, ReplicaBehind
from warden.enforce.gateway.pending_changes.pending_changes import PendingChanges, RequestChanges
from warden.policy.opa.local import LocalOpa

CAP = 30
"""Most replicas of partitions."""

ALLOWED = {
    "allowed": True,
    "charges": {"/totals/replicas": 2, "/request/partitions": 2},
    "effect": {"numPartitions": 2},
}


def creation(topic):
    """A decision input."""
    return {"operation": "CreateTopic", "request": {"topic": topic}}


def test_a_change_from_its_decision_to_the_replica():
    """It is under way, then confirmed so long ago, then forgotten; what counts within a request is not among it."""
    now = [0.0]
    changes = PendingChanges(lambda: now[0])
    claim = RequestChanges(changes)
    claim.add("0", creation("a"), ALLOWED)
    step = {"secondsAgo": None, "state": {"numPartitions": 2}, "charges": {"/totals/replicas": 2}}
    assert {"a": [step]} == changes.to_document(())
    claim.confirm(["0"])
    now[0] = 10.0
    changes.forget(8.0)
    assert {"a": [{**step, "secondsAgo": 10.0}]} == changes.to_document(())
    changes.forget(1.0)
    assert {} == changes.to_document(())


@pytest.mark.parametrize(
    "ends", [RequestChanges.release, lambda claim: claim.retain_only([]), lambda claim: claim.release(["0"])]
)
def test_what_comes_to_nothing_counts_no_more(ends):
    """The broker refuses it, or the client goes before it went on."""
    changes = PendingChanges()
    claim = RequestChanges(changes)
    claim.add("0", creation("a"), ALLOWED)
    claim.add("1", creation("b"), {"allowed": False, "charges": {}})
    ends(claim)

    assert {} == changes.to_document(())


def test_what_nobody_heard_of_counts_once():
    """A topic that a broker makes when it comes to it, and that a client names again and again meanwhile."""
    changes = PendingChanges()
    for _ in range(3):
        claim = RequestChanges(changes)
        claim.add("0", creation("a"), ALLOWED)
        claim.mark_unconfirmed()

    assert [None] == [step["secondsAgo"] for step in changes.to_document(())["a"]]


def test_confirmed_changes_stand_in_their_order():
    """As the broker has confirmed them, before all that is under way."""
    changes, claims = PendingChanges(), []
    for at in range(3):
        claims.append(RequestChanges(changes))
        claims[at].add("0", {**creation("a"), "operation": "AlterTopic"}, {**ALLOWED, "effect": {"numPartitions": at}})
    claims[2].confirm(["0"])
    claims[0].confirm(["0"])

    assert [2, 0, 1] == [step["state"]["numPartitions"] for step in changes.to_document(())["a"]]


class Deciding:
    """In OPA's place, by the state of a replica that is so old."""

    def __init__(self) -> None:
        self.settings, self.age, self.find_oldest = GatewayOpa(), 1e6, lambda *of: of[1]

    def check_size(self, _inputs):
        """Take any."""

    async def decide(self, batch, **_):
        """Allow all of it."""
        return {key: {**ALLOWED, "stateAge": self.age} for key in batch["items"]}, None


def test_a_replica_that_shows_nothing(monkeypatch):
    """What is kept of changes has an end, at which nothing more is let change until the replica moves on."""
    monkeypatch.setattr("warden.enforce.gateway.decisions.decision_queue._UNSEEN", 2)
    deciding = Deciding()

    async def run():
        queue = DecisionQueue(cast("Decider", deciding), {}, asyncio.Semaphore(1), lambda *_: None)
        for topic in "abc":
            answer = await queue.decide({"0": creation(topic)}, {}, 60)
            assert answer.claim is not None
            answer.claim.confirm(["0"])
        with pytest.raises(ReplicaBehind):
            await queue.decide({"0": creation("d")}, {}, 60)
        deciding.age = -60.0
        return await queue.decide({"0": creation("e")}, {}, 60)

    assert asyncio.run(run()).decisions["0"]["allowed"]


def test_items_that_are_decided_in_another_order():
    """The answer has all of them, whichever batch of a request comes back last."""

    async def run():
        later = asyncio.Event()

        class Held(Deciding):
            async def decide(self, batch, **_):
                if "0/0" in batch["items"]:
                    await later.wait()
                later.set()
                return await super().decide(batch)

        queue = DecisionQueue(cast("Decider", Held()), {}, asyncio.Semaphore(2), lambda *_: None)
        acl = {"operation": "CreateAcl", "request": {}}
        many = queue.decide({str(at): acl for at in range(20)}, {}, 60)
        answer, _ = await asyncio.gather(many, queue.decide({"0": acl}, {}, 60))
        return answer.decisions

    assert 20 == len(asyncio.run(run()))


class Cluster:
    """A cluster in a broker's place, which knows nothing of caps, and its replica in OPA.

    Args:
        opa: Has the replica.
        randomness: How long things take.
    """

    def __init__(self, opa: LocalOpa, randomness: random.Random) -> None:
        self.topics: dict[str, int] = {}
        self.most = 0
        self._opa, self._random = opa, randomness

    async def do(self, operation: str, topic: str, count: int) -> bool:
        """Carry a request out, or refuse it, as a broker."""
        await asyncio.sleep(self._random.random() * 0.02)
        exists = topic in self.topics
        if exists == (operation == "CreateTopic") or (operation == "AlterTopic" and count <= self.topics[topic]):
            return False
        if operation == "DeleteTopic":
            del self.topics[topic]
        else:
            self.topics[topic] = count
        self.most = max(self.most, sum(self.topics.values()))
        await asyncio.sleep(self._random.random() * 0.02)
        return True

    async def observe(self) -> None:
        """Write what is there to OPA, as a replicator that takes its time."""
        observed, topics = datetime.now(UTC), dict(self.topics)
        await asyncio.sleep(self._random.random() * 0.5)
        await asyncio.to_thread(self._write, build_state(topics, observed=observed))

    def _write(self, state: dict[str, object]) -> None:
        with self._opa.build_client(self._opa.tokens.replicator) as client:
            client.put_data(["clusters", "model"], state)


class Session:
    """A client that knows its own topics: nobody else changes them.

    Args:
        name: Begins the names of its topics.
        cluster: What it changes.
        queue: Decides.
    """

    def __init__(self, name: str, cluster: Cluster, queue: DecisionQueue) -> None:
        self._name, self._cluster, self._queue = name, cluster, queue
        self._topics: dict[str, int] = {}
        self.denied = 0

    async def step(self, randomness: random.Random) -> None:
        """Ask for a random change, and hold its answer to what one client after the other would get."""
        topic = f"{self._name}.{randomness.choice('abc')}"
        operation = randomness.choice(("CreateTopic", "CreateTopic", "AlterTopic", "DeleteTopic"))
        count = randomness.randint(1, 8)
        request = {"topic": topic} | ({} if operation == "DeleteTopic" else {"numPartitions": count})
        request |= {"replicationFactor": 1} if operation == "CreateTopic" else {}
        answer = await self._decide(operation, request)
        error, before = (answer.decisions["0"]["error"] or {}).get("name"), self._topics.get(topic)
        if error is not None:
            assert error == self._expected(operation, before, count), (operation, topic, before, count, error)
            self.denied += error == "POLICY_VIOLATION"
            return
        assert answer.claim is not None
        done = await self._cluster.do(operation, topic, count)
        assert done, (operation, topic, before, count)
        answer.claim.confirm(["0"])
        if operation == "DeleteTopic":
            del self._topics[topic]
        else:
            self._topics[topic] = count

    async def create(self, topic: str, count: int) -> str | None:
        """Return the error's name for a topic of so many partitions, None where it is allowed."""
        request = {"topic": f"{self._name}.{topic}", "numPartitions": count, "replicationFactor": 1}
        answer = await self._decide("CreateTopic", request)
        error: str | None = (answer.decisions["0"]["error"] or {}).get("name")
        return error

    async def _decide(self, operation: str, request: Mapping[str, object]) -> BatchDecisions:
        inputs = {"0": {"operation": operation, "request": request}}
        return await self._queue.decide(inputs, {"principal": {"type": "User", "name": self._name}}, 60)

    def _expected(self, operation: str, before: int | None, count: int) -> str:
        """The refusal of a request that only a cap could stand against else."""
        if operation == "CreateTopic":
            return "POLICY_VIOLATION" if before is None else "TOPIC_ALREADY_EXISTS"
        if before is None:
            return "UNKNOWN_TOPIC_OR_PARTITION"
        return "INVALID_PARTITIONS" if count <= before else "POLICY_VIOLATION"


@pytest.fixture(scope="module")
def opa(opa_binary, tmp_path_factory):
    """An OPA with a cap and no rule that stands against deletions, whatever the state's age."""
    with start_capped_opa(opa_binary, tmp_path_factory.mktemp("model"), CAP) as running:
        yield running


@pytest.mark.opa
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_sessions_at_once(opa, seed, tmp_path):
    """The cap holds at every moment, and each session finds what it has changed, while a replicator runs behind."""
    (tmp_path / "token").write_text(opa.tokens.query)
    (tmp_path / "opa.yaml").write_text(yaml.safe_dump({"url": opa.url, "token": {"file": "token"}, "timeout": 60}))
    settings = read_model(tmp_path / "opa.yaml", GatewayOpa, "YAML file with an OPA")
    randomness = random.Random(seed)
    cluster = Cluster(opa, randomness)

    async def run() -> list[Session]:
        await cluster.observe()
        async with Decider(settings) as decider:
            common = {"cluster": "model", "enforcementPoint": "gateway"}
            queue = DecisionQueue(decider, common, asyncio.Semaphore(2), lambda *_: None)
            sessions = [Session(f"session.{name}", cluster, queue) for name in "abcdef"]

            done = asyncio.Event()

            async def replicate() -> None:
                while not done.is_set():
                    await cluster.observe()

            async def use(session: Session) -> None:
                for _ in range(25):
                    await session.step(randomness)

            replicator = asyncio.get_running_loop().create_task(replicate())
            await asyncio.gather(*map(use, sessions))
            done.set()
            await replicator
            await cluster.observe()
            last = Session("session.last", cluster, queue)
            room = CAP - sum(cluster.topics.values())
            assert room == 0 or await last.create("a", room) is None
            assert "POLICY_VIOLATION" == await last.create("b", 1)
            queue.close()
        return sessions

    sessions = asyncio.run(run())

    assert cluster.most <= CAP
    assert sum(session.denied for session in sessions) > 0
