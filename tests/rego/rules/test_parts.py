"""An audit that is cut into its parts says what the whole audit says."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rego.rules.examples import read_examples, rule_files
from warden.base.resources import find_shipped
from warden.demo.estate import iter_estate
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

WAIVERS = [
    {
        "id": "w1",
        "rule": "KFK-RET-001",
        "owner": "shop",
        "reason": "r",
        "ticket": "T-1",
        "expires": "2026-12-01",
        "topic": "p*",
    },
    {
        "id": "w2",
        "rule": "KFK-GOV-001",
        "owner": "shop",
        "reason": "r",
        "ticket": "T-2",
        "expires": "2026-01-01",
        "topic": "*s",
    },
]

# It looks at other clusters, so that audits are not cut where it is enabled.
ELSEWHERE = "KFK-GOV-005"


def parts(document: dict[str, Any], cut: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Cut the input of an audit, as plainly as it can be written down."""
    topic = document["request"]["topic"]
    state = document["clusterState"]["topics"][topic]
    named, internal = {"topic": topic}, {"internal": state["internal"]}
    waived = any(topic.startswith(prefix) for prefix in cut["named"]["prefixes"])

    def chosen(part: str) -> dict[str, str]:
        return {name: text for name, text in state["labels"].items() if name in cut["labels"][part]}

    by_labels = waived or cut["named"]["labels"]
    by_configs = waived or any(name in state["configs"] for name in cut["named"]["configs"])
    counted = cut["replicationFactor"]
    leaving = (state.get("reassigning", {}).get(counted["partition"]) or {}).get(counted["without"]) or []
    configs = {
        "numPartitions": state["numPartitions"],
        "replicationFactor": len(set(state["replicasAssignments"].get(counted["partition"], [])) - set(leaving)),
        "configs": state["configs"],
        "labels": chosen("configs"),
        **internal,
        **(named if by_configs else {}),
    }
    requests = {
        "AuditTopicName": {**named, **internal},
        "AuditTopicLabels": {"labels": chosen("labels"), **internal, **(named if by_labels else {})},
        "AuditTopicConfigs": configs,
    }
    shared = {field: part for field, part in document["clusterState"].items() if field != "topics"}
    return {
        operation: {**document, "operation": operation, "request": request, "clusterState": shared}
        for operation, request in requests.items()
    }


def compare(client: OpaClient, documents: dict[str, dict[str, Any]]) -> int:
    """Compare the whole and the parts of each; returns how many violations were seen."""
    cut = client.evaluate("kafka/audit_parts/plan", {})
    assert cut["divisible"]
    whole = client.decide_many(documents)
    by_part: dict[str, dict[str, Any]] = {}
    for key, document in documents.items():
        by_part |= {f"{operation} {key}": part for operation, part in parts(document, cut).items()}
    answers = client.decide_many(by_part)

    def decided(decisions: list[dict[str, Any]]) -> tuple[bool, list[str]]:
        violations = [json.dumps(found, sort_keys=True) for decision in decisions for found in decision["violations"]]
        return all(decision["allowed"] for decision in decisions), sorted(violations)

    operations = ("AuditTopicName", "AuditTopicLabels", "AuditTopicConfigs")
    together = {key: decided([answers[f"{operation} {key}"] for operation in operations]) for key in documents}
    assert {key: decided([decision]) for key, decision in whole.items()} == together
    return sum(len(violations) for _, violations in together.values())


def test_examples(opa_binary: Path, tmp_path: Path) -> None:
    """Every example of an audit, all rules enabled, with waivers that look at names."""
    found = read_examples(find_shipped("policies"), rule_files(opa_binary))
    audits = [example for example in found if example.document["operation"] == "AuditTopic"]
    settings = {
        "rules": {rule: {"mode": "deny"} for rule in sorted({example.rule for example in found}) if rule != ELSEWHERE},
        "clusters": [
            {"match": {"name": f"example-{i}"}, "rules": {example.rule: {"params": example.params}}}
            for i, example in enumerate(audits)
            if example.params
        ],
        "waivers": WAIVERS,
    }
    (tmp_path / "settings.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    bundle = build_bundle(tmp_path / "bundle.tar.gz", settings=tmp_path / "settings.yaml", opa=opa_binary)

    with LocalOpa(bundle, opa=opa_binary) as opa, opa.build_client() as client:
        documents = {example.name: {**example.document, "cluster": f"example-{i}"} for i, example in enumerate(audits)}
        assert compare(client, documents) > len(audits)


@pytest.mark.slow
def test_the_estate(query_client: OpaClient) -> None:
    """A topic in twenty of the embedded estate, with the settings that ship."""
    seen = 0
    for cluster, state in iter_estate(6000):
        shared = {field: part for field, part in state.items() if field != "topics"}
        documents = {
            name: {
                "operation": "AuditTopic",
                "cluster": cluster,
                "enforcementPoint": "scan",
                "now": "2026-11-21T10:00:00Z",
                "request": {"topic": name},
                "clusterState": {**shared, "topics": {name: topic}},
            }
            for name, topic in list(state["topics"].items())[::6]
        }
        seen += compare(query_client, documents)
    assert seen > 0
