"""The client for services, with a real OPA."""

import threading
from collections.abc import Iterator
from typing import Any, cast

import pytest

from tests.fixtures.http import Handler, served
from tests.fixtures.patience import PATIENCE
from warden import ConfigurationError, InputError, OpaTimeout, OpaUnreachable, Warden
from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa

_TOPIC = {
    "numPartitions": 2,
    "replicationFactor": 1,
    "replicasAssignments": {"0": [1], "1": [1]},
    "configs": {"retention.ms": "5000"},
    "labels": {},
    "internal": False,
    "markedForDeletion": False,
    "reassigning": {},
}
_STATE = {
    "clusterSize": 1,
    "brokers": {"1": {"host": "a", "rack": None, "configs": {}}},
    "defaults": {},
    "topics": {"shop.orders": _TOPIC},
    "totals": {"topics": 1, "partitions": 2, "replicas": 2, "byOwner": {}, "byPrincipal": {}},
}
_BROKER = {
    "node.id": "1",
    "process.roles": "broker",
    "controller.quorum.bootstrap.servers": "c1:9093",
    "controller.listener.names": "CONTROLLER",
    "listeners": "PLAINTEXT://b1:9092",
}
_ACL = {
    "resourceType": "TOPIC",
    "resourceName": "shop.orders",
    "patternType": "LITERAL",
    "principal": "User:bob",
    "host": "*",
    "operation": "READ",
    "permissionType": "ALLOW",
}
_LONG = {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "SET", "value": "20000000000"}]}
_SET = {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "SET", "value": "1"}]}
_SHORT = "KFK-RET-001: retention.ms 1 is below the minimum of 1000"


@pytest.fixture(scope="module")
def warden(few_opa) -> Iterator[Warden]:
    with Warden(few_opa.url, few_opa.tokens.query, cluster="prod", principal="User:alice") as client:
        yield client


@pytest.mark.parametrize(
    ("method", "arguments", "errors"),
    [
        ("create_topic", {"topic": "shop.new", "num_partitions": 3}, ()),
        (
            "create_topic",
            {"topic": "shop.new", "num_partitions": 11},
            ("KFK-SIZ-001: 11 partitions are above the maximum of 10",),
        ),
        ("create_topic", {"topic": "shop.new", "replicas_assignments": {0: [1]}, "labels": {"owner": "a"}}, ()),
        ("create_topic", {"topic": "shop.new", "configs": {"retention.ms": "1"}}, (_SHORT,)),
        (
            "create_topic",
            {"topic": "shop.new", "configs": {"retention.ms": "20000000000"}, "labels": {"why": "audit"}},
            (),
        ),
        ("alter_topic", {"topic": "shop.orders", "configs": _SET}, (_SHORT,)),
        ("alter_topic", {"topic": "shop.orders", "num_partitions": 3, "new_assignments": [[1]]}, ()),
        ("alter_topic", {"topic": "shop.orders", "reassignments": {0: [1]}}, ()),
        ("alter_topic", {"topic": "shop.orders", "configs": _LONG, "labels": {"why": "audit"}}, ()),
        ("delete_topic", {"topic": "shop.orders"}, ()),
        ("delete_topic", {"topic": "shop.none"}, ("This server does not host this topic-partition.",)),
        ("delete_records", {"topic": "shop.orders", "offsets": {0: -1}}, ()),
        ("alter_broker", {"broker": 1, "configs": {"mode": "incremental", "ops": []}}, ()),
        ("alter_broker", {"broker": None, "configs": {"mode": "incremental", "ops": []}}, ()),
        ("alter_config", {"type": "group", "name": "g", "configs": {"mode": "incremental", "ops": []}}, ()),
        (
            "alter_config",
            {
                "type": "broker-logger",
                "name": "1",
                "configs": {"mode": "incremental", "ops": [{"name": "root", "op": "DELETE"}]},
            },
            ("Removing the log level of the root logger is not allowed",),
        ),
        ("start_broker", {"broker": 1, "configs": _BROKER}, ()),
        ("create_acl", {"acl": _ACL}, ()),
        ("delete_acl", {"acl": {**_ACL, "host": None}}, ()),
        ("alter_quota", {"entity": {"user": "bob"}, "ops": [{"key": "producer_byte_rate", "value": 1000}]}, ()),
        ("alter_scram", {"user": "bob", "mechanism": "SCRAM-SHA-256", "iterations": 8192}, ()),
        ("alter_scram", {"user": "bob", "mechanism": "SCRAM-SHA-256", "remove": True}, ()),
        ("audit_topic", {"topic": "shop.orders"}, ()),
        ("audit_broker", {"broker": 1}, ()),
        ("audit_acl", {"acl": _ACL}, ()),
    ],
)
def test_operations(method, arguments, errors, warden):
    """Each operation of the contract has a method, whose request the engine understands."""
    decision = getattr(warden, method)(**arguments, state=_STATE)

    assert errors == decision.errors
    assert (not errors) is decision.allowed is bool(decision)


