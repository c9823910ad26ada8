"""A disk under the decision log that is full: decisions are given all the same, and that they are lost shows."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.fixtures import http
from tests.fixtures.conditions import eventually
from warden.base.resources import find_shipped
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.log_disk_watch import LogDiskWatch


def test_a_disk_is_full_for_a_while(tmp_path):
    """Said once when it begins and once when it ends; nothing stays behind."""
    watch, trial = LogDiskWatch(tmp_path / "opa.log", interval=0), tmp_path / ".log-trial"
    news = [watch.poll()]
    trial.symlink_to("/dev/full")
    news += [watch.poll(), watch.poll()]
    trial.unlink()
    news += [watch.poll(), watch.poll()]

    reason = f"decisions are given but not logged, {tmp_path} cannot be written (No space left on device)"
    assert [None, reason, None, "decisions are logged again", None] == news
    assert [] == list(tmp_path.iterdir())


def test_trials_are_seldom(tmp_path):
    """Not more often than the interval says."""
    watch = LogDiskWatch(tmp_path / "opa.log", interval=3600)
    first = watch.poll()
    (tmp_path / ".log-trial").symlink_to("/dev/full")

    assert [None, None] == [first, watch.poll()]


@pytest.mark.opa
def test_the_server_of_decision_logs_is_full(opa_binary, small_bundle, tmp_path):
    """OPA decides, keeps the lines for later, and says so in its status and metrics; so does `warden opa status`."""
    with (
        _log_server() as (url, answers),
        LocalOpa(small_bundle, opa=opa_binary, config=_config(tmp_path, url)) as opa,
        opa.build_client() as client,
        opa.build_client(opa.tokens.admin) as admin,
    ):
        assert client.decide({"say": "yes"})["allowed"]
        eventually(lambda: admin.read_status().get("decision_logs", {}).get("code"), "the refusal")
        metrics = admin._session.get(f"{opa.url}/metrics").text
        refused = _status(opa)
        answers.append(200)
        eventually(lambda: not admin.read_status()["decision_logs"].get("code"), "the delivery")
        accepted = _status(opa)

    reason = "log upload failed, server replied with HTTP 507 Insufficient Storage"
    assert (1, f"decision log: not delivered: {reason}\n") == (refused.returncode, refused.stderr)
    assert 'decision_logs_status_gauge{code="decision_log_error",http_code="507"} 1' in metrics
    assert (0, "") == (accepted.returncode, accepted.stderr)


def _status(opa: LocalOpa) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "warden", "opa", "status", "--opa-url", opa.url]
    path = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONPATH": path, "WARDEN_OPA_ADMIN_TOKEN": opa.tokens.admin}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def _config(directory: Path, url: str) -> Path:
    shipped = find_shipped("deploy/opa-config.yaml").read_text()
    log = "decision_logs:\n  service: audit\n  reporting: {min_delay_seconds: 1, max_delay_seconds: 1}\n"
    assert "decision_logs:\n  console: true\n" in shipped
    config = shipped.replace("decision_logs:\n  console: true\n", log)
    config = config.replace("\nservices:\n", f"\nservices:\n  audit: {{url: '{url}'}}\n")
    path = directory / "opa-config.yaml"
    path.write_text(config)
    return path


@contextmanager
def _log_server() -> Iterator[tuple[str, list[int]]]:
    """A server that answers uploads with the last of some statuses, at first 507: Insufficient Storage."""
    answers = [507]

    class Handler(http.Handler):
        def respond(self) -> None:
            self.body()
            self.answer(answers[-1])

    with http.served(Handler) as url:
        yield url, answers
