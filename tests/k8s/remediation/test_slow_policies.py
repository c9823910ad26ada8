"""A tenant's policy that takes minutes, in a real OPA: objects of others are decided about and patched meanwhile."""

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.policies.policy_maps import open_maps
from tests.k8s.remediation.remediators import CLUSTERS, Remediation, Workloads, configuration, open_worker
from warden.enforce.remediate.config import read_config
from warden.enforce.remediate.once import remediate_once
from warden.policy.opa.client import OpaClient

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

WEST1, WEST2 = "gce-europe-west1", "gce-europe-west2"
NAMES = ["w0", "w1", "w2"]
MINUTES = """warnings contains "never" if {
    startswith(input.metadata.name, "w")
    some a in numbers.range(1, 3000)
    some b in numbers.range(1, 3000)
    some c in numbers.range(1, 3000)
    a * b * c == 0
}
"""


@pytest.fixture
def parts(control_plane, placement_bundle, namespace, tmp_path):
    """ConfigMaps, a tenant's objects, those of another, and a remediator's configuration; OPA has the clusters."""
    policies, shop, pay = namespace("policies"), namespace("shop"), namespace("pay")
    with open_maps(control_plane, placement_bundle, tmp_path, policies, shop) as maps:
        opa = maps.opa
        with OpaClient(opa.url, token=opa.tokens.replicator) as client:
            client.put_data(["kubernetes"], {"clusters": CLUSTERS, "meta": {"revision": "r.1"}})
        everywhere = {
            "opa": {"url": opa.url, "token": {"file": "token"}, "timeout": 8},
            "resources": [{"apiVersion": "apps/v1", "kind": "ReplicaSet"}],
            "stop": {"share": 1.0, "atLeast": 1000},
        }
        config = configuration(tmp_path / "r", control_plane, opa.url, opa.tokens.query, pay, **everywhere)
        slow, quick = Workloads(control_plane, opa, shop), Workloads(control_plane, opa, pay)
        maps.shop = shop
        with maps:
            _write(maps, MINUTES)
            for name in NAMES:
                slow.create(name)
                quick.create(name)
            slow.create("quick")
            yield maps, slow, quick, config
        slow.delete()
        quick.delete()


def _write(maps, rule):
    text = f'package site.tenants["{maps.shop}"]\n\n{rule}'
    maps.write("own", {"a.rego": text}, namespace=maps.shop)
    eventually(lambda: maps.says_ok("own", maps.shop), "the tenant's policy is in force")


def _decide(worker):
    def is_done():
        worker.decide()
        return not worker.count_due()

    eventually(is_done, "all that does not wait is decided about")


def test_others_do_not_wait(parts):
    """Theirs are patched, old and new; of the tenant's those that can be, and the others once the policy is mended."""
    maps, slow, quick, config = parts
    with Remediation(config) as remediation:
        eventually(lambda: all(quick.placed(name) for name in NAMES), "objects of the other are patched")
        eventually(lambda: remediation.lines("OPA does not decide in time"), "the tenant's are late")
        assert [None] * 3 == [slow.placed(name) for name in NAMES]
        quick.create("later")
        eventually(lambda: quick.placed("later") == {WEST1, WEST2}, "a new one is patched")
        eventually(lambda: slow.placed("quick"), "what the policy is quick about is patched")
        eventually(lambda: remediation.lines("refused"), "it is said of an object")
        eventually(
            lambda: f"in time: 1, such as {maps.shop}: " in str(remediation.ready()["problem"]), "/readyz says it"
        )
        assert not remediation.ready()["ready"]
        assert [None] * 3 == [slow.placed(name) for name in NAMES]

        _write(maps, 'annotations["a"] contains "b"\n')
        eventually(lambda: all(slow.placed(name) for name in NAMES), "the tenant's are patched")
        eventually(lambda: remediation.ready()["ready"], "nothing is in the way")
        assert 0 == remediation.ready()["late"]


def test_one_run_ends(parts):
    """It patches what is decided about in time, and names the others with the reason."""
    _, slow, quick, config = parts
    report = remediate_once(read_config(config), "test")
    assert all(quick.placed(name) for name in NAMES)
    assert [None] * 3 == [slow.placed(name) for name in NAMES]
    refused = [one for one in report["refused"] if slow.get(one["object"].rpartition("/")[2])]
    assert set(NAMES) <= {one["object"].rpartition("/")[2] for one in refused}
    assert all("did not answer in time" in one["errors"][0] for one in refused)


def test_no_decision_of_before_is_carried_out(parts):
    """What was to be patched before the policy became slow waits for a new decision; that of others goes on."""
    maps, slow, quick, config = parts
    _write(maps, 'annotations["a"] contains "b"\n')
    with open_worker(config) as worker:
        _decide(worker)
        _write(maps, MINUTES)
        worker.objects.mark_all_due()
        _decide(worker)
        assert not {("replicasets", maps.shop, name) for name in NAMES}.isdisjoint(worker.plan.pending)
        while worker.patch_next():
            pass
    assert all(quick.placed(name) for name in NAMES)
    assert [None] * 3 == [slow.placed(name) for name in NAMES]
