"""Client configs over HTTP: the entry points of the contract, and a batch as a scan sends it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.decisions.growth import client_state, evaluations
from tests.bench.measures import unsigned
from warden.policy.bundle.build import Bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_STORED = {
    "alice": {
        "": {"acks": "-1", "session.timeout.ms": "11000", "producer_byte_rate": "50000"},
        "clientid-override": {"acks": "0", "heartbeat.interval.ms": "2000"},
    },
    "bob": {"app 1": {"session.timeout.ms": "6000"}, "": {"heartbeat.interval.ms": "9000"}},
}


@pytest.fixture(scope="module")
def client(opa_binary: Path, bundle: Bundle) -> Iterator[OpaClient]:
    """A client of an OPA to which a cluster has been replicated."""
    with LocalOpa(bundle, opa=opa_binary) as opa:
        with OpaClient(opa.url, token=opa.tokens.replicator) as replicator:
            replicator.put_data(["clusters", "prod"], {"clientConfigs": _STORED, "acls": {}})
        with opa.build_client() as asking:
            yield asking


def test_effective(client):
    """The example of KIP-649: the client's own over its user's, each with its source."""
    special, general = {"user": "alice", "clientId": "clientid-override"}, {"user": "alice"}

    assert {
        "configs": {"acks": "0", "heartbeat.interval.ms": "2000", "session.timeout.ms": "11000"},
        "sources": {"acks": special, "heartbeat.interval.ms": special, "session.timeout.ms": general},
    } == client.evaluate("kafka/client_configs/effective", {"cluster": "prod", **special})


def test_accepted(client):
    """The fields of the contract, and nothing else where there is nothing else to say."""
    question = {"kind": "producer", "static": {"enable.idempotence": "true"}, "dynamic": {"acks": "1"}}
    reason = "Must set acks to all in order to use the idempotent producer. Otherwise we cannot guarantee idempotence."

    assert {
        "configs": {"enable.idempotence": "true"},
        "accepted": {},
        "ignored": {"acks": reason},
        "revision": client.read_revision(),
    } == client.evaluate("kafka/client_configs/accepted", question)


def test_a_super_user_of_the_settings_may(client):
    """The setting reaches the built bundle; anybody else may not."""
    request = {"entity": {"user": "alice"}, "ops": [{"key": "acks", "value": "all"}]}
    document = {"operation": "AlterClientConfigs", "cluster": "prod", "request": request}
    allowed = client.decide({**document, "principal": {"type": "User", "name": "admin"}})
    refused = client.decide({**document, "principal": {"type": "User", "name": "alice"}})

    assert [
        {
            "entity": {"user": "alice"},
            "error": None,
            "apply": True,
            "values": {"acks": "-1", "session.timeout.ms": "11000"},
        }
    ] == (allowed["entries"])
    assert ("CLUSTER_AUTHORIZATION_FAILED", 31) == (refused["error"]["name"], refused["error"]["code"])


def test_all_entities_are_audited_in_a_batch(client):
    """Every stored entity is an item of one request; the rules say which would not do what they seem to."""
    entities = [
        {"user": user, **({"clientId": name} if name else {})} for user, names in _STORED.items() for name in names
    ]
    items = {json.dumps(entity): {"request": {"entity": entity}} for entity in entities}
    decisions = client.decide_many(
        items, common={"operation": "AuditClientConfigs", "cluster": "prod", "enforcementPoint": "scan"}
    )
    broken = {key: sorted(v["rule"] for v in decision["violations"]) for key, decision in decisions.items()}

    assert {
        json.dumps({"user": "alice"}): [],
        json.dumps({"user": "alice", "clientId": "clientid-override"}): ["KFK-CLI-001"],
        json.dumps({"user": "bob", "clientId": "app 1"}): ["KFK-CLI-005", "KFK-CLI-006"],
        json.dumps({"user": "bob"}): [],
    } == broken


def test_the_cost_does_not_depend_on_how_many_entities_are_stored(opa_binary, bundle, tmp_path):
    """As many evaluations with 100,000 entities as with 100, whether by a query or by a client for itself."""
    bare = unsigned(bundle.path, tmp_path / "bare.tar.gz")
    question = {"cluster": "prod", "user": "alice", "clientId": "app"}
    components = [
        {"entityType": "user", "matchType": "exact", "match": "alice"},
        {"entityType": "client-id", "matchType": "exact", "match": "app"},
    ]
    resolving = {
        "operation": "DescribeClientConfigs",
        "cluster": "prod",
        "principal": {"type": "User", "name": "alice"},
        "request": {"components": components, "resolveEntity": True},
    }
    counts = []
    for entities in (100, 100_000):
        path = tmp_path / f"{entities}.json"
        path.write_text(json.dumps(client_state(entities)), encoding="utf-8")
        inputs = [("kafka.client_configs.effective", question), ("kafka.decision", resolving)]
        counts.append([evaluations(opa_binary, bare, path, name, document) for name, document in inputs])

    assert counts[0] == counts[1]
    assert all(count > 0 for count in counts[0])
