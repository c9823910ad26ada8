"""What goes wrong while objects are remediated at a real API server, and that nothing is lost or done twice."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.enforce.webhook.faulty_opa import FaultyOpa
from tests.fixtures.conditions import eventually
from tests.k8s.remediation.remediators import Remediation, drain, open_worker
from tests.k8s.source.accounts import new_account, refused_as_busy
from warden.enforce.remediate.config import read_config
from warden.enforce.remediate.leadership import Leadership
from warden.enforce.remediate.patching import PatchResult
from warden.enforce.remediate.remediator import open_live
from warden.enforce.remediate.undo_record import read_undo_entries

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

WEST1, WEST2 = "gce-europe-west1", "gce-europe-west2"
SLOW = {"perSecond": 0.001, "burst": 1}


@pytest.fixture
def worker(config, tmp_path):
    """What has listed all objects and decided about them, and has patched none yet."""
    with open_worker(config()) as made:
        made.decide()
        yield made


@pytest.fixture
def stored(workloads, clusters):
    """One object that was never placed, there before anything is listed."""
    return workloads.create("moves")


def test_changed_between_decision_and_patch(stored, worker, workloads):
    """The patch meets 409; the object is read and decided anew, and what its owner wrote meanwhile stays."""
    stored["metadata"]["labels"] = {"changed": "meanwhile"}
    workloads.put(stored)

    assert [PatchResult.CHANGED, PatchResult.PATCHED] == drain(worker)
    assert {"changed": "meanwhile"} == workloads.get("moves")["metadata"]["labels"]
    assert {WEST1, WEST2} == workloads.placed("moves")


def test_gone_between_decision_and_patch(stored, worker, workloads):
    """It is dropped, and not made again."""
    workloads.delete("moves")

    assert [PatchResult.GONE] == drain(worker)
    assert 0 == len(worker.objects)


def test_replaced_between_decision_and_patch(stored, worker, workloads):
    """The patch for the one is never applied to the other of its name, which is decided about by itself."""
    workloads.delete("moves")
    other = workloads.create("moves", [WEST2])

    assert [PatchResult.GONE] == drain(worker)
    now = workloads.get("moves")["metadata"]
    assert other["metadata"]["resourceVersion"] == now["resourceVersion"]
    assert stored["metadata"]["uid"] != now["uid"]


def test_the_disk_of_records_is_full(stored, worker, workloads):
    """Nothing is patched without its line on the disk; once there is room it is."""
    room, worker._record.path = worker._record.path, Path("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        worker.patch_next()
    assert workloads.placed("moves") is None
    worker._record.path = room

    assert [PatchResult.PATCHED] == drain(worker)
    assert {WEST1, WEST2} == workloads.placed("moves")


def test_killed_between_two_patches(workloads, config, clusters):
    """The next one takes the lease over, and patches what is left and nothing twice; each patch is recorded."""
    names = [f"moves-{number}" for number in range(3)]
    for name in names:
        workloads.create(name)
    first = config("first", lease={"namespace": workloads.namespace, "name": "r", "seconds": 3}, rate=SLOW)
    with Remediation(first) as killed:
        eventually(lambda: killed.lines("patched"), "one is patched")
        killed.kill()
    placed = [name for name in names if workloads.placed(name)]
    second = config("second", lease={"namespace": workloads.namespace, "name": "r", "seconds": 3})
    with Remediation(second) as other:
        eventually(lambda: all(workloads.placed(name) for name in names), "the others are patched")
        eventually(lambda: len(other.lines("patched")) == 2, "the log says so")
    moves = [
        move
        for path in (first, second)
        for record in path.parent.glob("records/*")
        for move in read_undo_entries(record)
    ]

    assert 1 == len(placed)
    assert sorted(names) == sorted(move.path.rpartition("/")[2] for move in moves)


def test_two_remediators(workloads, config, clusters):
    """One patches and the other looks on; when the first ends, the other goes on."""
    workloads.create("one")
    lease = {"namespace": workloads.namespace, "name": "r", "seconds": 30}
    with Remediation(config("first", lease=lease)) as first:
        eventually(lambda: first.ready()["leads"], "the first leads")
        with Remediation(config("second", lease=lease)) as second:
            eventually(lambda: first.lines("patched") and second.ready()["leader"], "the second looks on")
            first.stop()
            workloads.create("two")
            eventually(lambda: second.lines("patched"), "the second goes on")
            assert workloads.placed("two") == {WEST1, WEST2}
    objects = [line["object"].rpartition("/")[2] for one in (first, second) for line in one.lines("patched")]
    assert ["one", "two"] == objects


def test_what_a_lease_costs_between_renewals(workloads, config, clusters):
    """Past patches, of which there may be thousands, are gone through where the Lease is written, and not each turn."""
    settings, calls = read_config(config()), []
    leadership = Leadership(settings.lease, "test")

    def ages():
        calls.append(1)
        return []

    with open_live(settings) as live:
        for _ in range(100):
            leadership.acquire_or_renew(live.api, ages)

    assert leadership.is_leader()
    assert 1 == len(calls)


def test_a_lease_of_an_hour_ahead(workloads, config, clusters, control_plane):
    """Where the clock has gone back an hour, or the last one's was ahead, its lease ends after its length too."""
    later = (datetime.now(UTC) + timedelta(hours=1)).isoformat(timespec="microseconds").replace("+00:00", "Z")
    spec = {"holderIdentity": "gone", "leaseDurationSeconds": 3, "renewTime": later}
    path = f"/apis/coordination.k8s.io/v1/namespaces/{workloads.namespace}/leases"
    control_plane.api("POST", path, {"metadata": {"name": "r"}, "spec": spec})
    workloads.create("moves")

    with Remediation(config(lease={"namespace": workloads.namespace, "name": "r", "seconds": 3})):
        eventually(lambda: workloads.placed("moves"), "the lease is taken over")


