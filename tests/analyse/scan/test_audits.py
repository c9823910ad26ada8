"""ACLs and client configs of a snapshot get the decision that they get alone, with all of the cluster's state."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.spark_jobs.scan.test_resources import STATE, table
from warden.analyse.scan.audits import OPERATIONS
from warden.analyse.scan.plan import ScanPlan
from warden.demo.estate import OBSERVED_AT
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.spark, pytest.mark.opa]


def acl(principal: str, name: str, **fields: str) -> dict[str, str]:
    """A grant to read one topic, where nothing else is said."""
    plain = {"resourceType": "TOPIC", "patternType": "LITERAL", "host": "10.0.0.1", "operation": "READ"}
    return {**plain, "permissionType": "ALLOW", "principal": principal, "resourceName": name, **fields}


ACLS = {
    "User:alice": [acl("User:alice", name) for name in ("shop.orders.a", "gone", "*")],
    "User:bob": [acl("User:bob", "shop.", patternType="PREFIXED")],
    "User:*": [acl("User:*", "kafka-cluster", resourceType="CLUSTER", operation="ALL", host="*")],
}
CLIENTS = {"alice": {"": {"acks": "-1"}, "ledger": {"acks": "0"}}, "<default>": {"<default>": {"acks": "1"}}}
FILES = {
    "alice": {"ledger": {"consumer": {"group.id": " g ", "fetch.max.wait.ms": "0"}}},
    "carol": {"": {"producer": {"compression.type": "lz9"}}},
}
WHOLE: dict[str, Any] = {
    **STATE,
    "acls": ACLS,
    "users": {"alice": {}},
    "clientConfigs": CLIENTS,
    "staticClientConfigs": FILES,
    "groups": {"g": {"members": 1, "offsets": {"payments.paid": {"0": 17}}}},
}
ENTITIES: dict[str, dict[str, str | None]] = {
    "user alice": {"user": "alice"},
    "user alice, client-id ledger": {"user": "alice", "clientId": "ledger"},
    "user <default>, client-id <default>": {"user": None, "clientId": None},
    "user carol": {"user": "carol"},
}


def test_acls_and_clients(spark: Any, scan_opa: RemoteOpa, tmp_path: Path) -> None:
    """A topic or a user that is gone is noticed, one that is there is not; passes are counted for each kind."""
    from spark_jobs.scan.run_scan import run_scan

    write_snapshot(tmp_path / "s", "c", WHOLE, day=date(2026, 1, 1))
    done = run_scan(spark, ScanPlan(tmp_path / "s", tmp_path / "o", now=OBSERVED_AT, run_id="r"), scan_opa)
    decisions = {(row["kind"], row["resource"]): row for row in table(done.directory, "decisions")}
    named = "{permissionType} {operation} on {patternType} {resourceType} {resourceName} to {principal} from {host}"
    submitted: dict[tuple[str, str], dict[str, Any]] = {
        ("acl", named.format(**acl)): {"acl": acl} for acls in ACLS.values() for acl in acls
    }
    submitted |= {("client", name): {"entity": entity} for name, entity in ENTITIES.items()}
    known = {
        "cluster": "c",
        "enforcementPoint": "scan",
        "now": f"{OBSERVED_AT:%Y-%m-%dT%H:%M:%SZ}",
        "clusterState": WHOLE,
    }
    with scan_opa.build_client() as client:
        expected = {
            (kind, name): client.decide({**known, "operation": OPERATIONS[kind], "request": request})
            for (kind, name), request in submitted.items()
        }

    others = {key: decision for key, decision in decisions.items() if key[0] in {"acl", "client"}}
    assert expected.keys() == others.keys()
    for key, decision in expected.items():
        said, found = (
            {(each["rule"], each["message"]) for each in one["violations"]} for one in (decision, others[key])
        )
        assert said == found, key
        assert ("ALLOW" if decision["allowed"] else "DENY") == others[key]["status"], key
    broken = {(each["rule"], name) for (_, name), one in others.items() for each in one["violations"]}
    assert {
        "ALLOW READ on LITERAL TOPIC gone to User:alice from 10.0.0.1",
        "ALLOW READ on PREFIXED TOPIC shop. to User:bob from 10.0.0.1",
    } == {name for rule, name in broken if rule == "KFK-ACL-003"}
    assert {("KFK-CLI-001", "user alice, client-id ledger"), ("KFK-CLI-004", "user alice, client-id ledger")} <= broken
    assert ("KFK-CLI-002", "user carol") in broken
    assert {"topic", "broker", "acl", "client"} == {row["kind"] for row in table(done.directory, "passes")}
