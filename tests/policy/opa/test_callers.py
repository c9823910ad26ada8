"""What an untrusted caller states of the time, the cluster and itself is not believed, at any entry point."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.callers import CALLER_TOKENS, OWN, STATE
from tests.fixtures.patience import PATIENCE
from warden.base.errors import OpaRefused, OpaUndefined
from warden.policy.bundle.opa import run_opa_json
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_LIES = {
    "now": "2020-01-01T00:00:00Z",
    "clusterState": {**STATE, "totals": {**STATE["totals"], "byOwner": {"shop": {"topics": 0, "partitions": 0}}}},
    "clusters": {"prod": STATE},
    "brokerId": "1",
    "principal": {"type": "User", "name": "admin"},
    "enforcementPoint": "ci",
}


def _create(replicas: int = 3, partitions: int = 1, **fields: Any) -> dict[str, Any]:
    topic = {"topic": "shop.orders.placed", "numPartitions": partitions, "replicationFactor": replicas}
    request = {**topic, "labels": {"owner": "shop"}}
    return {"operation": "CreateTopic", "cluster": "prod", "request": request, **fields}


@pytest.fixture(scope="module")
def portal(guarded: LocalOpa) -> Iterator[OpaClient]:
    """A client of `guarded` that is not trusted."""
    with guarded.build_client(CALLER_TOKENS["portal"]) as client:
        yield client


@pytest.fixture(scope="module")
def platform(guarded: LocalOpa) -> Iterator[OpaClient]:
    """A client of `guarded` that is trusted."""
    with guarded.build_client(CALLER_TOKENS["platform"]) as client:
        yield client


def _rules(decision: dict[str, Any], effect: str) -> set[str]:
    return {violation["rule"] for violation in decision["violations"] if violation["effect"] == effect}


@pytest.mark.parametrize(
    ("lie", "document", "rule"),
    [
        ("now", _create(replicas=1), "KFK-DUR-001"),  # revives the waiver
        ("enforcementPoint", _create(replicas=1), "KFK-DUR-001"),  # warns only
        ("clusterState", _create(partitions=6), "KFK-SIZ-003"),  # hides what the team has
        ("clusters", _create(partitions=6, cluster="other"), None),  # makes a cluster known
    ],
)
def test_a_lie_that_would_be_believed(
    portal: OpaClient, platform: OpaClient, lie: str, document: dict[str, Any], rule: str | None
) -> None:
    """Trusted, it turns a denial; untrusted, it is refused by name, and what is true is denied."""
    stated = {**OWN, **document, lie: {"other": STATE} if lie == "clusters" else _LIES[lie]}
    assert rule not in _rules(platform.decide(stated), "deny")
    for path, query in (
        ("kafka/decision", stated),
        ("kafka/decisions", {"items": {"a": {**OWN, **document}, "b": stated}}),
        ("kafka/decisions", {"items": {"a": document}, "common": {**OWN, lie: stated[lie]}}),
    ):
        with pytest.raises(OpaRefused, match=f"the portal token states what it may not: {lie}: "):
            portal.evaluate(path, query)

    honest = portal.decide({**OWN, **document})
    assert rule in _rules(honest, "deny") if rule else not honest["allowed"]


def test_client_configs_of_others(portal: OpaClient, platform: OpaClient) -> None:
    """Nobody's but its own are shown, whichever way the input goes."""
    question = {"cluster": "prod", "user": "alice"}
    assert {"acks": "-1"} == platform.evaluate("kafka/client_configs/effective", question)["configs"]
    with pytest.raises(OpaRefused, match="only client configs of portal are shown"):
        portal.evaluate("kafka/client_configs/effective", question)
    assert {"acks": "1"} == portal.evaluate("kafka/client_configs/effective", {**question, "user": "portal"})["configs"]

    base = {"cluster": "prod", **OWN}
    entity = {"entity": {"user": "alice"}}
    alter = {**base, "operation": "AlterClientConfigs", "request": {**entity, "ops": []}}
    for document in (alter, {**base, "operation": "AuditClientConfigs", "request": entity}):
        with pytest.raises(OpaRefused, match="only client configs of portal are shown"):
            portal.decide(document)
    everybody = {"components": [{"entityType": "user", "matchType": "any"}]}
    described = portal.decide({**base, "operation": "DescribeClientConfigs", "request": everybody})
    assert (False, []) == (described["allowed"], described["entries"])


def _entry_points(opa: Path, guarded: LocalOpa) -> list[str]:
    bundle = guarded.directory / "bundles" / "warden" / "bundle.tar.gz"
    described = run_opa_json(opa, "inspect", "--annotations", "--format", "json", str(bundle))
    return sorted(
        "/".join(str(part["value"]) for part in one["path"][1:])
        for one in described["annotations"]
        if one["annotations"].get("entrypoint")
    )


_DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "shop", "namespace": "shop"},
    "spec": {"replicas": 1},
}
_CHANGE = {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "SET", "value": "2"}]}
_UNREAD: dict[str, Any] = {
    "io/k8s/federation/admission": _DEPLOYMENT,
    "io/k8s/federation/admissions": {"items": {"a": _DEPLOYMENT}},
    "io/k8s/federation/annotations": _DEPLOYMENT,
    "io/k8s/federation/placement": _DEPLOYMENT,
    "io/k8s/federation/render/rendered": {"object": _DEPLOYMENT, "target": "karmada"},
    "io/k8s/federation/without_decision": {},
    "kafka/audit_parts/plan": {},
    "kafka/change_dates": {},
    "kafka/owner_label": {},
    "kafka/changes/classes": {"before": {}, "change": _CHANGE, "defaults": {}},
    "kafka/client_configs/accepted": {"kind": "producer", "static": {}, "dynamic": {"acks": "-1"}},
    "kafka/configs/change": {"before": {}, "change": _CHANGE},
    "kafka/lists/check": {"component": "topic", "name": "cleanup.policy", "value": "delete", "mode": "validate"},
    "kafka/lists/checks": {"items": {}},
    "kafka/lists/upgrade": {"from": "4.0", "to": "4.1", "items": {}},
    "kafka/upgrade/findings": {"from": "4.0", "to": "4.1", "items": {}},
    "kafka/required_state": {},
    "kafka/unknown_enforcement_points": {"enforcementPoints": ["ci", "nosuch"]},
}
_READ: dict[str, Any] = {
    "kafka/applicable_rules": {"cluster": "prod", "enforcementPoint": "service"},
    "kafka/audit_parts/names": {"common": {"cluster": "prod", **OWN}, "topics": {"a": False}},
    "kafka/client_configs/effective": {"cluster": "prod", "user": "portal"},
    "kafka/decision": {**_create(), **OWN},
    "kafka/decisions": {"common": OWN, "items": {"a": _create()}},
}
_OF_OTHERS: dict[str, dict[str, Any]] = {
    "kafka/applicable_rules": {"enforcementPoint": "ci"},
    "kafka/client_configs/effective": {"clusterState": STATE, "user": "alice"},
}
_TRUSTED = {
    "kafka/dependencies/found",
    "kafka/statements",
    "kafka/unknown_clusters",
    *(f"io/k8s/federation/{name}" for name in ("cluster_states", "index", "remediation", "remediations", "touched")),
}


def test_every_entry_point(opa_binary: Path, guarded: LocalOpa, portal: OpaClient) -> None:
    """Each is one that does not read what would be a lie, or one that refuses it, or one for trusted callers."""
    assert {*_UNREAD, *_READ, *_TRUSTED} == set(_entry_points(opa_binary, guarded))
    for path, document in _UNREAD.items():
        for lie, value in _LIES.items():
            answers = {_answer(portal, path, {**document, lie: stated}) for stated in (value, _other(value))}
            assert 1 == len(answers), path
    for path, document in _READ.items():
        assert "refused" != _answer(portal, path, document), path
        for lie, value in _OF_OTHERS.get(path, _LIES).items():
            for stated in _with_lie(document, lie, value):
                assert "refused" == _answer(portal, path, stated), (path, lie)
    for path in _TRUSTED:
        assert "refused" == _answer(portal, path, {}), path


def _with_lie(document: dict[str, Any], lie: str, value: Any) -> Iterator[dict[str, Any]]:
    """The document with a lie wherever one could stand."""
    if "common" in document:
        yield {**document, "common": {**document["common"], lie: value}}
    if "items" in document:
        yield {**document, "items": {**document["items"], "b": {**_create(), lie: value}}}
    if "cluster" in document:
        yield {**document, lie: value}


def _other(value: Any) -> Any:
    return "2027-01-01T00:00:00Z" if isinstance(value, str) else {"prod": {}}


def _answer(portal: OpaClient, path: str, document: dict[str, Any]) -> str:
    try:
        return json.dumps(portal.evaluate(path, document), sort_keys=True)
    except OpaRefused:
        return "refused"
    except OpaUndefined:
        return "undefined"


def test_a_list_of_entry_points(guarded: LocalOpa) -> None:
    """A caller asks those that its entry names, with the newest of its tokens or an older one."""
    own = {"principal": {"type": "User", "name": "pipeline"}}
    for token in (CALLER_TOKENS["pipeline"], CALLER_TOKENS["pipeline before"]):
        with guarded.build_client(token) as client:
            assert set() == _rules(client.decide({**own, **_create()}), "waived")
            with pytest.raises(OpaRefused, match="the pipeline token may not POST /v1/data/kafka/decisions"):
                client.evaluate("kafka/decisions", {"items": {}})


def test_who_reads_the_rules_of_a_site(guarded: LocalOpa, portal: OpaClient, platform: OpaClient) -> None:
    """Only who is trusted: a scan needs them."""
    assert platform.list_policies()
    with pytest.raises(OpaRefused, match="the portal token may not GET /v1/policies"):
        portal.list_policies()
    with pytest.raises(OpaRefused, match="the portal token may not GET /v1/data/site"):
        portal.get_data(["site"])


def test_bodies_of_other_kinds(guarded: LocalOpa) -> None:
    """What OPA evaluates is what was looked at, as YAML, compressed, and with a key twice."""
    import gzip
    import http.client

    host, port = guarded.url.removeprefix("http://").split(":")
    lie = json.dumps({"input": {**OWN, **_create(replicas=1), "now": _LIES["now"]}}).encode()
    twice = json.dumps({"input": {**OWN, **_create(replicas=1)}})[:-1].encode() + b', "input": ' + lie[10:-1] + b"}"
    for body, headers in (
        (lie, {"Content-Type": "application/x-yaml"}),
        (gzip.compress(lie), {"Content-Encoding": "gzip"}),
        (twice, {}),
    ):
        connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
        credentials = {"Authorization": f"Bearer {CALLER_TOKENS['portal']}"}
        connection.request("POST", "/v1/data/kafka/decision", body, {**credentials, **headers})
        answer = connection.getresponse()
        assert (401, True) == (answer.status, "now: leave it out" in answer.read().decode()), headers
        connection.close()