@pytest.mark.parametrize("validate_only", [False, True])
def test_changes_tell_whether_they_are_carried_out(validate_only):
    """Every method about a change tells the policy whether it will be carried out."""
    said = {}
    calls: dict[str, tuple[Any, ...]] = {
        "create_topic": ("t",),
        "alter_topic": ("t",),
        "delete_topic": ("t",),
        "delete_records": ("t", {0: 1}),
        "alter_broker": (1, {}),
        "alter_config": ("group", "g", {}),
        "create_acl": (_ACL,),
        "delete_acl": (_ACL,),
        "alter_quota": ({"user": "bob"}, []),
        "alter_scram": ("bob", "SCRAM-SHA-256"),
    }
    for method, arguments in calls.items():
        client = _Recording()
        getattr(Warden(cast("OpaClient", client), cluster="prod"), method)(*arguments, validate_only=validate_only)
        said[method] = client.document["validateOnly"]
    takers = {
        name for name, member in vars(Warden).items() if "validate_only" in getattr(member, "__annotations__", {})
    }

    assert dict.fromkeys(calls, validate_only) == said
    assert {*calls, "decide"} == takers


class _Recording:
    """Stands in for a client of OPA, and allows everything."""

    def decide(self, document):
        self.document = document
        return {"allowed": True, "errors": [], "error": None, "violations": []}


def test_a_denial_comes_with_a_patch_that_was_evaluated(warden):
    """What is offered for a denied request would be allowed."""
    request = {"topic": "shop.new", "numPartitions": 11, "configs": {"retention.ms": "1"}}
    suggestion = warden.suggest_fix("CreateTopic", request, state=_STATE)
    assert not suggestion.decision
    assert suggestion.patch is not None
    mended = {**request, "numPartitions": 10, "configs": {"retention.ms": "1000"}}

    assert ("KFK-RET-001", "KFK-SIZ-001") == suggestion.patch.rules
    assert suggestion.patch.reversible is False  # what a shorter retention lets go does not come back
    assert warden.decide("CreateTopic", mended, state=_STATE).allowed


def test_what_the_policy_proposes_is_merged_and_evaluated(warden):
    """A rule's proposal for min.insync.replicas is on the suggestion, and the suggestion is what was decided."""
    state = {**_STATE, "brokers": {str(broker): {"host": "a", "rack": None, "configs": {}} for broker in (1, 2, 3)}}
    request = {"topic": "shop.new", "numPartitions": 3, "replicationFactor": 3, "configs": {"flush.ms": "5"}}
    document = warden.build_document("CreateTopic", request, state, enforcementPoint="proposing")
    decision = warden.decide_document(document)
    suggestion = warden.suggest_fix_for(document, decision)

    assert {"configs": {"min.insync.replicas": "2"}} == decision["annotations"]
    assert {"flush.ms": "5", "min.insync.replicas": "2"} == suggestion.document["request"]["configs"]
    assert (True, {}) == (suggestion.decision.allowed, suggestion.decision.annotations)


@pytest.mark.parametrize(
    ("others", "broken"), [({}, []), ({"topics_in_request": 10}, []), ({"topics_in_request": 11}, [11])]
)
def test_deletion_among_others(warden, others, broken):
    """A rule about many deletions sees how many topics the same request deletes."""
    totals = {"topics": 1000, "partitions": 2, "replicas": 2, "byOwner": {}, "byPrincipal": {}}
    state = {**_STATE, "totals": totals, "deletions": {"lastHour": 0}}
    violations = warden.delete_topic("shop.orders", **others, state=state).violations

    assert broken == [others["topics_in_request"] for violation in violations if violation.rule == "KFK-DEL-003"]


