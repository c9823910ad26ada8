"""Seeded secrets in what is written besides OPA's log (tests/opa/test_log.py): tables of a scan, texts of errors."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.opa.seeded import SEEDED
from warden.errors import WardenError
from warden.gateway.config import read_config as read_gateway
from warden.replicate.config import read_config as read_replicator
from warden.scan.batches import Batch, Row
from warden.scan.decision_rows import decision_rows
from warden.serve.config import read_config as read_service
from warden.webhook.config import read_config as read_webhook

_SERVICES = {"gateway": read_gateway, "replicate": read_replicator, "serve": read_service, "webhook": read_webhook}
_VIOLATION = {"rule": "R-1", "effect": "deny", "severity": "high", "message": "m"}


@pytest.mark.parametrize("service", _SERVICES)
def test_errors_of_configuration(tmp_path: Path, service: str) -> None:
    """A secret where none belongs is not quoted: as the file, in its place for OPA, as an address, as an entry."""
    path, shown, read = tmp_path / "c.yaml", [], 0
    for secret, document in SEEDED:
        value = document.get("text", document)
        for whole in (document, {"opa": value}, {"opa": {"url": value}}, {"clusters": [value], "kinds": [value]}):
            path.write_text(yaml.safe_dump(whole))
            with pytest.raises(WardenError) as caught:
                _SERVICES[service](path)
            read += 1
            if secret in str(caught.value):
                shown.append((whole, str(caught.value)))

    assert [] == shown
    assert 240 <= read


def test_tables_of_a_scan() -> None:
    """An input that was not evaluated, one that broke off, and the value at fault of one that was."""
    shown = []
    for secret, document in SEEDED:
        text = json.dumps({"operation": "AuditBroker", "request": {"broker": "1", "configs": document}})
        for row in (Row("c", "k", text), Row("c", "k", text[:-2])):
            shown += _written(row, {}, secret)
        for key in document.keys() - {"data"}:  # a scan sees no Secret of Kubernetes
            decision = {
                "allowed": False, "errors": ["R-1: m"], "error": {}, "warnings": [], "notEvaluated": [],
                "revision": "r",
                "violations": [{**_VIOLATION, "path": ["configs", key], "fix": "f", "patch": []}],
            }  # fmt: skip
            shown += _written(Row("c", "k", text), {"k": decision}, secret)

    assert [] == shown


def _written(row: Row, result: dict[str, Any], secret: str) -> list[Any]:
    batch = Batch("c", [row])
    rows = list(decision_rows(batch, json.dumps({"result": result}).encode(), revision="r"))
    assert 1 == len(rows)
    return [rows] if secret in json.dumps(rows) else []
