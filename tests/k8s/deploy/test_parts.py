"""The manifests of ``deploy/kubernetes`` on a real API server: six parts, each with no more rights than it uses."""

import json
import re
from typing import Any

import pytest
import requests
import yaml

from tests.fixtures.certificates import Authority
from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.k8s.deploy.pods import KAFKA_PARTS, NAMESPACE, PARTS, apply, audit_lines, rights
from tests.k8s.remediation.remediators import PREFERENCES, SEED

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

ALL = (*PARTS, *KAFKA_PARTS)
ACCOUNT = f"system:serviceaccount:{NAMESPACE}:"

# What each account may do, and nothing else: (verb, group, resource, name), in all namespaces and in Warden's own.
EVENTS = ("create", "events.k8s.io", "events", "")
RIGHTS: dict[str, set[tuple[str, str, str, str]]] = {
    "opa": set(),
    "gateway": set(),
    "serve": set(),
    "replicator": {
        ("list", "cluster.karmada.io", "clusters", ""),
        ("watch", "cluster.karmada.io", "clusters", ""),
        ("list", "work.karmada.io", "resourcebindings", ""),
        ("watch", "work.karmada.io", "resourcebindings", ""),
        ("get", "", "namespaces", "kube-system"),
    },
    "webhook": {EVENTS},
    "remediator": {
        EVENTS,
        *(
            (verb, "apps", kind, "")
            for verb in ("get", "list", "watch", "patch")
            for kind in ("deployments", "replicasets")
        ),
    },
}
OWN_RIGHTS = {
    "remediator": {
        ("create", "coordination.k8s.io", "leases", ""),
        ("get", "coordination.k8s.io", "leases", "warden-remediator"),
        ("update", "coordination.k8s.io", "leases", "warden-remediator"),
    },
}


def test_pods_are_admitted(control_plane, documents):
    """By the namespace's own level, restricted: non-root, a read-only root, no capabilities, seccomp."""
    templates = [one for one in documents if one["kind"] in {"StatefulSet", "Deployment"}]
    assert set(ALL) == {one["metadata"]["name"] for one in templates}
    for one in templates:
        name, spec = one["metadata"]["name"], one["spec"]["template"]["spec"]
        claims = [{"name": claim["metadata"]["name"]} for claim in one["spec"].get("volumeClaimTemplates", [])]
        [container] = spec["containers"]
        assert container["securityContext"]["readOnlyRootFilesystem"]
        pod: dict[str, Any] = {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": NAMESPACE},
            "spec": {**spec, "volumes": [*spec["volumes"], *claims]},
        }
        answer = apply(control_plane, pod, query="&dryRun=All")
        assert answer.ok, answer.text
        pod["spec"] = {**pod["spec"], "containers": [{**container, "securityContext": {"runAsUser": 0}}]}
        assert 403 == apply(control_plane, pod, query="&dryRun=All").status_code


def test_what_belongs_together(documents):
    """Selectors find pods, budgets and services are about a part, and each part has its own account."""
    labels = {
        one["metadata"]["name"]: one["spec"]["template"]["metadata"]["labels"]
        for one in documents
        if one["kind"] in {"StatefulSet", "Deployment"}
    }
    accounts = {one["metadata"]["name"] for one in documents if one["kind"] == "ServiceAccount"}
    budgets = {one["metadata"]["name"] for one in documents if one["kind"] == "PodDisruptionBudget"}
    assert accounts == budgets == set(ALL)
    for one in documents:
        spec = one.get("spec", {})
        selectors = [spec.get("podSelector", {}), spec.get("selector", {})]
        for selector in selectors:
            wanted = selector.get("matchLabels", selector).items()
            assert any(wanted <= found.items() for found in labels.values()), one["metadata"]["name"]


