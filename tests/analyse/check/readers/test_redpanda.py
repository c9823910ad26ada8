"""Redpanda's operator: what it leaves of a topic, users and roles."""

from typing import Any

import pytest

from tests.analyse.check.conftest import Read
from tests.analyse.check.readers.test_operators import ACL, REDPANDA, REDPANDA_TOPIC, TOPIC
from warden.analyse.check.model import FileContents
from warden.analyse.check.resolve import adjust_to_state
from warden.analyse.check.revisions.changes import select_changes
from warden.analyse.check.revisions.commits import Revisions

USER = f"""\
{REDPANDA.format("User")}\
  cluster: {{clusterRef: {{name: prod}}}}
  authentication: {{type: scram-sha-256, password: {{value: not to be read}}}}
  authorization:
    acls:
    - {{type: allow, resource: {{type: topic, name: shop., patternType: prefixed}}, operations: [Read]}}
    - {{type: deny, resource: {{type: cluster, name: any}}, host: 10.0.0.1, operations: [Alter]}}
    - {{type: allow, resource: {{type: subject, name: s}}, operations: [Read]}}
"""


def _change(read: Read, before: str, after: str) -> FileContents:
    """What is decided of a change without a cluster."""
    nothing = FileContents()
    return select_changes(Revisions(nothing, read(before), read(after), frozenset(["f.yaml"])), cluster_is_known=False)


def test_what_redpandas_operator_leaves(read: Read) -> None:
    """Keys with null and two others stay, with a cluster and without one; the rest goes with the file's line."""
    (topic,) = read(REDPANDA_TOPIC).declared
    now = {"retention.ms": "1", "segment.ms": "2", "cleanup.policy": "compact", "flush.ms": "3"}
    state: dict[str, Any] = {"topics": {"shop.orders": {**TOPIC, "configs": now}}}
    (altered,) = adjust_to_state(topic, state)
    before = REDPANDA_TOPIC.replace("segment.ms: null", 'segment.ms: "2", cleanup.policy: compact, flush.ms: "3"')
    (changed,) = _change(read, before, REDPANDA_TOPIC).declared
    left = {"retention.ms": "1000", "segment.ms": "2", "cleanup.policy": "compact"}

    assert {"mode": "full", "entries": left} == altered.request["configs"]
    assert left == changed.request["configs"]["after"]


def test_redpandas_user(read: Read) -> None:
    """Its ACLs and its credential, without the password; the schema registry's ACLs are passed over."""
    contents = read(USER)
    first, second, scram = contents.declared
    cluster = {"resourceType": "CLUSTER", "resourceName": "kafka-cluster", "host": "10.0.0.1"}

    assert ([], []) == (contents.faults, contents.remarks)
    assert {**ACL, "resourceName": "shop.", "patternType": "PREFIXED"} == first.request["acl"]
    assert {**ACL, **cluster, "operation": "ALTER", "permissionType": "DENY"} == second.request["acl"]
    assert {"user": "a", "mechanism": "SCRAM-SHA-256", "iterations": 4096} == scram.request
    assert ["ACLs of the schema registry"] == [skipped.kind for skipped in contents.skipped]
    assert {("redpanda", "prod")} == {(one.format, one.cluster) for one in contents.declared}
    assert "not to be read" not in repr(contents.declared)


def test_a_mechanism_that_is_not_known(read: Read) -> None:
    """An error with its line."""
    contents = read(USER.replace("scram-sha-256", "plain"))

    assert (6, True) == (contents.faults[0].line, "unknown type plain: write one of " in contents.faults[0].message)


@pytest.mark.parametrize(("internal", "principal"), [("false", "RedpandaRole:a"), ("true", "RedpandaRole:__a")])
def test_redpandas_role(read: Read, internal: str, principal: str) -> None:
    """Its ACLs name the role."""
    text = USER.replace("kind: User", "kind: RedpandaRole").replace("authentication", "principals")
    contents = read(text.replace("spec:\n", f"spec:\n  internal: {internal}\n"))

    assert [principal] * 2 == [one.request["acl"]["principal"] for one in contents.declared]
