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
from tests.k8s.remediation.remediators import CLUSTERS
from warden.base.http.ports import find_free_port
from warden.base.process.child_process import Process
from warden.policy.bundle.build import Bundle
from warden.policy.opa.bundle_server import BundleServer

__all__ = ["define_clusters", "installed", "pass_probes", "rendered", "running"]


@contextmanager
def rendered(
    bundle: Bundle, directory: Path, components: Sequence[str] = (), more: Sequence[str] = ()
) -> Iterator[list[dict[str, Any]]]:
    """What kustomize makes, for an OPA that fetches a bundle; arguments as of `tests.k8s.deploy.pods.render`."""
    endpoint, key = BundleServer(bundle.path), bundle.key
    variables = {
        "URL": endpoint.url,
        "PATH": endpoint.resource,
        "TOKEN": endpoint.token,
        "KEY_ID": key.id,
        "KEY_ALGORITHM": key.algorithm,
        "KEY": json.dumps(key.path.read_text(encoding="utf-8"))[1:-1],
    }
    yield render(directory, {f"WARDEN_BUNDLE_{name}": value for name, value in variables.items()}, components, more)
    endpoint.stop()


_TYPES = (
    ("cluster.karmada.io", "v1alpha1", "Cluster", "Cluster"),
    ("work.karmada.io", "v1alpha2", "ResourceBinding", "Namespaced"),
)


def _define(control_plane: ControlPlane, group: str, version: str, kind: str, scope: str) -> None:
    """Have the API server know a type, whose objects hold anything."""
    plural = f"{kind.lower()}s"
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    spec = {
        "group": group,
        "scope": scope,
        "names": {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"},
        "versions": [{"name": version, "served": True, "storage": True, "schema": schema}],
    }
    definition = {"metadata": {"name": f"{plural}.{group}"}, "spec": spec}
    control_plane.api("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition)


def define_clusters(control_plane: ControlPlane) -> None:
    """Define the types that Karmada's own API server has."""
    for group, version, kind, scope in _TYPES:
        _define(control_plane, group, version, kind, scope)


@contextmanager
def installed(documents: Sequence[dict[str, Any]], audited: Path) -> Iterator[ControlPlane]:
    """An API server with Karmada's types and all manifests, each of which it has taken as it stands.

    Args:
        documents: The manifests.
        audited: The log of what service accounts of Warden's will want of it.
    """
    options = {"audit-policy-file": Path(__file__).with_name("audit.yaml"), "audit-log-path": audited}
    with ControlPlane(**options) as control_plane:
        define_clusters(control_plane)
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
    ports, policies = {name: find_free_port() for name in PARTS}, find_free_port()
    here = {
        "/usr/share/warden": str(CHECKOUT / "deploy"),
        "https://opa.warden.svc:8181": f"https://localhost:{ports['opa']}",
        "https://opa-0.opas.warden.svc:8181": f"https://localhost:{ports['opa']}",
        "https://localhost:8181": f"https://localhost:{ports['opa']}",
        "0.0.0.0:8181": f"127.0.0.1:{ports['opa']}",
        "0.0.0.0:9102": f"127.0.0.1:{ports['replicator']}",
        "0.0.0.0:8443": f"127.0.0.1:{ports['webhook']}",
        "https://replicator-0.replicator.warden.svc:9104": f"https://localhost:{policies}",
        "0.0.0.0:9104": f"127.0.0.1:{policies}",
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


def pass_probes(pods: Pods, name: str, process: Process, readiness: int = 200) -> None:
    """Wait until all probes of a part that was started pass, or its readiness is another; see `Pods.ports`."""
    [container] = pods.workload(name)["spec"]["template"]["spec"]["containers"]
    named: dict[object, int] = {container["ports"][0]["name"]: pods.ports[name]}
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        expected = readiness if probe == "readinessProbe" else 200
        passes = partial(_passes, pods, name, container[probe], named, expected)
        _pass(passes, process, f"{probe} of {name}", pods.logs[name])


def _passes(pods: Pods, name: str, probe: dict[str, Any], ports: dict[object, int], expected: int) -> bool:
    if "exec" in probe:
        return pods.execute(name, probe["exec"]["command"]) == 0
    return answers(probe, ports) == expected


def _pass(probe: Callable[[], bool], process: Process, what: str, log: Path) -> None:
    def passes() -> bool:
        assert process.is_alive, f"{what}: ended"
        return probe()

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