def test_many_at_once(warden):
    """Inputs are decided together, under their keys."""
    inputs = {
        name: {"operation": "CreateTopic", "request": {"topic": name, "replicationFactor": 1}}
        for name in ("shop.new", "BAD")
    }
    decisions = warden.decide_many(inputs, state=_STATE)

    assert {"shop.new": True, "BAD": False} == {name: decision.allowed for name, decision in decisions.items()}


@pytest.mark.parametrize(
    "arguments",
    [
        {"url": None, "cluster": "a"},
        {"url": "http://127.0.0.1:9", "cluster": "a", "principal": "alice"},
        {"url": "http://127.0.0.1:9", "cluster": "a", "principal": "User:"},
        {"url": "127.0.0.1:9", "cluster": "a"},
        {"url": OpaClient("http://127.0.0.1:9"), "token": "t", "cluster": "a"},
        {"url": OpaClient("http://127.0.0.1:9"), "ca_file": "ca.pem", "cluster": "a"},
        {"url": OpaClient("http://127.0.0.1:9"), "certificate": ("a.crt", "a.key"), "cluster": "a"},
        {"url": OpaClient("http://127.0.0.1:9"), "timeout": 1.0, "cluster": "a"},
        {"url": "http://127.0.0.1:9", "timeout": 0, "cluster": "a"},
        {"url": "http://127.0.0.1:9", "principal": 3, "cluster": "a"},
        {"url": "http://127.0.0.1:9", "principal": b"User:alice", "cluster": "a"},
        {"url": "https://127.0.0.1:9", "ca_file": "missing.pem", "cluster": "a"},
        {"url": "https://127.0.0.1:9", "certificate": "app.pem", "cluster": "a"},
        {"url": "https://127.0.0.1:9", "certificate": ("app.crt",), "cluster": "a"},
        {"url": "https://127.0.0.1:9", "certificate": ("app.crt", 5), "cluster": "a"},
        {"url": "http://127.0.0.1:9", "token": 5, "cluster": "a"},
        {"url": "http://127.0.0.1:9", "token": b"secret", "cluster": "a"},
        {"url": "http://127.0.0.1:9", "token": lambda: 5, "cluster": "a"},
        {"url": "http://127.0.0.1:9", "cluster": None},
        {"url": "http://127.0.0.1:9", "cluster": ""},
        {"url": "http://127.0.0.1:9", "cluster": 5},
        {"url": "http://127.0.0.1:9", "enforcement_point": None, "cluster": "a"},
    ],
)
def test_wrong_arguments(arguments):
    """What cannot work is said when it is made, not when it is used."""
    with pytest.raises(ConfigurationError) as error:
        Warden(**arguments)

    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("method", "arguments", "wrong"),
    [
        ("create_topic", ("t",), {"replicas_assignments": [[1]]}),
        ("alter_topic", ("t",), {"reassignments": [1]}),
        ("alter_topic", ("t",), {"reassignments": []}),
        ("delete_records", ("t",), {"offsets": [1]}),
        ("decide_many", (), {"inputs": ["t"]}),
    ],
)
def test_arguments_of_another_type(method, arguments, wrong):
    """Are named, before anything is sent."""
    (name,) = wrong
    with Warden("http://127.0.0.1:9", cluster="a") as warden, pytest.raises(InputError, match=rf"^{name} is \["):
        getattr(warden, method)(*arguments, **wrong)


def test_a_call_ends_in_its_time():
    """Also where OPA takes the question and says nothing: without the limit a call may last a minute."""
    over = threading.Event()

    class Silent(Handler):
        def respond(self):
            over.wait(PATIENCE)

    with served(Silent) as url:
        try:
            with Warden(url, cluster="a", timeout=0.2) as warden, pytest.raises(OpaTimeout, match=r"total 0\.2 s"):
                warden.delete_topic("a")
        finally:
            over.set()


def test_out_of_reach():
    """No OPA, no decision."""
    with Warden("http://127.0.0.1:9", cluster="a") as warden, pytest.raises(OpaUnreachable):
        warden.delete_topic("a")
