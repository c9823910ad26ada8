"""Service accounts that may do everything, and tokens of theirs."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPSConnection
from typing import Any

import requests

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.k8s.control_plane import ISSUER, ControlPlane
from warden.base.errors import KubernetesError
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.kubeconfig import read_kubeconfig

__all__ = ["new_account", "refused_as_busy"]

_FLOW_CONTROL = "/apis/flowcontrol.apiserver.k8s.io/v1"


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
            ApiServer(read_kubeconfig(control_plane.kubeconfig(name, {"token": token(3600)}))) as api,
            suppress(KubernetesError),
        ):
            return api.get("/api/v1/configmaps")
        return None

    eventually(known, f"the API server knows {name} and what it may do")
    return token


@contextmanager
def refused_as_busy(control_plane: ControlPlane, name: str, token: str) -> Iterator[None]:
    """Have the API server answer each request of an account of `new_account` with 429 and Retry-After for a while.

    The account has a priority level of its own without a seat or a queue. The API server admits one request there all
    the same, as long as no other is at work, so one is: a request whose body never comes, for which it waits a minute.
    A watch that is open already goes on. An administrator would not do, since ``system:masters`` is exempt.

    Args:
        control_plane: The API server.
        name: Of the account.
        token: Of the account.
    """
    login = {"Authorization": f"Bearer {token}"}
    trust = str(control_plane.authority.certificate)
    limited = {
        "nominalConcurrencyShares": 0,
        "lendablePercent": 0,
        "borrowingLimitPercent": 0,
        "limitResponse": {"type": "Reject"},
    }
    subject = {"kind": "ServiceAccount", "serviceAccount": {"namespace": "default", "name": name}}
    anything = {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "namespaces": ["*"], "clusterScope": True}
    flow = {
        "priorityLevelConfiguration": {"name": name},
        "matchingPrecedence": 2,
        "rules": [{"subjects": [subject], "resourceRules": [anything]}],
    }
    kinds = {
        "prioritylevelconfigurations": {"type": "Limited", "limited": limited},
        "flowschemas": flow,
    }

    def answer() -> requests.Response:
        return requests.get(f"{control_plane.url}/api/v1/namespaces", headers=login, verify=trust, timeout=PATIENCE)

    for kind, spec in kinds.items():
        control_plane.api("POST", f"{_FLOW_CONTROL}/{kind}", {"metadata": {"name": name}, "spec": spec})
    context = ssl.create_default_context(cafile=trust)
    with closing(HTTPSConnection("127.0.0.1", control_plane.port, context=context)) as waiting:

        def refused() -> bool:
            """Whether the request that waits is at work on the level, so that another one is refused."""
            waiting.close()
            waiting.putrequest("POST", "/api/v1/namespaces/default/configmaps")
            for header, value in {**login, "Content-Type": "application/json", "Content-Length": "2"}.items():
                waiting.putheader(header, value)
            waiting.endheaders()
            return answer().status_code == 429

        try:
            eventually(refused, "the API server answers 429")
            assert int(answer().headers["Retry-After"]) > 0
            yield
            assert answer().status_code == 429, "the API server has answered again before the end"
        finally:
            for kind in reversed(kinds):
                control_plane.api("DELETE", f"{_FLOW_CONTROL}/{kind}/{name}")
    eventually(lambda: answer().ok, "the API server answers")
