"""Who asks where nobody says so: User:ANONYMOUS, to every rule and to a site's own."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.rego.contract.documents import VALID
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa

pytestmark = pytest.mark.opa

_SITE = """\
package site.rules.seen

deny contains {"rule": "SEEN", "effect": "warn", "message": json.marshal(input.principal)}
"""
_ANONYMOUS = {"type": "User", "name": "ANONYMOUS"}
_ENTITY = {"entity": {"user": "alice"}}
_OTHERS: dict[str, dict[str, Any]] = {
    "DescribeClientConfigs": {"components": [{"entityType": "user", "matchType": "exact", "match": "alice"}]},
    "AlterClientConfigs": {**_ENTITY, "ops": [{"key": "acks", "value": "all"}]},
    "AuditClientConfigs": _ENTITY,
}


def _evaluate(opa: Path, bundle: Bundle, site: Path, query: str, document: Any) -> Any:
    return evaluate_opa(opa, "--bundle", str(bundle.path), "--data", str(site), query, stdin=json.dumps(document))


def _seen(decision: dict[str, Any]) -> Any:
    (message,) = {found["message"] for found in decision["violations"] if found["rule"] == "SEEN"}
    return json.loads(message)


def test_every_rule_sees_who_asks(opa_binary: Path, shipped_bundle: Bundle, tmp_path: Path) -> None:
    """Of every operation, alone, among many, and with a principal that the many share."""
    (site := tmp_path / "site.rego").write_text(_SITE, encoding="utf-8")
    base = VALID["CreateTopic"]
    state = {**base["clusterState"], "clientConfigs": {"alice": {}}, "acls": {}}
    inputs = {**VALID, **{name: {**base, "operation": name, "request": request} for name, request in _OTHERS.items()}}
    documents = {
        name: {**{field: value for field, value in document.items() if field != "principal"}, "clusterState": state}
        for name, document in inputs.items()
        if not name.startswith("AuditTopic") or name == "AuditTopic"  # of the parts a site's rules see none
    }
    named = {"type": "User", "name": "CN=a:b", "host": "10.0.0.1"}
    shared = {"items": documents, "common": {"principal": named}}
    own = {"items": {name: {**document, "principal": named} for name, document in documents.items()}}

    many = [
        _evaluate(opa_binary, shipped_bundle, site, "data.kafka.decisions", one)
        for one in ({"items": documents}, shared, own)
    ]
    alone = _evaluate(opa_binary, shipped_bundle, site, "data.kafka.decision", documents["CreateTopic"])

    assert [dict.fromkeys(documents, principal) for principal in (_ANONYMOUS, named, named)] == [
        {name: _seen(decision) for name, decision in decided.items()} for decided in many
    ]
    assert _ANONYMOUS == _seen(alone)
    assert len(documents) >= 17
