"""What a reader of the page installs: rendered manifests, an API server that took them, the parts as processes."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ControlPlane
from tests.k8s.deploy.pods import NAMESPACE, PARTS, Pods, answers, apply, render
from tests.k8s.remediators import CLUSTERS
from warden.bundle.build import Bundle
from warden.opa.bundle_server import BundleEndpoint
from warden.process.ports import free_port
from warden.process.process import Process

__all__ = ["installed", "pass_probes", "rendered", "running"]


@contextmanager
def rendered(bundle: Bundle, directory: Path, components: Sequence[str] = ()) -> Iterator[list[dict[str, Any]]]:
    """What kustomize makes, for an OPA that fetches a bundle; arguments as of `tests.k8s.deploy.pods.render`."""
    endpoint, key = BundleEndpoint(bundle.path), bundle.key
    variables = {
        "URL": endpoint.url,
        "PATH": endpoint.resource,
        "TOKEN": endpoint.token,
        "KEY_ID": key.id,
        "KEY_ALGORITHM": key.algorithm,
        "KEY": json.dumps(key.path.read_text(encoding="utf-8"))[1:-1],
    }
    yield render(directory, {f"WARDEN_BUNDLE_{name}": value for name, value in variables.items()}, components)
    endpoint.stop()


@contextmanager
def installed(documents: Sequence[dict[str, Any]], audited: Path) -> Iterator[ControlPlane]:
    """An API server with Karmada's clusters and all manifests, each of which it has taken as it stands.

    Args:
        documents: The manifests.
        audited: The log of what service accounts of Warden's will want of it.
    """
    options = {"audit-policy-file": Path(__file__).with_name("audit.yaml"), "audit-log-path": audited}
    with ControlPlane(**options) as control_plane:
        schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
        spec = {
            "group": "cluster.karmada.io",
            "scope": "Cluster",
            "names": {"plural": "clusters", "singular": "cluster", "kind": "Cluster", "listKind": "ClusterList"},
            "versions": [{"name": "v1alpha1", "served": True, "storage": True, "schema": schema}],
        }
        definition = {"metadata": {"name": "clusters.cluster.karmada.io"}, "spec": spec}
        control_plane.api("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition)
        for document in documents:
            answer = apply(control_plane, document)
            assert answer.ok, f"{document['kind']} {document['metadata']['name']}: {answer.text}"
            assert "warning" not in answer.headers, answer.headers["warning"]
        yield control_plane


@contextmanager
def running(
    control_plane: ControlPlane, documents: Sequence[dict[str, Any]], opa_binary: Path, directory: Path
) -> Iterator[Pods]:
    """All four parts as processes, ready by their own probes, and the webhook's Service leading to this machine."""
    ports = {name: free_port() for name in PARTS}
    here = {
        "/usr/share/warden": str(CHECKOUT),
        "https://opa.warden.svc:8181": f"https://localhost:{ports['opa']}",
        "https://opa-0.opas.warden.svc:8181": f"https://localhost:{ports['opa']}",
        "0.0.0.0:8181": f"127.0.0.1:{ports['opa']}",
        "0.0.0.0:9102": f"127.0.0.1:{ports['replicator']}",
        "0.0.0.0:8443": f"127.0.0.1:{ports['webhook']}",
        "0.0.0.0:9103": f"127.0.0.1:{ports['remediator']}",
    }
    for name, cluster in CLUSTERS.items():
        thing = {"apiVersion": "cluster.karmada.io/v1alpha1", "kind": "Cluster", **cluster}
        thing["metadata"] = {**cluster["metadata"], "name": name}
        assert apply(control_plane, thing).ok
    pods = Pods(control_plane, documents, directory, here)
    pods.ports = ports
    try:
        started = {name: pods.start(name, opa_binary) for name in PARTS}
        for name, process in started.items():
            pass_probes(pods, name, process)
        _lead(control_plane, ports["webhook"])
        yield pods
    finally:
        pods.stop()


def pass_probes(pods: Pods, name: str, process: Process) -> None:
    """Wait until all probes of a part that was started pass; its port is in `Pods.ports`."""
    [container] = pods.workload(name)["spec"]["template"]["spec"]["containers"]
    named: dict[object, int] = {container["ports"][0]["name"]: pods.ports[name]}
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        _pass(partial(answers, container[probe], named), process, f"{probe} of {name}", pods.logs[name])


def _pass(status: Callable[[], int], process: Process, what: str, log: Path) -> None:
    def passes() -> bool:
        assert process.alive, f"{what}: ended"
        return status() == 200

    try:
        eventually(passes, what, 120)
    except AssertionError as error:
        raise AssertionError(f"{error}: {log.read_text(encoding='utf-8')[-4000:]}") from None


def _lead(control_plane: ControlPlane, port: int) -> None:
    """Have the webhook's Service, whose name and certificate stay, lead to this machine."""
    services = f"/api/v1/namespaces/{NAMESPACE}/services"
    control_plane.api("DELETE", f"{services}/webhook")
    spec = {"type": "ExternalName", "externalName": "localhost"}
    control_plane.api("POST", services, {"metadata": {"name": "webhook"}, "spec": spec})
    path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/warden-placement"

    def led() -> bool:
        stored = control_plane.api("GET", path)
        stored["webhooks"][0]["clientConfig"]["service"]["port"] = port
        with suppress(AssertionError):  # the webhook keeps failurePolicy in step
            return bool(control_plane.api("PUT", path, stored))
        return False

    eventually(led, "the registration leads to this machine")
