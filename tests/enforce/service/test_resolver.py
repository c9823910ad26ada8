"""What clients accept, once for all who say the same; tests/enforce/service/test_resolving.py has an OPA."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest

from tests.fixtures.patience import PATIENCE
from warden.base.errors import InputError
from warden.enforce.service.cluster import ClusterFollower
from warden.enforce.service.resolve_batches import Resolver, ResolveRequest
from warden.policy.contract.decision import Decision

_DECISION = {"allowed": True, "errors": [], "error": None, "violations": [], "revision": "r", "entries": []}


class _Cluster:
    """Decides at once; what a client accepts it says when it is let, or that it is wrong.

    Attributes:
        calls: The kinds of clients, as they came.
        began: Is released at each call.
        gates: What calls about a kind wait for.
        wrong: Kinds that are refused.
    """

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.began = threading.Semaphore(0)
        self.gates: dict[str, threading.Event] = {}
        self.wrong: set[str] = set()

    def resolve(self, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Decision]:
        return [Decision.from_document(_DECISION) for _ in requests]

    def evaluate_accepted(self, client: Mapping[str, Any], values: Mapping[str, str]) -> tuple[dict[str, Any], str]:
        kind = client["kind"]
        self.calls.append(kind)
        self.began.release()
        if kind in self.gates:
            self.gates[kind].wait(PATIENCE)
        if kind in self.wrong:
            raise InputError(kind)
        return {"configs": {"kind": kind, **values}}, "r"


@pytest.fixture
def cluster() -> _Cluster:
    """A cluster whose answers wait."""
    return _Cluster()


@pytest.fixture
def resolver(cluster: _Cluster) -> Resolver:
    """What is tested."""
    return Resolver(cast("ClusterFollower", cluster))


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads of callers."""
    with ThreadPoolExecutor(4) as made:
        yield made


def _resolve(resolver: Resolver, kind: str) -> Any:
    (answer,) = resolver.resolve([ResolveRequest.from_documents("User:a", {}, {"kind": kind, "static": {}})])
    return answer if isinstance(answer, Exception) else json.loads(answer)["accepted"]["configs"]["kind"]


def test_what_is_known_waits_for_nothing(cluster: _Cluster, resolver: Resolver, pool: ThreadPoolExecutor) -> None:
    """While OPA answers about one client another gets what is kept, and a third asks for itself."""
    assert "known" == _resolve(resolver, "known")
    cluster.gates = {"slow": threading.Event(), "other": threading.Event()}
    slow, other = (pool.submit(_resolve, resolver, kind) for kind in cluster.gates)
    try:
        assert [True] * 3 == [cluster.began.acquire(timeout=PATIENCE) for _ in range(3)]
        assert "known" == pool.submit(_resolve, resolver, "known").result(PATIENCE)
        assert (False, False) == (slow.done(), other.done())
    finally:
        for gate in cluster.gates.values():
            gate.set()

    assert ("slow", "other") == (slow.result(PATIENCE), other.result(PATIENCE))
    assert ["known", "other", "slow"] == sorted(cluster.calls)


def test_those_who_say_the_same(cluster: _Cluster, resolver: Resolver, pool: ThreadPoolExecutor) -> None:
    """One call for all of them, whether they come while it is made or after."""
    cluster.gates = {"a": threading.Event()}
    answers = [pool.submit(_resolve, resolver, "a") for _ in range(3)]
    assert cluster.began.acquire(timeout=PATIENCE)
    cluster.gates["a"].set()

    assert ["a"] * 4 == [*(answer.result(PATIENCE) for answer in answers), _resolve(resolver, "a")]
    assert ["a"] == cluster.calls


def test_what_fails_is_not_kept(cluster: _Cluster, resolver: Resolver, pool: ThreadPoolExecutor) -> None:
    """Whoever waits for it hears it; the next one asks again."""
    cluster.gates, cluster.wrong = {"a": threading.Event()}, {"a"}
    answers = [pool.submit(_resolve, resolver, "a") for _ in range(2)]
    assert cluster.began.acquire(timeout=PATIENCE)
    cluster.gates["a"].set()
    assert [(InputError, "a")] * 2 == [(type(answer.result(PATIENCE)), str(answer.result())) for answer in answers]

    cluster.wrong.clear()
    assert "a" == _resolve(resolver, "a")
