"""The manifests for Karmada, whose control plane is two API servers: taken by both, enough for what the parts do."""

import contextlib
import io
import shutil
import subprocess

import pytest
import yaml

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ControlPlane
from tests.k8s.definitions import define_type, of_modules
from tests.k8s.deploy.installation import define_clusters
from tests.k8s.deploy.pods import apply, build
from tests.k8s.remediation.remediators import CLUSTERS
from warden.commands import main
from warden.enforce.remediate.config import read_config as read_remediator
from warden.enforce.remediate.once import remediate_once
from warden.state.replicate.config import read_config as read_replicator
from warden.state.replicate.replicator import Replicator

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

SERVER = "https://karmada-apiserver.karmada-system.svc:5443"
PARTS = {"replicator", "webhook", "remediator"}
DEMANDS = {"policy.federation.alpha.kubernetes.io/eu-jurisdiction-required": "true"}


def _issue_kubeconfigs(control_plane, directory, server):
    trust = control_plane.authority.directory
    script = CHECKOUT / "deploy/kubernetes/karmada/kubeconfigs.sh"
    subprocess.run(["sh", script, directory, trust / "ca.crt", trust / "ca.key", server], check=True)


@pytest.fixture(scope="module")
def site(control_plane, tmp_path_factory):
    """A copy of the manifests with secrets, as a reader of the page has it."""
    directory = tmp_path_factory.mktemp("site") / "kubernetes"
    shutil.copytree(CHECKOUT / "deploy/kubernetes", directory, ignore=shutil.ignore_patterns("secrets"))
    subprocess.run(["sh", "../secrets.sh", "secrets"], cwd=directory / "example", check=True)
    _issue_kubeconfigs(control_plane, directory / "example-karmada/secrets", SERVER)
    return directory


@pytest.fixture(scope="module")
def karmada(site):
    """An API server as karmada-apiserver is, with Karmada's own policies and what the parts need there."""
    with ControlPlane() as running:
        define_clusters(running)
        for definition in of_modules():
            if definition["spec"]["group"] == "policy.karmada.io":
                define_type(running, definition)
        for document in build(site / "karmada-apiserver"):
            answer = apply(running, document)
            assert answer.ok, answer.text
            assert "warning" not in answer.headers, answer.headers["warning"]
        yield running


def test_the_host_cluster(control_plane, site):
    """It takes all, strictly; pods have a kubeconfig each in place of a token, no rights there, and a way to 5443."""
    documents = build(site / "example-karmada")
    for document in documents:
        answer = apply(control_plane, document, query="&dryRun=All&force=true")
        assert answer.ok, f"{document['kind']} {document['metadata']['name']}: {answer.text}"
        assert "warning" not in answer.headers, answer.headers["warning"]

    kinds = {document["kind"] for document in documents}
    assert set() == kinds & {"ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "MutatingWebhookConfiguration"}
    secrets = {one["metadata"]["name"] for one in documents if one["kind"] == "Secret"}
    pods = {
        one["metadata"]["name"]: one["spec"]["template"]["spec"]
        for one in documents
        if "template" in one.get("spec", {})
    }
    for name in PARTS:
        [volume] = [one for one in pods[name]["volumes"] if one["name"] == "karmada"]
        assert volume["secret"]["secretName"] in secrets
        assert volume["secret"]["secretName"].startswith(f"karmada-{name}-")
        [mount] = [one for one in pods[name]["containers"][0]["volumeMounts"] if one["name"] == "karmada"]
        assert ("/etc/karmada", False) == (mount["mountPath"], pods[name]["automountServiceAccountToken"])
    [way] = [one for one in documents if one["metadata"]["name"] == "api-server-clients"]
    assert [443, 6443, 5443] == [one["port"] for one in way["spec"]["egress"][0]["ports"]]


def test_the_registration(karmada, site):
    """What the command prints for a `url:` is taken, and is about developers' policies as well."""
    options = ["--config", str(site / "karmada/config/webhook.yaml"), "--url", "https://webhook.warden.svc/mutate"]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), pytest.raises(SystemExit) as ended:
        main(["webhook", "registration", *options, "--authority", str(site / "example/secrets/ca.crt")])
    assert ended.value.code == 0
    document = yaml.safe_load(printed.getvalue())
    answer = apply(karmada, document, query="&dryRun=All&force=true")
    assert answer.ok, answer.text
    resources = {name for rule in document["webhooks"][0]["rules"] for name in rule["resources"]}
    assert {"deployments", "jobs", "propagationpolicies", "clusterpropagationpolicies"} < resources


def _place(karmada, directory, site, name, opa, token):
    """Write a part's configuration as its pod has it, for this machine."""
    directory.mkdir(exist_ok=True)
    document = yaml.safe_load((site / f"karmada/config/{name}").read_text(encoding="utf-8"))
    (directory / "token").write_text(token, encoding="utf-8")
    document["opa"] = {"url": opa.url, "token": {"file": "token"}, "timeout": 60}
    if "records" in document:
        document["records"] = "records"
    user = name.partition(".")[0].partition("-")[0]
    kubeconfig = str(karmada.directory / f"karmada/{user}.kubeconfig")
    sections = document["kubernetes"] if isinstance(document["kubernetes"], list) else [document["kubernetes"]]
    for section in sections:
        assert "/etc/karmada/kubeconfig" == section["kubeconfig"]
        section["kubeconfig"] = kubeconfig
    (directory / name).write_text(yaml.safe_dump(document), encoding="utf-8")
    return directory / name


def test_the_parts_as_users(karmada, site, replicated_opa, tmp_path):
    """As the users of their kubeconfigs the replicator fills OPA and the remediator has Karmada place."""
    _issue_kubeconfigs(karmada, karmada.directory / "karmada", karmada.url)
    for name, cluster in CLUSTERS.items():
        thing = {"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster", **cluster}
        assert apply(karmada, {**thing, "metadata": {**cluster["metadata"], "name": name}}, query="&force=true").ok
    karmada.api("POST", "/api/v1/namespaces", {"metadata": {"name": "placed"}})
    pod = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
    spec = {"selector": {"matchLabels": {"app": "a"}}, "template": pod}
    for plural, kind in (("statefulsets", "StatefulSet"), ("daemonsets", "DaemonSet")):
        thing = {"apiVersion": "apps/v1", "kind": kind, "spec": spec, "metadata": {"name": "a", "annotations": DEMANDS}}
        karmada.api("POST", f"/apis/apps/v1/namespaces/placed/{plural}", thing)

    tokens = replicated_opa.tokens
    config = _place(karmada, tmp_path / "a", site, "replicator-0.yaml", replicated_opa, tokens.replicator)
    replicator = Replicator(read_replicator(config))
    replicator.start()
    try:
        eventually(lambda: replicator.statuses[0].loaded, "the replicator has filled OPA")
        config = _place(karmada, tmp_path / "b", site, "remediator.yaml", replicated_opa, tokens.query)
        report = remediate_once(read_remediator(config), "one", accept=True)
    finally:
        replicator.stop()

    assert 2 == report["patched"]
    path = "/apis/policy.karmada.io/v1alpha1/namespaces/placed/propagationpolicies"
    policies = {one["metadata"]["name"]: one for one in karmada.api("GET", path)["items"]}
    assert {"a-statefulset", "a-daemonset"} == policies.keys()
    for policy in policies.values():
        names = policy["spec"]["placement"]["clusterAffinity"]["clusterNames"]
        assert names
        assert all(name.startswith("gce-europe") for name in names)
