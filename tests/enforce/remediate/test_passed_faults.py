"""Faults that have passed, and those that must not end a remediator."""

import shutil
import time
from contextlib import nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from warden.base.errors import KubernetesError
from warden.enforce.remediate import undo as module
from warden.enforce.remediate.config import read_config
from warden.enforce.remediate.patching import Patcher
from warden.enforce.remediate.remediation import Remediation
from warden.enforce.remediate.remediator import Remediator
from warden.enforce.remediate.status import RemediatorStatus
from warden.enforce.remediate.undo import undo_entries
from warden.enforce.remediate.undo_record import UndoEntry, UndoRecord, read_undo_entries
from warden.enforce.remediate.worker import Worker
from warden.state.sources.kubernetes.live import Collection, Informer, ObjectSelector
from warden.state.sources.kubernetes.types import ResourceType

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient
    from warden.state.sources.kubernetes.api import ApiServer

KEY = ("deployments", "shop", "web")


@pytest.fixture
def config(tmp_path):
    """The least one."""
    path = tmp_path / "remediator.yaml"
    path.write_text("records: records\n", encoding="utf-8")
    return read_config(path)


def _thing(version, **annotations):
    metadata = {"name": "web", "uid": "u1", "resourceVersion": version, "annotations": annotations}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata}


def _tried():
    metadata = {"annotations": {"x": "2"}, "resourceVersion": "7", "uid": "u1"}
    return Remediation(KEY, _thing("7"), {"metadata": metadata}, {"x": "2"})


def test_a_patch_that_failed_and_is_needed_no_more(config):
    """Once nothing is left to patch, it is no reason to be unready."""
    remediator = Remediator(config, "me", report_only=True)
    remediator.status.server_error, remediator._poll_at = "No space left on device", float("inf")
    remediator._turn(cast("Informer", None), lambda: True)
    assert remediator.status.problem is None


@pytest.mark.parametrize("noted", [False, True])
def test_a_patch_whose_answer_was_lost_counts(config, noted):
    """It counts within the hour; its line is written where there is none, and a full disk ends nothing."""
    for full in (False, True):
        status, record = RemediatorStatus(), UndoRecord(config.records, f"run-{full}")
        worker = Worker(config, cast("OpaClient", None), record, status)
        collection = Collection(
            ObjectSelector("apps/v1", "Deployment"), ResourceType("apps/v1", "Deployment", "deployments", True)
        )
        worker._patcher = Patcher(cast("ApiServer", None), [collection])
        worker._tries.count_failure(_tried(), "no answer", 0.0, noted=noted)
        if full:
            shutil.rmtree(config.records)
        worker._record_decisions([Remediation(KEY, _thing("8", x="2"), None, {})])
        assert (1, 1) == (len(worker.hourly_limit.list_ages(time.monotonic())), status.counts["patches", "patched"])
        assert (full and not noted) == (status.counts["errors", "patch"] == 1)
        if not full:
            assert record.path.exists() is not noted
            assert noted or ["u1"] == [entry.uid for entry in read_undo_entries(record.path)]


class _BusyApi:
    """Undoes so many patches, and is too busy then."""

    def __init__(self, patience):
        self._left = patience

    def get(self, path):
        if self._left == 0:
            raise KubernetesError("too many requests", status=429)
        self._left -= 1
        return _thing("8", x="1")


def _leads_for(renewals):
    """A lease that is lost after so many renewals."""
    left = iter(range(renewals))
    return SimpleNamespace(
        ages=[],
        acquire_or_renew=lambda api, ages: None,
        is_leader=lambda: next(left, None) is not None,
        release=lambda api, ages: None,
    )


def test_an_undo_whose_lease_is_lost(config, monkeypatch):
    """Nothing more is undone, since the remediator that has it would do it again."""
    monkeypatch.setattr(module, "open_live", lambda config: nullcontext(SimpleNamespace(api=_BusyApi(9))))
    monkeypatch.setattr(module, "hold_lease", lambda *arguments: _leads_for(1))
    entries = [UndoEntry("t", f"/api/{name}", "u1", {"x": "1"}, {"x": "2"}) for name in "ab"]
    results = [(one["path"], one["result"], one.get("reason")) for one in undo_entries(config, entries, "me")]
    lost = "the lease was lost on the way: another remediator goes on"
    assert [("/api/b", "as before", None), ("/api/a", "failed", lost)] == results


def test_an_object_that_is_gone_is_forgotten(config):
    """What it needs of clusters goes with it, or names that come and go would fill the memory."""
    worker = Worker(config, cast("OpaClient", None), None, RemediatorStatus())
    worker._record_decisions([Remediation(KEY, _thing("7"), None, {})])
    assert {KEY} == worker._needs.keys()
    worker.follow({KEY: None})
    assert {} == worker._needs


@pytest.mark.parametrize("patience", [0, 1])
def test_an_undo_that_does_not_come_to_its_end(config, monkeypatch, patience):
    """It says what has become of each, unless nothing has been looked at."""
    monkeypatch.setattr(module, "open_live", lambda config: nullcontext(SimpleNamespace(api=_BusyApi(patience))))
    monkeypatch.setattr(module, "hold_lease", lambda *arguments: _leads_for(9))
    entries = [UndoEntry("t", f"/api/{name}", "u1", {"x": "1"}, {"x": "2"}) for name in "abc"]
    if not patience:
        with pytest.raises(KubernetesError, match="too many requests"):
            undo_entries(config, entries, "me")
        return
    results = [(one["path"], one["result"], one.get("reason")) for one in undo_entries(config, entries, "me")]
    left = [(f"/api/{name}", "failed", "too many requests") for name in "ba"]
    assert [("/api/c", "as before", None), *left] == results
