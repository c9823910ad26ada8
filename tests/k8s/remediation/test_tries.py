"""Objects that cannot be patched, at a real API server: others go on, and the undo record has what was done."""

import contextlib
from pathlib import Path

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.remediation.remediators import Remediation, drain, open_worker
from warden.base.errors import KubernetesError, KubernetesUnreachable
from warden.base.http.ports import find_free_port
from warden.enforce.remediate.config import read_config
from warden.enforce.remediate.once import remediate_once
from warden.enforce.remediate.patching import PatchResult
from warden.enforce.remediate.undo import undo_entries
from warden.enforce.remediate.undo_record import read_undo_entries
from warden.state.sources.kubernetes.api import ApiServer

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

WEST1, WEST2 = "gce-europe-west1", "gce-europe-west2"
SLOW = {"perSecond": 0.001, "burst": 1}
WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"


@pytest.fixture
def worker(config, workloads, clusters):
    """What has decided about one object that was never placed, and has not patched it yet."""
    workloads.create("moves")
    with open_worker(config()) as made:
        made.decide()
        yield made


@contextlib.contextmanager
def _never_patched(control_plane, name):
    """Have the API server refuse each change of one object with 500; yield what ends that."""
    webhook = {
        "name": "away.example.com",
        "clientConfig": {"url": f"https://127.0.0.1:{find_free_port()}/"},
        "rules": [
            {"apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["replicasets"], "operations": ["UPDATE"]}
        ],
        "matchConditions": [{"name": "one", "expression": f'object.metadata.name == "{name}"'}],
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
    }
    control_plane.api("POST", WEBHOOKS, {"metadata": {"name": "away"}, "webhooks": [webhook]})
    with contextlib.ExitStack() as stack:
        stack.callback(control_plane.api, "DELETE", f"{WEBHOOKS}/away")
        yield stack.close


def _await_refusal(workloads, name):
    """Wait until the API server asks the webhook that is not there."""
    stored, count = workloads.get(name), iter(range(1000))

    def refused():
        try:
            stored["metadata"]["labels"] = {"try": str(next(count))}
            stored.update(workloads.put(stored))
        except AssertionError as error:
            return "failed calling webhook" in str(error)
        return False

    eventually(refused, f"changes of {name} are refused")


def _lines(path):
    """Return the name of the object of each line of all undo records."""
    moves = [move for record in path.parent.glob("records/*") for move in read_undo_entries(record)]
    return sorted(move.path.rpartition("/")[2] for move in moves)


def test_one_that_cannot_be_patched(workloads, config, clusters, control_plane):
    """The others move; it is tried again at its own pace, and moves once it can; the record has what was done."""
    names = [f"w{number}" for number in range(6)]
    for name in names:
        workloads.create(name)
    path = config(stop={"share": 1.0})
    with _never_patched(control_plane, "w0") as end:
        _await_refusal(workloads, "w0")
        with Remediation(path) as remediation:
            eventually(lambda: all(workloads.placed(name) for name in names[1:]), "the others are patched")
            eventually(lambda: len(remediation.lines("an object cannot be patched now")) > 2, "it is tried again")
            assert (1, 1) == ((ready := remediation.ready())["pending"], ready["putOff"])
            assert "w0: " in ready["problem"]
            assert names[1:] == _lines(path)
            assert workloads.placed("w0") is None
            end()
            eventually(lambda: workloads.placed("w0"), "it is patched")
            eventually(lambda: remediation.ready()["ready"], "nothing is in the way")
    assert names == _lines(path)


def test_once_ends_without_it(workloads, config, clusters, control_plane):
    """One run patches the others, and names it with the reason after three tries."""
    for name in ("w0", "w1"):
        workloads.create(name)
    with _never_patched(control_plane, "w0"):
        _await_refusal(workloads, "w0")
        report = remediate_once(read_config(path := config()), "test")
    assert (1, 2) == (report["patched"], len(report["differing"]))
    (refused,) = report["refused"]
    assert refused["object"].endswith("/w0")
    assert "failed calling webhook" in refused["errors"][0]
    assert ["w1"] == _lines(path)


def test_an_answer_that_is_lost(worker, workloads, monkeypatch):
    """A patch of which nobody knows whether it was carried out is in the record once, and undone like any other."""
    send = ApiServer.send

    def lose(api, method, *rest):
        send(api, method, *rest)
        raise KubernetesUnreachable("the answer is lost")

    monkeypatch.setattr(ApiServer, "send", lose)
    with pytest.raises(KubernetesUnreachable):
        worker.patch_next()
    monkeypatch.undo()
    results = eventually(lambda: drain(worker), "it is tried again")

    assert [PatchResult.CHANGED] == results
    assert 0 == len(worker.plan.pending)
    assert {WEST1, WEST2} == workloads.placed("moves")
    assert 1 == len(read_undo_entries(worker._record.path))


def test_a_refusal_that_was_none(worker, workloads, monkeypatch):
    """Where the API server answers 500 for a patch that it carried out, the record gets it once the object shows it."""
    send = ApiServer.send

    def fail(api, method, *rest):
        send(api, method, *rest)
        raise KubernetesError("etcdserver: request timed out", status=500)

    monkeypatch.setattr(ApiServer, "send", fail)
    assert PatchResult.LATER is worker.patch_next()
    monkeypatch.undo()
    assert not worker._record.path.exists()
    assert [PatchResult.CHANGED] == eventually(lambda: drain(worker), "it is tried again")
    assert 1 == len(read_undo_entries(worker._record.path))


def test_undo_has_its_own_rate(workloads, config, clusters):
    """However slowly objects are moved; what needs nothing takes none of it, so that a second undo ends at once."""
    names = ["a", "b", "c"]
    for name in names:
        workloads.create(name)
    report = remediate_once(read_config(config()), "test")
    moves = read_undo_entries(Path(report["record"]))
    for burst, result in ((3, "undone"), (1, "as before")):
        settings = read_config(config(rate=SLOW, undoRate={**SLOW, "burst": burst}))
        assert [result] * 3 == [one["result"] for one in undo_entries(settings, moves, f"test-{burst}")]
    assert [None] * 3 == [workloads.placed(name) for name in names]


def test_undo_goes_on(workloads, config, clusters, control_plane):
    """One that cannot be patched is named with the reason, and the others are undone."""
    for name in ("w0", "w1"):
        workloads.create(name)
    settings = read_config(config())
    moves = read_undo_entries(Path(remediate_once(settings, "test")["record"]))
    with _never_patched(control_plane, "w0"):
        _await_refusal(workloads, "w0")
        results = {one["path"].rpartition("/")[2]: one for one in undo_entries(settings, moves, "undo")}
    assert ("failed", "undone") == (results["w0"]["result"], results["w1"]["result"])
    assert "failed calling webhook" in results["w0"]["reason"]
