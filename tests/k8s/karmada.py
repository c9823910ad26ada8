"""Karmada's own scheduler, controller manager and webhook, before an API server of tests.

``python -m tests.k8s.karmada`` builds them with Go, which takes minutes; tests that need them are skipped until then.
"""

import base64
import os
import shutil
import socket
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import yaml

from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ControlPlane
from tests.k8s.definitions import KARMADA, define_type, structural
from tools.toolchain.golang import build_published_with_path_go, copy_module_files
from warden.base.errors import WardenError
from warden.base.http.ports import find_free_port
from warden.base.process.child_process import Process
from warden.base.process.closing import ManagedProgram
from warden.base.toolchain.cache import Cache

__all__ = ["Karmada", "find_programs"]

_MODULE, _CHECKSUM = KARMADA
_PROGRAMS: Final = ("scheduler", "controller-manager", "webhook")
_DEFINITIONS: Final = [
    f"charts/karmada/_crds/bases/{file}.yaml"
    for file in (
        "apps/apps.karmada.io_workloadrebalancers",
        "config/config.karmada.io_resourceinterpretercustomizations",
        "config/config.karmada.io_resourceinterpreterwebhookconfigurations",
        "networking/networking.karmada.io_multiclusterservices",
        "policy/policy.karmada.io_clusteroverridepolicies",
        "policy/policy.karmada.io_clusterpropagationpolicies",
        "policy/policy.karmada.io_clustertaintpolicies",
        "policy/policy.karmada.io_federatedresourcequotas",
        "policy/policy.karmada.io_overridepolicies",
        "policy/policy.karmada.io_propagationpolicies",
        "remedy/remedy.karmada.io_remedies",
        "work/work.karmada.io_clusterresourcebindings",
        "work/work.karmada.io_resourcebindings",
        "work/work.karmada.io_works",
    )
]
_REGISTRATIONS: Final = "/apis/admissionregistration.k8s.io/v1"
_ANYTHING: Final = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def _name() -> str:
    return f"karmada-{_MODULE.rpartition('@')[2]}-{os.uname().sysname}-{os.uname().machine}".lower()


def find_programs() -> Path | None:
    """Return the directory of the programs, None where nobody has built them."""
    directory = Cache.from_environment(os.environ).root / _name()
    return directory if directory.is_dir() else None


def _build(directory: Path) -> None:
    for name in _PROGRAMS:
        build_published_with_path_go(_MODULE, _CHECKSUM, directory / name, package=f"cmd/{name}")
    copy_module_files(_MODULE, _CHECKSUM, _DEFINITIONS, directory)


class Karmada(ManagedProgram):
    """The three programs; a context manager. Clusters are objects of a type of ours, since Karmada aggregates an API.

    Args:
        control_plane: The API server.
        programs: As of `find_programs`.
        directory: For logs and certificates.
    """

    def __init__(self, control_plane: ControlPlane, programs: Path, directory: Path) -> None:
        self._plane, self._programs, self._directory = control_plane, programs, directory
        self._started: list[Process] = []

    def start(self) -> None:
        """Have the API server know all types, and start the programs."""
        for file in sorted(self._programs.glob("*.yaml")):
            define_type(self._plane, yaml.safe_load(file.read_bytes()))
        clusters = structural("cluster.karmada.io/v1alpha1", "Cluster", _ANYTHING, namespaced=False)
        version = clusters["spec"]["versions"][0]
        version["schema"]["openAPIV3Schema"]["properties"]["status"] = _ANYTHING
        define_type(self._plane, clusters)
        self._plane.api("POST", "/api/v1/namespaces", {"metadata": {"name": "karmada-system"}})
        port = find_free_port()
        certificate, key = self._plane.authority.issue("karmada", "/CN=karmada", "subjectAltName=IP:127.0.0.1")
        shutil.copy(certificate, self._directory / "tls.crt")
        shutil.copy(key, self._directory / "tls.key")
        address = ["--bind-address=127.0.0.1", f"--secure-port={port}", f"--cert-dir={self._directory}"]
        self._run("webhook", *address)
        self._run("scheduler", "--leader-elect=false", "--enable-scheduler-estimator=false")
        self._run("controller-manager", "--leader-elect=false", "--controllers=binding")
        eventually(partial(_answers, port), "Karmada's webhook listens")
        self._register(port)

    def stop(self) -> None:
        """End the programs. May be called again."""
        while self._started:
            self._started.pop().stop()

    def join(self, name: str, region: str) -> None:
        """Make a cluster that is ready and takes Deployments."""
        condition = {"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}
        enabled = {"groupVersion": "apps/v1", "resources": [{"kind": "Deployment", "name": "deployments"}]}
        thing = {
            "apiVersion": "cluster.karmada.io/v1alpha1",
            "kind": "Cluster",
            "metadata": {"name": name},
            "spec": {"syncMode": "Pull", "region": region},
            "status": {"conditions": [{**condition, "reason": "a", "message": ""}], "apiEnablements": [enabled]},
        }
        self._plane.api("POST", "/apis/cluster.karmada.io/v1alpha1/clusters", thing)

    def _run(self, name: str, *options: str) -> None:
        kubeconfig = self._plane.kubeconfig("karmada", {"token": self._plane.admin_token})
        common = [f"--kubeconfig={kubeconfig}", "--health-probe-bind-address=0", "--metrics-bind-address=0"]
        command = [str(self._programs / name), *common, *options]
        self._started.append(Process(command, dict(os.environ), self._directory / f"{name}.log"))

    def _register(self, port: int) -> None:
        """Have the API server ask Karmada's webhook about policies, as Karmada's own manifests do."""
        authority = base64.b64encode(self._plane.authority.certificate.read_bytes()).decode()
        resources = {"apiGroups": ["policy.karmada.io"], "apiVersions": ["*"], "resources": ["propagationpolicies"]}
        for kind, verb in (("Mutating", "mutate"), ("Validating", "validate")):
            url = f"https://127.0.0.1:{port}/{verb}-propagationpolicy"
            webhook: dict[str, Any] = {
                "name": "propagationpolicy.karmada.io",
                "rules": [{"operations": ["CREATE", "UPDATE"], **resources}],
                "clientConfig": {"url": url, "caBundle": authority},
                "sideEffects": "None",
                "admissionReviewVersions": ["v1"],
            }
            path = f"{_REGISTRATIONS}/{kind.lower()}webhookconfigurations"
            self._plane.api("POST", path, {"metadata": {"name": "karmada"}, "webhooks": [webhook]})


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


if __name__ == "__main__":
    try:
        print(Cache.from_environment(os.environ).obtain(_name(), _build))
    except WardenError as trouble:
        print(f"warden: {trouble}", file=sys.stderr)
        sys.exit(2)
