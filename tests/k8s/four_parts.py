"""OPA, replicator, webhook and remediator as processes of their own around one API server, as they are installed."""

import json
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import yaml

from tests.enforce.webhook.process import WebhookProcess
from tests.fixtures.warden_process import WardenProcess
from tests.k8s.control_plane import ControlPlane
from tests.k8s.definitions import resource_path
from tests.k8s.remediation.remediators import Remediation, configuration
from tests.k8s.webhook.webhooks import register
from warden.base.http.ports import find_free_port
from warden.base.process.closing import ManagedProgram
from warden.base.resources import find_shipped
from warden.policy.bundle.build import build_bundle
from warden.policy.bundle.contents import PolicySelection
from warden.policy.opa.local import LocalOpa

__all__ = ["FourParts"]


class FourParts(ManagedProgram):
    """All four; a context manager that ends them. OPA has the bundle of placement alone.

    Args:
        control_plane: The API server.
        directory: Where files go.
        clusters: ``apiVersion`` of the type ``Cluster`` that says what clusters are.
        policies: Namespace of ConfigMaps with policies.
        workloads: Namespace of the objects that are placed.
        remediator: Further keys of the remediator's configuration.
    """

    def __init__(
        self,
        control_plane: ControlPlane,
        directory: Path,
        clusters: str,
        policies: str,
        workloads: str,
        **remediator: Any,
    ) -> None:
        self._plane, self._directory = control_plane, directory
        self._clusters, self._policies, self._workloads = clusters, policies, workloads
        self._more = remediator
        self._stack = ExitStack()
        self._kubeconfig = control_plane.kubeconfig("four-parts", {"token": control_plane.admin_token})

    def start(self) -> None:
        """Start them, each once the one before is there."""
        bundle = build_bundle(
            self._directory / "b.tar.gz", policies=PolicySelection(find_shipped("policies"), "placement")
        )
        self._port = find_free_port()
        self.opa = self._stack.enter_context(LocalOpa(bundle, config_maps=f"http://127.0.0.1:{self._port}"))
        self._replicator()
        opa = {"url": self.opa.url, "token": {"file": str(self._file("token", self.opa.tokens.query))}, "timeout": 20}
        self.webhook = self._stack.enter_context(
            WebhookProcess(self._directory / "webhook", yaml.safe_dump({"opa": opa}))
        )
        self._stack.enter_context(register(self._plane, self.webhook, "four-parts"))
        directory, url, token = self._directory / "remediator", self.opa.url, self.opa.tokens.query
        config = configuration(directory, self._plane, url, token, self._workloads, **self._more)
        self.remediator = self._stack.enter_context(Remediation(config))

    def stop(self) -> None:
        """End them. May be called again."""
        self._stack.close()

    @property
    def pids(self) -> dict[str, int]:
        """The process ids of the four."""
        return {
            "OPA": self.opa.pid or 0,
            "replicator": self.replicator.pid,
            "webhook": self.webhook.pid,
            "remediator": self.remediator.pid,
        }

    def create(self, thing: dict[str, Any]) -> dict[str, Any]:
        """Create an object, by kubectl where that is present, and return it as it is stored.

        Raises:
            AssertionError: It is refused; the text has the reason.
        """
        if shutil.which("kubectl") is None:
            return self._plane.api("POST", resource_path(self._plane, thing), thing)
        command = ["kubectl", "--kubeconfig", str(self._kubeconfig), "create", "--output", "json", "--filename", "-"]
        done = subprocess.run(command, input=json.dumps(thing), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    def _replicator(self) -> None:
        resources = [{"apiVersion": self._clusters, "kind": "Cluster"}]
        replicated = {"kubeconfig": str(self._kubeconfig), "resources": resources, "interval": 0.5}
        followed = {"kubeconfig": str(self._kubeconfig), "namespace": self._policies}
        listen = {"address": f"127.0.0.1:{self._port}"}
        replicator = self._file("replicator.token", self.opa.tokens.replicator)
        policies = self._file("policies.token", self.opa.tokens.policies)
        document = {
            "opa": {"url": self.opa.url, "token": {"file": str(replicator)}},
            "kubernetes": [replicated],
            "policies": {**followed, "listen": listen, "token": {"file": str(policies)}},
        }
        self.replicator = self._stack.enter_context(WardenProcess("replicate", self._directory, document))

    def _file(self, name: str, text: str) -> Path:
        path = self._directory / name
        path.write_text(text, encoding="utf-8")
        return path
