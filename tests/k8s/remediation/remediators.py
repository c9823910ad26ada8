"""Remediators that a test starts, as processes of their own, and the objects that they look after."""

import json
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests
import yaml
from click.testing import CliRunner

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.patience import PATIENCE
from tests.fixtures.warden_process import WardenProcess
from tests.k8s.control_plane import ControlPlane
from warden.commands import remediate
from warden.enforce.remediate.config import read_config
from warden.enforce.remediate.events import RemediationEvents
from warden.enforce.remediate.patching import PatchResult
from warden.enforce.remediate.remediator import open_live
from warden.enforce.remediate.status import RemediatorStatus
from warden.enforce.remediate.undo_record import UndoRecord
from warden.enforce.remediate.worker import Worker
from warden.policy.opa.local import LocalOpa

__all__ = [
    "CLUSTERS",
    "PREFERENCES",
    "Remediation",
    "Workloads",
    "configuration",
    "drain",
    "open_worker",
    "run_command",
]

SEED = CHECKOUT / "tests/rego/placement/seed"
PREFERENCES = "federation.kubernetes.io/replica-set-preferences"
CLUSTERS = json.loads((SEED / "clusters.json").read_bytes())


def configuration(
    directory: Path, control_plane: ControlPlane, opa_url: str, token: str, namespace: str, **more: Any
) -> Path:
    """Write a configuration file for the ReplicaSets of one namespace and return its path.

    Args:
        directory: Where it goes.
        control_plane: The API server.
        opa_url: The OPA that decides.
        token: For that OPA.
        namespace: The only namespace that is looked at; the lease is there too.
        more: Further keys.
    """
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "token").write_text(token, encoding="utf-8")
    kubeconfig = {"token": control_plane.admin_token}
    document = {
        "opa": {"url": opa_url, "token": {"file": "token"}, "timeout": 60},
        "kubernetes": {"kubeconfig": str(control_plane.kubeconfig(f"remediator-{namespace}", kubeconfig))},
        "resources": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "namespace": namespace}],
        "debounce": 0.1,
        "rate": {"perSecond": 50, "burst": 50},
        "lease": {"namespace": namespace, "name": "remediator", "seconds": 30},
        "records": "records",
        **more,
    }
    path = directory / "remediator.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


def drain(worker: Worker) -> list[PatchResult]:
    """Patch until nothing is left; return what has become of each patch."""
    results = []
    while result := worker.patch_next():
        results.append(result)
        worker.decide()
    return results


def run_command(config: Path, *options: str) -> tuple[int, str]:
    """Run ``warden remediate`` in this process; return its exit status and what it prints."""
    result = CliRunner().invoke(remediate.command, ["--config", str(config), *options], standalone_mode=False)
    assert result.exception is None, result.exception
    return result.return_value, result.stdout


@contextmanager
def open_worker(config: Path) -> Iterator[Worker]:
    """Yield what has listed all objects and is to decide about them, by a configuration file."""
    settings, status = read_config(config), RemediatorStatus()
    with settings.opa.build_client() as client, open_live(settings) as live:
        worker = Worker(settings, client, UndoRecord(settings.records, "test"), status)
        worker.load(live, RemediationEvents(None, "test", status))
        yield worker


class Remediation(WardenProcess):
    """``warden remediate`` as a process; a context manager that ends it.

    Args:
        config: Its configuration file.
        options: Further options.
    """

    def __init__(self, config: Path, *options: str) -> None:
        super().__init__("remediate", config.parent, yaml.safe_load(config.read_text(encoding="utf-8")), *options)
        self.log = config.with_name(f"{config.stem}-{id(self)}.log")

    def kill(self) -> None:
        """End it by SIGKILL."""
        os.kill(self.pid, signal.SIGKILL)
        self.stop()

    def line(self, message: str) -> dict[str, Any] | None:
        """Return the first line with a message, None where there is none."""
        return next(iter(self.lines(message)), None)

    def ready(self) -> dict[str, Any]:
        """Return what ``/readyz`` shows."""
        return dict(requests.get(f"http://{self.begun['listen']}/readyz", timeout=PATIENCE).json())

    def metrics(self) -> dict[str, float]:
        """Return what ``/metrics`` shows, by the name with its labels."""
        text = requests.get(f"http://{self.begun['listen']}/metrics", timeout=PATIENCE).text
        pairs = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in pairs}


class Workloads:
    """ReplicaSets of one namespace, which demand clusters of the EU with level 2.

    Args:
        control_plane: The API server.
        opa: Which knows the clusters.
        namespace: Of the objects.
    """

    def __init__(self, control_plane: ControlPlane, opa: LocalOpa, namespace: str) -> None:
        self._control_plane, self._opa, self.namespace = control_plane, opa, namespace
        self._path = f"/apis/apps/v1/namespaces/{namespace}/replicasets"

    def create(self, name: str, clusters: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """Create one that is on some clusters, None for one that was never placed, with further metadata."""
        thing = json.loads((SEED / "query.json").read_bytes())["input"]
        metadata = {"name": name, "annotations": thing["metadata"]["annotations"], "labels": {}, **more}
        if clusters is not None:
            wish = {"rebalance": True, "clusters": {cluster: {"weight": 1} for cluster in clusters}}
            metadata["annotations"] = {**metadata["annotations"], PREFERENCES: json.dumps(wish)}
        return self._control_plane.api("POST", self._path, {**thing, "apiVersion": "apps/v1", "metadata": metadata})

    def get(self, name: str) -> dict[str, Any]:
        """Return one as it is stored."""
        return self._control_plane.api("GET", f"{self._path}/{name}")

    def put(self, thing: Mapping[str, Any]) -> dict[str, Any]:
        """Update one."""
        return self._control_plane.api("PUT", f"{self._path}/{thing['metadata']['name']}", thing)

    def delete(self, name: str = "") -> None:
        """Delete one, or all."""
        self._control_plane.api("DELETE", f"{self._path}/{name}".rstrip("/"))

    def placed(self, name: str) -> set[str] | None:
        """Return the clusters on which one is stored, None where nothing says so."""
        value = self.get(name)["metadata"]["annotations"].get(PREFERENCES)
        return None if value is None else set(json.loads(value)["clusters"])
