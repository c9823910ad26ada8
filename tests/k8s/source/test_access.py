"""Who may ask the API server: tokens, certificates, the account of a pod; and what is said where they may not."""

import base64
import re
from pathlib import Path

import pytest
import yaml

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.k8s.source.accounts import new_account
from warden.base.errors import KubernetesError, KubernetesUnreachable
from warden.policy.opa.client import OpaClient
from warden.state.sources.kubernetes.access import read_pod_access
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.kubeconfig import read_kubeconfig

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

NAMESPACES = {"apiVersion": "v1", "kind": "Namespace"}


def _names(access):
    with ApiServer(access) as api:
        return {item["metadata"]["name"] for item in api.get("/api/v1/namespaces")["items"]}


def test_a_client_certificate(control_plane):
    """A certificate and its key prove who asks, from files and from the kubeconfig itself."""
    certificate, key = control_plane.authority.issue("client", "/O=system:masters/CN=c", "extendedKeyUsage=clientAuth")
    paths = {"client-certificate": str(certificate), "client-key": str(key)}
    data = {f"{name}-data": base64.b64encode(Path(path).read_bytes()).decode() for name, path in paths.items()}

    for user in (paths, data):
        assert "kube-system" in _names(read_kubeconfig(control_plane.kubeconfig("certificate", user)))


def test_the_service_account_of_a_pod(control_plane, tmp_path):
    """In a pod, address, CA and token are those that Kubernetes puts there."""
    (tmp_path / "token").write_text(control_plane.admin_token, encoding="utf-8")
    (tmp_path / "ca.crt").write_bytes(control_plane.authority.certificate.read_bytes())
    environ = {"KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": str(control_plane.port)}

    assert "kube-system" in _names(read_pod_access(environ, tmp_path))


@pytest.mark.parametrize(
    ("cluster", "trusted"),
    [({"insecure-skip-tls-verify": True}, True), ({"insecure-skip-tls-verify": False}, False)],
)
def test_whom_to_trust(control_plane, cluster, trusted):
    """Without its CA the API server is trusted only where that was requested."""
    access = read_kubeconfig(control_plane.kubeconfig("trust", {"token": control_plane.admin_token}, **cluster))
    if trusted:
        assert "kube-system" in _names(access)
    else:
        with pytest.raises(KubernetesUnreachable, match=r"cannot be trusted: .*certificate verify failed"):
            _names(access)


@pytest.mark.parametrize("seconds", [None, -3600])
def test_a_token_that_is_wrong_or_has_expired(control_plane, seconds):
    """The API server refuses it, and the error says what to renew."""
    token = "wrong" if seconds is None else new_account(control_plane, "expired")(seconds)
    path = control_plane.kubeconfig("refused", {"token": token})

    with pytest.raises(KubernetesError, match="answers 401: Unauthorized: the token or certificate is wrong") as raised:
        _names(read_kubeconfig(path))
    assert str(path) in str(raised.value)
    assert raised.value.status == 401


def test_a_token_expires_and_is_renewed(control_plane, copies, tmp_path):
    """A watch outlives the token that it was opened with, but that is reported; a renewed one is taken up by itself."""
    token = new_account(control_plane, "expiring")
    file = tmp_path / "account"
    file.write_text(token(3600), encoding="utf-8")
    resources = [{"apiVersion": "v1", "kind": "ConfigMap"}]
    _, status = copies.start(resources, user={"tokenFile": str(file)}, probe=1)
    copies.equal("/api/v1/configmaps")

    file.write_text(token(-3600), encoding="utf-8")
    eventually(lambda: status.source_error, "the token has expired")
    assert "answers 401" in status.source_error
    file.write_text(token(3600), encoding="utf-8")
    eventually(lambda: status.source_error is None, "the new token is taken")
    control_plane.api("POST", "/api/v1/namespaces/default/configmaps", {"metadata": {"name": "after"}})
    copies.equal("/api/v1/configmaps")


def test_without_a_role(control_plane, copies):
    """A user who may not list is reported which resource that is, and what to allow."""
    reader = {"token": control_plane.reader_token}
    _, status = copies.start([NAMESPACES], user=reader)
    eventually(lambda: status.source_error, "the reader may not")
    assert 'cannot list resource "namespaces"' in status.source_error
    assert "let a role allow it, with the verbs list and watch" in status.source_error


def test_the_page_says_enough(control_plane, copies, define, opa):
    """With the configuration and the role of the page, and nothing more, clusters and ConfigMaps are replicated."""
    page = (CHECKOUT / "docs/reference/placement.md").read_text(encoding="utf-8")
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]
    roles = {block["metadata"]["name"]: block for block in blocks if block.get("kind") == "ClusterRole"}
    role = roles["warden-replicator"]
    [configured] = [block["kubernetes"] for block in blocks if "kubernetes" in block]
    [resources] = [source["resources"] for source in configured]
    clusters = define("cluster.karmada.io", "v1alpha1", "Cluster")
    cluster = {"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster", "metadata": {"name": "member"}}
    control_plane.api("POST", clusters, {**cluster, "spec": {"region": "europe-west1"}})
    namespace = resources[1]["namespace"]
    control_plane.api("POST", "/api/v1/namespaces", {"metadata": {"name": namespace}})
    for team in ("payments", "other"):
        thing = {"metadata": {"name": team, "labels": {"team": team}}}
        control_plane.api("POST", f"/api/v1/namespaces/{namespace}/configmaps", thing)

    group = "rbac.authorization.k8s.io"
    control_plane.api("POST", f"/apis/{group}/v1/clusterroles", role)
    binding = {
        "metadata": {"name": "reader"},
        "subjects": [{"kind": "User", "name": "reader", "apiGroup": group}],
        "roleRef": {"kind": "ClusterRole", "name": role["metadata"]["name"], "apiGroup": group},
    }
    control_plane.api("POST", f"/apis/{group}/v1/clusterrolebindings", binding)
    copies.start(resources, user={"token": control_plane.reader_token})
    copies.equal(clusters, f"/api/v1/namespaces/{namespace}/configmaps?labelSelector=team%3Dpayments")

    assert copies.copy()["clusterIndex"]["region"] == {"europe-west1": {"member": True}}
    system = control_plane.api("GET", "/api/v1/namespaces/kube-system")
    with OpaClient(opa.url, token=opa.tokens.replicator) as client:
        assert client.get_data(["kubernetes", "meta"])["clusterId"] == system["metadata"]["uid"]
    control_plane.api("DELETE", clusters)