def test_opa_is_away(workloads, config, clusters, opa):
    """Nothing is patched, and the remediator says so; then OPA is back, and it is."""
    workloads.create("moves")
    with FaultyOpa(opa.url) as faulty:
        faulty.faults = ["closed"]
        with Remediation(config(url=faulty.url)) as remediation:
            for fault in ("closed", "garbage", "undefined", "a proxy's page", "conflict", "forbidden"):
                faulty.faults, faulty.requests = [fault], []
                eventually(lambda: len(faulty.requests) > 1 and remediation.ready()["problem"], f"{fault} is seen")
            assert workloads.placed("moves") is None
            faulty.faults = ["none"]
            eventually(lambda: workloads.placed("moves") == {WEST1, WEST2}, "it is placed")
            eventually(lambda: remediation.ready()["ready"], "it is ready")


def test_opa_comes_back_empty(workloads, config, clusters, replicator):
    """Where no cluster is known nothing is moved; what is refused is decided anew once they are."""
    workloads.create("stays", [WEST1])
    replicator.put_data(["kubernetes"], {})
    with Remediation(config()) as remediation:
        eventually(lambda: remediation.lines("refused"), "it is refused")
        assert workloads.placed("stays") == {WEST1}
        clusters([WEST2])
        eventually(lambda: workloads.placed("stays") == {WEST2}, "it is moved")


def test_history_that_was_compacted(workloads, config, clusters, control_plane, wire):
    """Where the watch has missed what nobody remembers (410 Gone), everything is listed anew."""
    user = {"token": control_plane.admin_token}
    kubeconfig = control_plane.kubeconfig("wired", user, server=wire.url)
    with Remediation(config(kubernetes={"kubeconfig": str(kubeconfig)})) as remediation:
        eventually(lambda: remediation.ready()["ready"], "it watches")
        wire.cut()
        workloads.create("missed")
        control_plane.kill("kube-apiserver")
        control_plane.compact()
        control_plane.start_api_server()
        wire.mend()
        eventually(lambda: workloads.placed("missed") == {WEST1, WEST2}, "what was missed is placed")


def test_a_token_that_the_api_server_refuses(workloads, config, clusters, control_plane, tmp_path):
    """With a token that has expired nothing is patched, with the next one it is."""
    token, file = new_account(control_plane, "remediator"), tmp_path / "account"
    file.write_text(token(3600), encoding="utf-8")
    kubeconfig = str(control_plane.kubeconfig("account", {"tokenFile": str(file)}))
    with Remediation(config(kubernetes={"kubeconfig": kubeconfig, "probe": 1})) as remediation:
        eventually(lambda: remediation.ready()["ready"], "it watches")
        file.write_text(token(-3600), encoding="utf-8")
        workloads.create("expired")
        eventually(lambda: "401" in (remediation.ready()["problem"] or ""), "the token is refused")
        assert workloads.placed("expired") is None
        file.write_text(token(3600), encoding="utf-8")
        eventually(lambda: workloads.placed("expired") == {WEST1, WEST2}, "it is placed")


def test_an_api_server_that_is_too_busy(workloads, config, clusters, control_plane):
    """Its 429 is no refusal of an object: nothing is patched, the remediator says so, and then it is."""
    token = new_account(control_plane, "throttled-remediator")(3600)
    kubeconfig = str(control_plane.kubeconfig("throttled-remediator", {"token": token}))
    with Remediation(config(kubernetes={"kubeconfig": kubeconfig})) as remediation:
        eventually(lambda: remediation.ready()["ready"], "it watches")
        with refused_as_busy(control_plane, "throttled-remediator", token):
            workloads.create("waits")
            eventually(lambda: "429" in (remediation.ready()["problem"] or ""), "it says so")
            assert workloads.placed("waits") is None
        eventually(lambda: workloads.placed("waits") == {WEST1, WEST2}, "it is placed")
        assert [] == remediation.lines("refused")


def test_etcd_is_gone(workloads, config, clusters, control_plane):
    """The remediator says so; what changed meanwhile is patched once it is back."""
    workloads.create("moves", [WEST1])
    kubeconfig = str(control_plane.kubeconfig("without-etcd", {"token": control_plane.admin_token}))
    with Remediation(config(kubernetes={"kubeconfig": kubeconfig, "probe": 1})) as remediation:
        eventually(lambda: remediation.ready()["ready"], "it watches")
        control_plane.kill("etcd")
        clusters([WEST2])
        eventually(lambda: not remediation.ready()["ready"], "it says so")
        control_plane.start_etcd()
        eventually(lambda: workloads.placed("moves") == {WEST2}, "it is moved")


def test_stop_and_accept(workloads, config, clusters):
    """More than may be moved in an hour is not moved at all; a person lifts that, and what was done counts on."""
    names = [f"moves-{number}" for number in range(3)]
    for name in names:
        workloads.create(name)
    stop = {"share": 0.1, "atLeast": 2}
    with Remediation(config(stop=stop)) as remediation:
        eventually(lambda: "3 of 3 objects would be patched" in (remediation.ready()["problem"] or ""), "it stops")
        assert 1.0 == remediation.metrics()["warden_remediator_stopped"]
        assert [None] * 3 == [workloads.placed(name) for name in names]
    with Remediation(config(stop=stop), "--accept") as accepted:
        eventually(lambda: all(workloads.placed(name) for name in names), "all are placed")
        eventually(lambda: accepted.ready()["ready"], "it goes on")
