"""However a request is split into requests, what is allowed of it passes no cap that the state respects."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
import yaml

from tests.fixtures.seed import SEED
from tests.rego.change.documents import Document, document
from tests.rego.change.settings import shipped_rules
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_REPLICAS, _PARTITIONS, _TOPICS, _PER_BROKER, _PER_REQUEST, _DELETIONS, _BYTES = 60, 24, 6, 18, 14, 3, 6000
_UNBOUNDED: Final = 200
_CAPS: Final = {
    "KFK-SIZ-002": {"maxPartitions": _REPLICAS},
    "KFK-SIZ-003": {"maxTopics": _TOPICS, "maxPartitions": _PARTITIONS},
    "KFK-SIZ-007": {"maxPerRequest": _PER_REQUEST},
    "KFK-SIZ-008": {"maxPerBroker": _PER_BROKER},
    "KFK-DEL-003": {"maxCount": _DELETIONS, "maxPercent": 100},
}
# Of a team whose bytes are counted, in a cluster of its own: who asks without a label has none that are.
_OWNED: Final = "owned"
_OF_TEAMS: Final = {
    "match": {"name": _OWNED},
    "rules": {
        "KFK-SIZ-004": {"mode": "deny", "params": {"maxBytes": _BYTES, "unboundedAs": _UNBOUNDED, "labelKey": "owner"}}
    },
}
# One that denies for another reason, by what a topic is called.
_RULES: Final = {id: {"mode": "deny", "params": params} for id, params in _CAPS.items()} | {
    "KFK-NAM-003": {"mode": "deny", "params": {"maxLength": 20}}
}
_LIMITS: Final[tuple[dict[str, str], ...]] = ({}, {"retention.bytes": "100"}, {"retention.bytes": "300"})
_BROKERS: Final = (1, 2, 3, 4)
_CASES: Final = 4
_MANY: Final = 25


@dataclass(frozen=True, slots=True)
class _Added:
    """What an item adds to what is capped."""

    replicas: int = 0
    partitions: int = 0
    topics: int = 0
    deleted: int = 0
    bytes: int = 0
    by_broker: tuple[tuple[int, int], ...] = ()


@pytest.fixture(scope="module")
def capped(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpaClient]:
    """A client of an OPA in which caps, and one other rule, deny."""
    directory = tmp_path_factory.mktemp("caps")

    rules = {id: {"mode": "disabled"} for id in shipped_rules()} | _RULES
    settings = {"rules": rules, "clusters": [_OF_TEAMS]}
    (directory / "settings.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    bundle = build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml", opa=opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as running, running.build_client() as client:
        yield client


def _state(chance: Random, cluster: str) -> Document:
    """Four topics, and others of which only the totals tell, close to the caps."""
    labels = {"owner": "shop"} if cluster == _OWNED else {}
    topics: dict[str, Document] = {}
    for i in range(4):
        partitions, replicas = chance.choice([1, 2, 3]), chance.choice([1, 2, 3])
        topics[f"shop.old{i}"] = {
            "numPartitions": partitions,
            "replicationFactor": replicas,
            "replicasAssignments": {str(p): chance.sample(_BROKERS, replicas) for p in range(partitions)},
            "configs": dict(chance.choice(_LIMITS)),
            "labels": labels,
            "internal": False,
            "markedForDeletion": False,
            "reassigning": {},
        }
    held = Counter(b for topic in topics.values() for at in topic["replicasAssignments"].values() for b in at)
    partitions = sum(topic["numPartitions"] for topic in topics.values())
    team = {
        "topics": _TOPICS - chance.randrange(3),
        "partitions": max(partitions, _PARTITIONS - chance.randrange(12)),
        "retainedBytes": _BYTES - 600 - chance.randrange(3000),
        "unboundedReplicas": chance.randrange(3),
    }
    return {
        "clusterSize": len(_BROKERS),
        "brokers": {str(i): {"host": "b", "rack": "a", "configs": {}} for i in _BROKERS},
        "defaults": {"num.partitions": "2", "default.replication.factor": "2"},
        "topics": topics,
        "totals": {
            "topics": 4,
            "partitions": partitions,
            "replicas": max(held.total(), _REPLICAS - chance.randrange(16)),
            "byBroker": {str(i): max(held[i], _PER_BROKER - chance.randrange(6)) for i in _BROKERS},
            "byOwner": {"shop": team},
            "byPrincipal": {"User:shop": team},
        },
        "deletions": {"lastHour": 0},
        "meta": {"observedAt": "2026-11-21T09:59:58Z", "labels": True},
    }


def _item(chance: Random, of_cluster: Document, number: int) -> tuple[Document, _Added]:
    """An item, and what it adds: from the request and the state alone."""
    kind = chance.choice(["create", "create", "placed", "grow", "grow", "placed growth", "move", "delete", "long"])
    if kind in ("create", "long", "placed"):
        request, added = _creation(chance, f"shop.new{number}" + "x" * (20 if kind == "long" else 0), kind == "placed")
        request |= {"labels": of_cluster["topics"]["shop.old0"]["labels"], "configs": chance.choice(_LIMITS)}
        return {"operation": "CreateTopic", "request": request}, _filled(added, request["configs"])
    name = chance.choice(sorted(of_cluster["topics"]))
    if kind == "delete":
        return {"operation": "DeleteTopic", "request": {"topic": name}}, _Added(deleted=1)
    topic = of_cluster["topics"][name]
    fields, added = (_move if kind == "move" else _growth)(chance, topic, kind)
    return {"operation": "AlterTopic", "request": {"topic": name, **fields}}, _filled(added, topic["configs"])


def _filled(added: _Added, configs: Mapping[str, str]) -> _Added:
    """With the bytes that its replicas can grow to."""
    return replace(added, bytes=added.replicas * int(configs.get("retention.bytes", _UNBOUNDED)))


def _creation(chance: Random, name: str, placed: bool) -> tuple[Document, _Added]:
    if placed:
        places = {str(p): chance.sample(_BROKERS, chance.choice([1, 2])) for p in range(chance.choice([1, 3]))}
        return {"topic": name, "replicasAssignments": places}, _placed(list(places.values()), [], len(places), 1)
    partitions, replicas = chance.choice([-1, 1, 3, 8]), chance.choice([-1, 1, 3])
    many, copies = (2 if partitions < 0 else partitions), (2 if replicas < 0 else replicas)
    return {"topic": name, "numPartitions": partitions, "replicationFactor": replicas}, _Added(many * copies, many, 1)


def _growth(chance: Random, topic: Document, kind: str) -> tuple[Document, _Added]:
    more = chance.choice([1, 2, 5])
    fields = {"numPartitions": topic["numPartitions"] + more}
    if kind == "grow":
        return fields, _Added(more * len(topic["replicasAssignments"]["0"]), more)
    news = [chance.sample(_BROKERS, chance.choice([1, 2, 3])) for _ in range(more)]
    return {**fields, "newAssignments": news}, _placed(news, [], more)


def _move(chance: Random, topic: Document, _: str) -> tuple[Document, _Added]:
    present = topic["replicasAssignments"]
    moved = chance.sample(sorted(present), chance.randrange(1, len(present) + 1))
    targets = {p: chance.sample(_BROKERS, chance.choice([1, 2, 3, 4])) for p in moved}
    return {"reassignments": targets}, _placed(list(targets.values()), [present[p] for p in moved])


def _placed(after: list[list[int]], before: list[list[int]], partitions: int = 0, topics: int = 0) -> _Added:
    gained = Counter(broker for replicas in after for broker in replicas)
    gained.subtract(broker for replicas in before for broker in replicas)
    by_broker = tuple((broker, count) for broker, count in gained.items() if count > 0)
    return _Added(max(gained.total(), 0), partitions, topics, by_broker=by_broker)


def _splits(items: int) -> Iterator[list[range]]:
    """Every way to make requests of consecutive items."""
    for cuts in product([False, True], repeat=items - 1):
        edges = [0, *(i + 1 for i, cut in enumerate(cuts) if cut), items]
        yield [range(*pair) for pair in pairwise(edges)]


def _run(
    client: OpaClient, items: list[Document], of_cluster: Document, parts: list[range], cluster: str
) -> dict[int, list[int]]:
    """The indexes of what is allowed, by request; what was charged before is pending in the next."""
    common = document("", {}, of_cluster, cluster)
    del common["operation"], common["request"]
    pending: Counter[str] = Counter()
    allowed: dict[int, list[int]] = {}
    for number, part in enumerate(parts):
        sent = {str(i): items[i] for i in part}
        decisions = client.decide_many(sent, {**common, "pending": dict(pending)}, in_order=True)
        for decision in decisions.values():
            pending.update(decision["charges"])
        allowed[number] = [int(key) for key, decision in decisions.items() if decision["allowed"]]
    return allowed


def _passed(
    of_cluster: Document, items: list[Document], added: list[_Added], allowed: dict[int, list[int]], cluster: str
) -> list[str]:
    """The caps that allowed items pass, trials apart: each trial has to fit by itself."""
    totals: dict[str, Any] = of_cluster["totals"]
    done = [added[i] for part in allowed.values() for i in part if not items[i].get("validateOnly")]
    by_broker = Counter({int(id): n for id, n in totals["byBroker"].items()})
    for each in done:
        by_broker.update(dict(each.by_broker))
    team = totals["byPrincipal"]["User:shop"]
    figures = {
        "replicas": (totals["replicas"] + sum(each.replicas for each in done), _REPLICAS),
        "partitions": (team["partitions"] + sum(each.partitions for each in done), _PARTITIONS),
        "topics": (team["topics"] + sum(each.topics for each in done), _TOPICS),
        "deletions": (sum(each.deleted for each in done), _DELETIONS),
        "bytes": (_held_bytes(team) + sum(each.bytes for each in done), _BYTES if cluster == _OWNED else inf),
        "broker": (max(n for id, n in by_broker.items()), _PER_BROKER),
    }
    figures |= {
        f"request {number}": (sum(added[i].partitions for i in part), _PER_REQUEST) for number, part in allowed.items()
    }
    return [f"{name}: {figure} of {most}" for name, (figure, most) in figures.items() if figure > most]


def _held_bytes(team: Mapping[str, int]) -> int:
    return team["retainedBytes"] + team["unboundedReplicas"] * _UNBOUNDED


def _check_splits(client: OpaClient, cases: int, most: int = 16) -> None:
    """Of each request that many of its splits, 16 being all."""
    kinds: Counter[bool] = Counter()
    wrong = []
    for case in range(cases):
        chance = Random(f"{SEED} split {case}")
        cluster = ("prod", _OWNED)[case % 2]
        of_cluster = _state(chance, cluster)
        drawn = [_item(chance, of_cluster, i) for i in range(5)]
        items = [item | ({"validateOnly": True} if chance.random() < 0.2 else {}) for item, _ in drawn]
        added = [each for _, each in drawn]
        for parts in chance.sample(list(_splits(len(items))), most):
            allowed = _run(client, items, of_cluster, parts, cluster)
            kinds.update({True: (n := sum(map(len, allowed.values()))), False: len(items) - n})
            if passed := _passed(of_cluster, items, added, allowed, cluster):
                wrong.append(
                    (case, parts, passed, items, [t["replicasAssignments"] for t in of_cluster["topics"].values()])
                )
    print(f"{cases} requests in {most} splits each; items allowed and not: {dict(kinds)}")

    assert [] == wrong[:3]
    assert min(kinds.values()) > cases


def test_no_split_passes_a_cap(capped: OpaClient) -> None:
    """Creations, growth, moves and deletions; some are only tried, denied for another reason, or of the same topic."""
    _check_splits(capped, _CASES)


@pytest.mark.oracle
def test_no_split_passes_a_cap_of_many(capped: OpaClient) -> None:
    """As above, of many requests in all their splits, and of hundreds in two of them."""
    _check_splits(capped, _MANY)
    _check_splits(capped, 10 * _MANY, 2)
