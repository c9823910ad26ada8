"""What becomes of a resource that turns non-compliant, under a real policy; and causes of recorded decisions."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from warden.analyse.impact.compare import compare
from warden.analyse.impact.next_change import build_noop_change, needs_next_change
from warden.analyse.impact.replay import ReplayInput, ReplayJob, replay_inputs
from warden.policy.opa.client import OpaClient
from warden.policy.opa.session import OpaOptions, open_session

BASELINE = """
rules:
  KFK-SIZ-001: {params: {max: 1000}}
  KFK-DUR-001: {mode: disabled}
  KFK-DUR-003: {mode: disabled}
  KFK-NAM-001: {mode: disabled}
  KFK-RET-001: {mode: disabled}
"""
CANDIDATE = """
rules:
  KFK-SIZ-001: {found: deny}
  KFK-DUR-003: {mode: disabled}
  KFK-CLI-001: {mode: deny}
"""
COMMON = {
    "cluster": "c", "enforcementPoint": "scan", "now": "2026-11-21T10:00:00Z",
    "clusterState": {"clusterSize": 3, "brokers": {"1": {"host": "b", "rack": "a", "configs": {}}}, "meta": {}},
}  # fmt: skip


def topic(partitions: int, replicas: int = 3) -> dict[str, Any]:
    """A topic that keeps all other rules."""
    assigned = {str(number): list(range(1, replicas + 1)) for number in range(partitions)}
    blank = {"internal": False, "markedForDeletion": False, "reassigning": {}}
    return {
        **blank,
        "numPartitions": partitions,
        "replicationFactor": replicas,
        "replicasAssignments": assigned,
        "configs": {"min.insync.replicas": str(max(1, replicas - 1)), "retention.bytes": "1073741824"},
        "labels": {"owner": "shop", "dataClass": "internal"},
    }


def row(operation: str, name: str, item: dict[str, Any]) -> ReplayInput:
    """An input of a snapshot, or a decision that was recorded."""
    shared = json.dumps({**COMMON, "operation": operation})
    source = "snapshot" if operation.startswith("Audit") else "decisions"
    return ReplayInput(source, name, operation, "c", name, None, shared, name, json.dumps(item), None)


def about_topic(operation: str, name: str, stored: dict[str, Any], **request: Any) -> ReplayInput:
    """An input about a topic."""
    return row(operation, name, {"request": {"topic": name, **request}, "clusterState": {"topics": {name: stored}}})


def altered(name: str, value: str) -> dict[str, Any]:
    """A change of one config."""
    return {"mode": "incremental", "ops": [{"name": name, "op": "SET", "value": value}]}


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[OpaClient]]:
    """The OPAs of two settings."""
    directory = tmp_path_factory.mktemp("later")
    files = []
    for name, text in (("baseline", BASELINE), ("candidate", CANDIDATE)):
        files.append(directory / f"{name}.yaml")
        files[-1].write_text(text)
    with (
        open_session(OpaOptions(settings=files[0])) as one,
        open_session(OpaOptions(settings=files[1])) as other,
        one.build_client() as baseline,
        other.build_client() as candidate,
    ):
        yield [baseline, candidate]


def replayed(clients: list[OpaClient], *rows: ReplayInput) -> dict[str, dict[str, Any]]:
    """What changed, by the names of the inputs."""
    first, second = (client.read_revision() for client in clients)
    posts = [lambda body, client=client: client.post_raw("kafka/decisions", body) for client in clients]
    changes = replay_inputs(rows, ReplayJob(first, second, {}), *posts)
    return {change["id"]: change for change in changes}


@pytest.mark.opa
def test_what_turns_non_compliant(clients: list[OpaClient]) -> None:
    """A change of it is denied where what was found is; a rule that no change is held to says nothing of one."""
    rows = [
        about_topic("AuditTopic", "shop.orders.large", topic(200)),
        about_topic("AuditTopic", "shop.orders.thin", topic(1, replicas=1)),
        about_topic("AuditTopic", "Bad", topic(1)),
        about_topic("AuditTopic", "shop.orders.fine", topic(1)),
        row("AuditClientConfigs", "alice", {
            "request": {"entity": {"user": "alice"}},
            "clusterState": {"clientConfigs": {"alice": {"": {"acks": "0"}}}},
        }),
        about_topic("AuditTopic", "shop.orders.larger", topic(300)),
    ]  # fmt: skip
    changes = replayed(clients, *rows)

    assert {
        "shop.orders.large": {"KFK-SIZ-001": "denies"},
        "shop.orders.thin": {"KFK-DUR-001": "notes"},
        "Bad": {"KFK-NAM-001": "nothing"},
        "shop.orders.fine": {},
        "alice": {"KFK-CLI-001": "notes"},
        "shop.orders.larger": {"KFK-SIZ-001": "denies"},
    } == {name: {rule["rule"]: rule["later"] for rule in change["rules"]} for name, change in changes.items()}


@pytest.mark.opa
def test_recorded_changes(clients: list[OpaClient]) -> None:
    """What was so before is found, and denies where the settings say so; what the change does is caused."""
    configs = altered("max.message.bytes", "1000000")
    rows = [
        about_topic("AlterTopic", "thin", topic(1, replicas=1), configs=configs),
        about_topic("AlterTopic", "large", topic(200), configs=configs),
        about_topic("AlterTopic", "keeps", topic(1), configs=altered("retention.ms", "9000000000000")),
    ]
    changes = replayed(clients, *rows)

    assert ("changed", ["found"]) == fate(changes["thin"], "KFK-DUR-001")
    assert ("newly denied", ["denies"]) == fate(changes["large"], "KFK-SIZ-001")
    assert ("newly denied", ["denies"]) == fate(changes["keeps"], "KFK-RET-001")
    (large,), (keeps,) = changes["large"]["rules"], changes["keeps"]["rules"]
    assert "(so before the change)" in large["after"]
    assert "before the change" not in keeps["after"]
    assert {""} == {rule["later"] for change in changes.values() for rule in change["rules"]}


def fate(change: dict[str, Any], id: str) -> tuple[str, list[str]]:
    """The kind of a change, and what one rule has to do with it."""
    return change["kind"], [rule["change"] for rule in change["rules"] if rule["rule"] == id]


def test_what_is_never_altered() -> None:
    """An ACL is created and deleted; and only what turns non-compliant is looked at again."""
    violation = {"rule": "R", "effect": "deny", "severity": "high", "message": "m", "waiver": None}
    allowed: dict[str, Any] = {"status": "ALLOW", "violations": [], "error": None}
    denies = compare(allowed, {"status": "DENY", "violations": [violation], "error": None})

    assert [True, True, True, False, False] == [
        needs_next_change(name, denies)
        for name in ("AuditTopic", "AuditBroker", "AuditClientConfigs", "AuditAcl", "AlterTopic")
    ]
    assert not needs_next_change("AuditTopic", compare(allowed, allowed))
    assert {"operation": "AlterBroker", "enforcementPoint": "", "request": {"broker": "1", "configs": {
        "mode": "incremental", "ops": []}}} == json.loads(
        build_noop_change("AuditBroker", '{"request": {"broker": "1"}}'))  # fmt: skip
