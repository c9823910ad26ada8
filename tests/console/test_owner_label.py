"""Whose a decision is: the label that names owners is that of the policy in force, as a scan has it."""

import json
from pathlib import Path

import pytest
import requests

from tests.console.logged import build_event
from tests.console.running import RunningConsole, write_config
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.resources import find_shipped
from warden.console.config import ConsoleConfig
from warden.console.policy import engine
from warden.console.policy.engine import PolicyOpa
from warden.policy.bundle.opa import evaluate_opa
from warden.policy.contract.names import OWNER_LABEL
from warden.policy.opa.client import OpaClient

_REQUEST = {"topic": "payments.cards", "configs": {}, "labels": {"team": "risk", "owner": "alice"}}


def test_decisions_that_are_followed_and_uploaded(
    opa_binary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are by the settings of the console's own OPA."""
    monkeypatch.setenv("UPLOADS", "upload-token")
    (tmp_path / "site.yaml").write_text("rules: {KFK-GOV-001: {params: {labelKey: team}}}\n", encoding="utf-8")
    (tmp_path / "opa.json").write_text(json.dumps(build_event("followed", request=_REQUEST)) + "\n", encoding="utf-8")
    decisions = {"files": ["opa.json"], "receive": {"token": {"env": "UPLOADS"}}}
    config = write_config(tmp_path, decisions=decisions, policy={"settings": "site.yaml"})
    with RunningConsole(config) as console:
        headers = {"Authorization": "Bearer upload-token"}
        uploaded = [build_event("uploaded", request=_REQUEST)]
        sent = requests.post(f"{console.url}/logs", json=uploaded, headers=headers, timeout=PATIENCE)
        rows = eventually(
            lambda: len(rows := console.json("/decisions?owner=risk")["decisions"]) == 2 and rows, "both are stored"
        )

    assert {"new": 1} == sent.json()
    assert {"followed", "uploaded"} == {row["id"] for row in rows}


def test_the_label_is_known_without_a_policy(query_client: OpaClient) -> None:
    """It is the shipped one where nothing is configured, and no OPA is started for it."""
    with PolicyOpa(ConsoleConfig()) as opa:
        assert query_client.evaluate("kafka/owner_label", {}) == opa.read_owner_label()
        assert {} == opa._clients


def test_the_label_without_settings(opa_binary: Path) -> None:
    """Python's and the policies' are one where no settings name another."""
    data = ("--data", str(find_shipped("policies") / "kafka/base/settings/settings.rego"))
    query = "data.kafka.base.settings.owner_label with data.settings.compiled as {}"

    assert OWNER_LABEL == evaluate_opa(opa_binary, *data, query)


def test_an_opa_that_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions are taken in by the shipped label until it answers, and it is left alone for a while."""
    monkeypatch.setattr(engine, "_RETRY_SECONDS", PATIENCE)
    (tmp_path / "token").write_text("t", encoding="utf-8")
    config = write_config(tmp_path, opa={"url": "http://127.0.0.1:9", "token": {"file": "token"}})
    with PolicyOpa(config) as opa:
        first, looked = opa.read_owner_label(), opa._label_again

        assert ("owner", "owner") == (first, opa.read_owner_label())
        assert looked == opa._label_again
