"""`warden serve` as a program under attack, with an OPA that allows no topic."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from tests.fixtures.conditions import eventually
from tests.fixtures.settings import few_rules
from tests.fixtures.warden_process import WardenProcess
from tests.fuzz.cases import Case, Surface
from tests.fuzz.run import Program
from tests.fuzz.tokens import Signer
from tests.fuzz.wire import request_bytes, send
from warden.policy.opa.local import LocalOpa

__all__ = ["OPEN", "refusing_settings", "run_service_program"]

OPEN = frozenset({"/healthz", "/readyz", "/metrics", "/docs", "/openapi.json"})
"""Paths of the service that need no token."""

_PATHS = ("client-configs/describe", "client-configs/alter", "client-configs/resolve", "decide", "decisions", "decide")
_EVERYBODY = {"components": [{"entityType": "user", "matchType": 2}]}
_CREATION = {
    "operation": "CreateTopic",
    "request": {"topic": "shop.orders", "numPartitions": 3, "replicationFactor": 1, "configs": {"retention.ms": "5"}},
    "unknown": ["/request/labels"],
}
_AUDIT = {"operation": "AuditTopic", "cluster": "c", "request": {"topic": "shop.orders"}}
_OPS = [{"key": "acks", "value": "1"}, {"key": "linger.ms", "remove": True}]
_ENTITY = [{"entityType": "user", "entityName": "alice"}, {"entityType": "client-id", "entityName": "a"}]
_DOCUMENTS = (
    _EVERYBODY,
    {"entries": [{"entity": _ENTITY, "ops": _OPS}], "validateOnly": False},
    {"clientId": "a", "kind": "producer", "static": {"acks": "all"}, "supportedConfigs": ["acks"]},
    _CREATION,
    _AUDIT,
    {"items": {"a": _CREATION, "b": _AUDIT}, "common": {"cluster": "c"}, "order": ["b", "a"]},
)
_JSON = ("Content-Type", "application/json")
_USERS = {"admin": "User:admin", "alice": "User:alice", "bob": "User:bob"}


def refusing_settings(path: Path) -> Path:
    """Write settings under which no name of a topic is a good one."""
    document = yaml.safe_load(few_rules(path).read_text(encoding="utf-8"))
    document["rules"]["KFK-NAM-001"] = {"mode": "deny", "params": {"pattern": "^$", "exemptPrefixes": []}}
    document["superUsers"] = ["User:admin"]
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


@contextmanager
def run_service_program(directory: Path, opa: LocalOpa, bootstrap_servers: str) -> Iterator[Program]:
    """Run a service, and yield it; after each case it makes a decision, and tells somebody's client configs.

    Args:
        directory: For its files.
        opa: With the settings of `refusing_settings`.
        bootstrap_servers: Of a cluster.
    """
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "opa.token").write_text(opa.tokens.query, encoding="utf-8")
    for name in _USERS:
        (directory / name).write_text(f"token-of-{name}", encoding="utf-8")
    store = f"sqlite:{directory / 'configs.db'}"
    document: dict[str, Any] = {
        "opa": {"url": opa.url, "token": {"file": "opa.token"}, "timeout": 60},
        "callers": [{"token": {"file": name}, "principal": principal} for name, principal in _USERS.items()],
        "clusters": [{"name": "c", "bootstrapServers": bootstrap_servers, "store": store}],
        "limits": {"requestsPerSecond": 1000},
    }
    surface = Surface(
        paths=(*(f"/v1/{path}" for path in _PATHS), *sorted(OPEN)),
        methods=("POST", "POST", "POST", "GET"),
        tokens={name: f"token-of-{name}" for name in _USERS},
        documents=_DOCUMENTS,
        claims={"iss": "https://login.test", "sub": "alice"},
        headers=(_JSON,),
    )
    signer = Signer({})
    decide = Case("POST", "/v1/decide", "bob", headers=(_JSON,), body=json.dumps(_CREATION))
    describe = Case("POST", "/v1/client-configs/describe", "admin", headers=(_JSON,), body=json.dumps(_EVERYBODY))
    checks = [request_bytes(case, surface, signer) for case in (decide, describe)]

    (directory / "replicator.token").write_text(opa.tokens.replicator, encoding="utf-8")
    replicated = {
        "opa": {"url": opa.url, "token": {"file": "replicator.token"}},
        "clusters": [{"name": "c", "bootstrapServers": bootstrap_servers, "assumeNoDeletions": True}],
    }
    with WardenProcess("replicate", directory, replicated), WardenProcess("serve", directory, document) as service:
        url = f"http://127.0.0.1:{service.begun['port']}"

        def check() -> None:
            decided, described = (send(url, content, is_cut=False) for content in checks)
            assert ("200", "200") == (decided[0], described[0]), (decided, described)
            document = json.loads(decided[1])
            assert not document["allowed"], decided
            assert "KFK-NAM-001" in {one.get("rule") for one in document["violations"]}, decided

        def is_ready() -> bool:
            try:
                check()
            except AssertionError:
                return False
            return True

        eventually(is_ready, "the service decides")
        yield Program(
            "service", url, surface, signer, check, OPEN, lambda: service.pid, 400, examine=_examine, log=service.log
        )


def _examine(case: Case, status: str, answer: bytes) -> str | None:
    """No decision about a topic is one that allows it."""
    if status != "200" or not case.target.startswith(("/v1/decide", "/v1/decisions")):
        return None
    document = json.loads(answer)
    decisions = [document] if "allowed" in document else document.values()
    allowed = [one for one in decisions if one.get("allowed") is not False]
    return f"allowed although policy denies it: {allowed}" if allowed else None
