"""Seeded secrets in what is written besides OPA's log (tests/policy/opa/test_log.py): tables, texts of errors."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.policy.opa.seeded import SEEDED
from warden.analyse.check.decisions import DecidedDeclaration
from warden.analyse.check.model import Declaration, Fault
from warden.analyse.check.result import CheckResult
from warden.analyse.report.check.write import FORMATS
from warden.analyse.scan.batches import Batch, Row
from warden.analyse.scan.decision_rows import iter_decision_rows
from warden.base.errors import WardenError
from warden.enforce.gateway.config import read_config as read_gateway
from warden.enforce.service.config import read_config as read_service
from warden.enforce.webhook.config import read_config as read_webhook
from warden.state.replicate.config import read_config as read_replicator

_SERVICES = {"gateway": read_gateway, "replicate": read_replicator, "serve": read_service, "webhook": read_webhook}
_REFUSED = {"code": 44, "name": "POLICY_VIOLATION", "message": "m"}
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
                "allowed": False, "errors": ["R-1: m"], "error": _REFUSED, "warnings": [], "notEvaluated": [],
                "revision": "r",
                "violations": [{**_VIOLATION, "path": ["configs", key], "fix": "f", "patch": []}],
            }  # fmt: skip
            shown += _written(Row("c", "k", text), {"k": decision}, secret, "DENY")

    assert [] == shown


@pytest.mark.parametrize("format", FORMATS)
def test_reports_of_check(format: str) -> None:
    """What a violation, a refusal of Kafka's and an error quote of a file."""
    leaked, quoted = [], 0
    for secret, document in SEEDED:
        for text in (value for value in document.values() if isinstance(value, str) and value != secret):
            quoted += 1
            said = f"Invalid value {text} for configuration a"
            decision = {
                "violations": [{**_VIOLATION, "message": said, "fix": f"write {text}", "path": ["configs", "a"]}],
                "errors": [f"R-1: {said}", said], "warnings": [said], "error": {"message": said},
            }  # fmt: skip
            declared = Declaration(format="own", operation="CreateTopic", request={}, file="t.yaml", line=1)
            lists = {"a": {"errors": [said], "warnings": [said]}}
            decided = DecidedDeclaration(declared, "c", decision, lists=lists)
            written = FORMATS[format](CheckResult([decided], [Fault("t.yaml", 1, said)], []))
            leaked += [text] if secret in written else []

    assert [] == leaked
    assert 20 <= quoted


def test_findings_of_a_scan() -> None:
    """A violation that quotes a value, and Kafka's refusal of an input."""
    leaked = []
    for secret, document in SEEDED:
        for text in (value for value in document.values() if isinstance(value, str) and value != secret):
            said, row = f"Invalid value {text}", Row("c", "k", '{"operation":"AuditBroker"}')
            broken = [{**_VIOLATION, "message": said, "path": [], "fix": f"write {text}", "patch": []}]
            for violations in (broken, []):
                decision = {
                    "allowed": False, "errors": [f"R-1: {said}"], "error": _REFUSED, "warnings": [], "notEvaluated": [],
                    "revision": "r", "violations": violations,
                }  # fmt: skip
                leaked += _written(row, {"k": decision}, secret, "DENY" if violations else "ERROR")

    assert [] == leaked


def _written(row: Row, result: dict[str, Any], secret: str, status: str = "ERROR") -> list[Any]:
    batch = Batch("c", [row])
    rows = list(iter_decision_rows(batch, json.dumps({"result": result}).encode(), revision="r"))
    assert [status] == [each["status"] for each in rows]
    return [rows] if secret in json.dumps(rows) else []
