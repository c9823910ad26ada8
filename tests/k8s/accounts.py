"""Service accounts that may do everything, and tokens of theirs."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ISSUER, ControlPlane
from warden.errors import KubernetesError
from warden.sources.kubernetes.api import ApiServer
from warden.sources.kubernetes.kubeconfig import kubeconfig

__all__ = ["new_account"]


def new_account(control_plane: ControlPlane, name: str) -> Callable[[int], str]:
    """Make one in the namespace default; return what makes tokens of it that are good for some seconds."""
    uid = control_plane.api("POST", "/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": name}})
    binding = {
        "metadata": {"name": name},
        "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": "default"}],
        "roleRef": {"kind": "ClusterRole", "name": "cluster-admin", "apiGroup": "rbac.authorization.k8s.io"},
    }
    control_plane.api("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", binding)

    def token(seconds: int) -> str:
        return control_plane.authority.token(ISSUER, f"default:{name}", uid["metadata"]["uid"], seconds)

    def known() -> dict[str, Any] | None:
        with (
            ApiServer(kubeconfig(control_plane.kubeconfig(name, {"token": token(3600)}))) as api,
            suppress(KubernetesError),
        ):
            return api.get("/api/v1/configmaps")
        return None

    eventually(known, f"the API server knows {name} and what it may do")
    return token