def test_the_registration_is_what_the_command_prints(tmp_path, capsys):
    """The manifest that is checked in, but for the certificate."""
    from warden.commands import main

    base = CHECKOUT / "deploy/kubernetes/base"
    authority = Authority(tmp_path)
    options = ["--config", str(base / "config/webhook.yaml"), "--authority", str(authority.certificate)]
    with pytest.raises(SystemExit):
        main(["webhook", "registration", *options, "--service", "warden/webhook"])
    printed = yaml.safe_load(capsys.readouterr().out)
    del printed["webhooks"][0]["clientConfig"]["caBundle"]

    assert printed == yaml.safe_load((base / "webhook-configuration.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("account", ALL)
def test_no_account_may_do_more(control_plane, account):
    """The API server itself says what an account may do: the table, and what anybody may ask about himself."""
    assert RIGHTS[account] == rights(control_plane, account, "default")
    assert RIGHTS[account] | OWN_RIGHTS.get(account, set()) == rights(control_plane, account, NAMESPACE)


def _thing(name: str, **annotations: str) -> dict[str, Any]:
    thing = json.loads((SEED / "query.json").read_bytes())["input"]
    annotations = {**thing["metadata"]["annotations"], **annotations}
    metadata = {"name": name, "namespace": "default", "annotations": annotations, "labels": {}}
    return {**thing, "apiVersion": "apps/v1", "metadata": metadata}


def test_all_four(control_plane, pods, audited):
    """Admitted as policy has it, refused with an event, moved when a cluster loses its level; nothing is forbidden."""
    path = "/apis/apps/v1/namespaces/default/replicasets"

    def clusters(name: str) -> set[str]:
        annotations = control_plane.api("GET", f"{path}/{name}")["metadata"]["annotations"]
        return set(json.loads(annotations[PREFERENCES])["clusters"])

    def decided() -> bool:
        answer = apply(control_plane, _thing("probe"), query="&dryRun=All")
        return answer.ok and PREFERENCES in answer.json()["metadata"]["annotations"]

    eventually(decided, "the API server asks the webhook")
    assert apply(control_plane, _thing("nginx-eu")).ok
    assert {"gce-europe-west1", "gce-europe-west2"} == clusters("nginx-eu")

    # Where an object is up in one cluster alone, it stays there.
    assert apply(control_plane, _thing("stays")).ok
    binding = {
        "apiVersion": "work.karmada.io/v1alpha2",
        "kind": "ResourceBinding",
        "metadata": {"name": "stays-replicaset", "namespace": "default"},
        "spec": {"resource": {"kind": "ReplicaSet", "name": "stays"}},
        "status": {"aggregatedStatus": [{"clusterName": "gce-europe-west1", "status": {"readyReplicas": 4}}]},
    }
    assert apply(control_plane, binding).ok
    metrics = f"http://127.0.0.1:{pods.ports['replicator']}/metrics"
    eventually(
        lambda: re.search(r'entries\{.*"resourcebindings".*\} 1', requests.get(metrics, timeout=60).text),
        "the binding is in OPA",
    )

    refused = apply(control_plane, _thing("us", **{PREFERENCES: '{"clusters": {"gce-us-central1": {}}}'}))
    assert 403 == refused.status_code
    assert "invalid clusters" in refused.json()["message"]
    events = "/apis/events.k8s.io/v1/namespaces/default/events"

    def reasons() -> set[str]:
        return {one["reason"] for one in control_plane.api("GET", events)["items"]}

    eventually(lambda: "PlacementRefused" in reasons(), "the refusal has an event")

    lower = {"metadata": {"name": "gce-europe-west1", "annotations": {"pci-compliance-level": "1"}}}
    cluster = {"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster", "status": {"region": "europe-west1"}}
    assert apply(control_plane, {**cluster, **lower}).ok
    eventually(lambda: clusters("nginx-eu") == {"gce-europe-west2"}, "the remediator moves it off", 120)
    eventually(lambda: {"Remediated", "RemediationRefused"} <= reasons(), "the move has an event, and the refusal")
    assert {"gce-europe-west1", "gce-europe-west2"} == clusters("stays")

    # An object is read after a conflict (tests/k8s/remediation/test_faults.py), and no Deployment is here to patch.
    spared = {("get", "apps", "deployments"), ("get", "apps", "replicasets"), ("patch", "apps", "deployments")}
    granted = {
        (account, *right[:3]) for account in PARTS for right in RIGHTS[account] | OWN_RIGHTS.get(account, set())
    } - {("remediator", *right) for right in spared}

    def unused() -> set[tuple[str, str, str, str]]:
        return granted - {
            (
                line["user"]["username"].removeprefix(ACCOUNT),
                line["verb"],
                wanted.get("apiGroup", ""),
                wanted["resource"],
            )
            for line in audit_lines(audited)
            if (wanted := line.get("objectRef"))
        }

    eventually(lambda: not unused(), f"each right is used, but for {spared}")
    assert [] == [line["requestURI"] for line in audit_lines(audited) if line["responseStatus"].get("code") == 403]
