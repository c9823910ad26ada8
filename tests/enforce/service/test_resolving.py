"""What resolving costs, in calls of OPA."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from warden.base.errors import InputError
from warden.demo.local_broker import LocalBroker
from warden.enforce.service.cluster import ClusterFollower
from warden.enforce.service.config import ServedCluster
from warden.enforce.service.resolve_batches import Resolver, ResolveRequest
from warden.enforce.service.wire import decode_client, decode_resolve
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


class Counting(OpaClient):
    """Counts its calls."""

    calls: list[str]

    def _post(self, url: str, body: bytes, seconds: float | None = None) -> bytes:
        self.calls.append(url.removeprefix(f"{self.url}/v1/data/"))
        return super()._post(url, body, seconds)


@pytest.fixture
def client(few_opa: LocalOpa) -> Iterator[Counting]:
    """The OPA that decides."""
    with Counting(few_opa.url, token=few_opa.tokens.query) as made:
        made.calls = []
        yield made


@pytest.fixture
def cluster(broker: LocalBroker, client: Counting, config_admin: str, tmp_path: Path) -> Iterator[ClusterFollower]:
    """A cluster whose user alice has acks=0, its client app-7 acks=-1."""
    store = f"sqlite:{tmp_path / 'configs.db'}"
    settings = ServedCluster.model_validate({"name": "c", "bootstrapServers": broker.bootstrap_servers, "store": store})
    followed = ClusterFollower(settings, client, lambda _: None)
    followed.start()
    eventually(lambda: followed.problem is None, "the cluster answers")
    entities: list[dict[str, Any]] = [{"user": "alice"}, {"user": "alice", "clientId": "app-7"}]
    ops = ([{"key": "acks", "value": value}] for value in ("0", "-1"))
    requests = [{"entity": entity, "ops": op} for entity, op in zip(entities, ops, strict=True)]
    assert all(decision.allowed for decision in followed.alter(config_admin, requests))
    client.calls.clear()
    yield followed
    followed.stop()


def producer(client_id: str, user: str = "alice", **static: str) -> ResolveRequest:
    """A producer that resolves itself."""
    body = {"clientId": client_id, "kind": "producer", "static": static}
    return ResolveRequest.from_documents(f"User:{user}", decode_resolve(body, user), decode_client(body))


def test_a_hundred_clients_cost_one_decision_and_what_differs(cluster: ClusterFollower, client: Counting) -> None:
    """One call for all decisions, and one for each acceptance that is another; the next time that is known."""
    resolver = Resolver(cluster)
    requests = [producer(f"app-{number}") for number in range(100)]

    answers = resolver.resolve(requests)
    assert ["kafka/decisions", "kafka/client_configs/accepted", "kafka/client_configs/accepted"] == client.calls
    assert 2 == len(set(answers)), "app-7 has its own"

    client.calls.clear()
    assert answers == resolver.resolve(requests)
    assert ["kafka/decisions"] == client.calls

    client.calls.clear()
    others = resolver.resolve([producer("app-1", retries="0"), producer("app-1", "bob"), producer("app-1")])
    assert ["kafka/decisions", "kafka/client_configs/accepted", "kafka/client_configs/accepted"] == client.calls
    assert 3 == len(set(others))
    assert answers[1] == others[2]


def test_each_gets_its_own(cluster: ClusterFollower) -> None:
    """As if it had come alone; whose own configs are no strings of the contract hears it alone."""
    requests = [
        producer("app-7"),
        producer("app-7", "bob"),
        ResolveRequest.from_documents("User:alice", decode_resolve({}, "alice"), None),
    ]
    wrong = ResolveRequest.from_documents("User:alice", decode_resolve({}, "alice"), {"kind": "x", "static": {}})
    resolver = Resolver(cluster)

    *together, refused = resolver.resolve([*requests, wrong])
    assert isinstance(refused, InputError)
    assert together == [Resolver(cluster).resolve([one])[0] for one in requests]
    values = ['"values": [{"key": "acks", "value": "-1"}]', '"values": []', '"values": [{"key": "acks", "value": "0"}]']
    assert all(isinstance(one, bytes) and value in one.decode() for one, value in zip(together, values, strict=True))


def test_nobody_resolves_another(cluster: ClusterFollower) -> None:
    """Not in company either: each is decided as who asks."""
    mine, others = (
        producer("app-7"),
        ResolveRequest.from_documents("User:bob", decode_resolve({"clientId": "app-7"}, "alice"), None),
    )
    allowed, denied = Resolver(cluster).resolve([mine, others])
    assert isinstance(denied, bytes)
    assert b"CLUSTER_AUTHORIZATION_FAILED" in denied or b'"errorCode": 31' in denied
    assert b'"values": null' in denied
    assert isinstance(allowed, bytes)
    assert b'"errorCode": 0' in allowed


def test_registrations_of_one_entity_that_come_together(cluster: ClusterFollower, config_admin: str) -> None:
    """Two kinds of software with the same client-id: both are stored."""
    bodies = [{"clientId": "app", "softwareName": name, "supportedConfigs": ["acks"]} for name in ("x", "y")]
    Resolver(cluster).resolve(
        [ResolveRequest.from_documents("User:alice", decode_resolve(body, "alice"), None) for body in bodies]
    )
    components = [
        {"entityType": "user", "matchType": "exact", "match": "alice"},
        {"entityType": "client-id", "matchType": "exact", "match": "app"},
    ]
    (entry,) = cluster.build_configs(config_admin).describe({"components": components}).document["entries"]
    assert {name: {"unknown": ["acks"]} for name in ("x", "y")} == entry["supportedConfigs"]
