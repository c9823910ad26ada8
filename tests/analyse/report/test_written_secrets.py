"""Seeded secrets in every form of a scan's report: what findings quote, and what was not evaluated."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.analyse.report.conftest import decision, written_run
from tests.policy.opa.seeded import SEEDED
from warden.analyse.report.embed import unpack
from warden.analyse.report.finished_run import open_run
from warden.analyse.report.write import FORMATS, iter_report
from warden.analyse.scan.batches import Batch, Row
from warden.analyse.scan.decision_rows import iter_decision_rows


@pytest.fixture(scope="module")
def seeded_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose inputs hold the secrets, of which one violation or none quotes the document."""
    decisions, findings = [], []
    for number, (secret, document) in enumerate(SEEDED):
        for broken in (True, False):
            (row,) = _decided(secret, document, broken)
            name = f"t{number}.{row['status']}"
            kept = {"status": row["status"], "error": row["error"], "input": row["item"]}
            made = decision("prod", name, *row["violations"], **kept)
            decisions.append(made)
            shared = {key: made[key] for key in ("run_id", "revision", "cluster", "topic", "owner", "kind", "resource")}
            findings += [{**shared, "input_hash": "h", "day": "2026-11-21", **each} for each in made["violations"]]
    return written_run(tmp_path_factory.mktemp("seeded") / "run", decisions, findings)


def _decided(secret: str, document: dict[str, Any], broken: bool) -> list[dict[str, Any]]:
    row = Row("prod", "k", json.dumps({"operation": "AuditTopic", "request": {"topic": "t", "configs": document}}))
    quoted = next((text for text in document.values() if isinstance(text, str) and text != secret), "x")
    key = next(key for key in document if key != "data")
    violation = {
        "rule": "KFK-DUR-001", "effect": "deny", "severity": "high", "message": f"{key} is {quoted}", "fix": "f",
        "path": ["configs", key], "patch": [],
    }  # fmt: skip
    answer = {
        "allowed": False, "errors": [f"KFK-DUR-001: {quoted}"], "warnings": [], "notEvaluated": [], "revision": "r",
        "error": {"code": 44, "name": "POLICY_VIOLATION", "message": "m"}, "violations": [violation] if broken else [],
    }  # fmt: skip
    return list(iter_decision_rows(Batch("prod", [row]), json.dumps({"result": {"k": answer}}).encode(), revision="r"))


@pytest.mark.parametrize("format", FORMATS)
def test_reports_of_a_scan(seeded_run: Path, format: str) -> None:
    """None of sixty is in the report, which has all of their resources that have findings."""
    written = "".join(iter_report(open_run(seeded_run), format))
    if format == "html":
        written += json.dumps(unpack(written))

    assert [] == [document for secret, document in SEEDED if secret in written]
    assert format == "controls" or [] == [n for n in range(len(SEEDED)) if f"t{n}.DENY" not in written]
