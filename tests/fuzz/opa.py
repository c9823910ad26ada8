"""OPA as a program under attack: every entry point, its other paths, and what the callers of the settings send."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.fixtures.callers import CALLER_TOKENS, OWN
from tests.fuzz.cases import CUT, Case, Surface
from tests.fuzz.run import Program
from tests.fuzz.tokens import Signer
from tests.fuzz.wire import request_bytes, send
from warden.policy.opa.local import LocalOpa

__all__ = ["opa_program"]

_PATHS = (
    *("/health", "/", "/v1/data", "/v0/data/kafka/decision", "/v1/query", "/v1/compile/kafka/decision", "/v1/policies"),
    *("/v1/data/site", "/v1/data/clusters/prod/topics", "/v1/data/system/authz/allow", "/metrics", "/v1/status"),
)
_ENTRY_POINTS = (
    *("kafka/decision", "kafka/decision", "kafka/decisions", "kafka/decisions", "kafka/applicable_rules"),
    *("kafka/lists/check", "kafka/client_configs/effective", "kafka/configs/change", "kafka/changes/classes"),
    *(
        "kafka/audit_parts/names",
        "kafka/upgrade/findings",
        "kafka/change_dates",
        "kafka/owner_label",
        "kafka/client_configs/accepted",
    ),
    *("io/k8s/federation/admission", "io/k8s/federation/placement", "catalog/rules"),
)
_TOPIC = {"topic": "shop.orders", "numPartitions": 3, "replicationFactor": 3, "labels": {"owner": "shop"}}
_CREATION: dict[str, Any] = {
    **OWN,
    "operation": "CreateTopic",
    "cluster": "prod",
    "request": {**_TOPIC, "configs": {"retention.ms": "1000", "min.insync.replicas": "2"}},
    "unknown": ["/request/labels"],
}
_CHANGE = {
    **OWN,
    "operation": "AlterTopicConfigs",
    "cluster": "prod",
    "request": {
        "topic": "shop.orders",
        "configs": {"mode": "incremental", "ops": [{"name": "retention.ms", "op": "SET", "value": "5"}]},
    },
    "now": "2026-01-01T00:00:00Z",
}
_DOCUMENTS = (
    _CREATION,
    _CHANGE,
    {"common": OWN, "items": {"a": {"operation": "AuditTopic", "cluster": "prod", "request": _TOPIC}, "b": _CREATION}},
    {"component": "broker", "name": "ssl.key.password", "value": ["a", "b"], "mode": "parse"},
    {"cluster": "prod", "user": "portal", "enforcementPoint": "service"},
    {"kind": "FederatedSecret", "spec": {"data": {"tls.crt": "s"}, "args": ["--password", "s"]}, "principal": None},
)
_CLAIMS = {
    "iss": "https://login.test",
    "aud": ["other", "warden"],
    "exp": 4102444800,
    "nbf": 1,
    "iat": 1,
    "sub": "alice",
    "groups": ["all", "operators"],
}


def opa_program(name: str, opa: LocalOpa, keys: Mapping[str, Path]) -> Program:
    """Return an OPA that runs, with the keys of the issuer of its settings, where there is one.

    After each case a cluster's state is written with the replicator's token, and a decision is made with the query
    token: a transaction that stayed open blocks the one, and through it the other.
    """
    tokens = {**CALLER_TOKENS, "query": opa.tokens.query, "wrong": "wrong", "two": "a.b", "three": "a.b.c"}
    surface = Surface(
        paths=(*(f"/v1/data/{path}" for path in _ENTRY_POINTS), *_PATHS),
        methods=("POST", "POST", "POST", "POST", "GET"),
        tokens=tokens,
        documents=tuple({"input": document} for document in _DOCUMENTS),
        claims=_CLAIMS,
    )
    signer = Signer(keys)
    roles = Surface((), (), {"query": opa.tokens.query, "replicator": opa.tokens.replicator}, (), {})
    write = Case("PUT", "/v1/data/clusters/fuzz", "replicator", body="{}")
    decide = Case("POST", "/v1/data/kafka/decision", "query", body=json.dumps({"input": _CHANGE}))
    checks = [(request_bytes(case, roles, signer), expected) for case, expected in ((write, "204"), (decide, "200"))]

    def check() -> None:
        for content, expected in checks:
            status, answer = send(opa.url, content, is_cut=False)
            assert status == expected, answer.decode(errors="replace")

    # OPA 1.22 panics at a body that says gzip and is none, before anything is locked: see docs/explain/opa-reports.md.
    closes = CUT | {"gzip said"}
    # Memory: what deploy/kubernetes gives it.
    return Program(
        name, opa.url, surface, signer, check, frozenset({"/health"}), lambda: opa.pid, 2048, closes, fails=True
    )
