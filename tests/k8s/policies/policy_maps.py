"""The ConfigMaps of a test, the replicator that follows them, and an OPA that fetches them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ControlPlane
from warden.base.errors import OpaError
from warden.base.http.ports import find_free_port
from warden.base.process.closing import ManagedProgram
from warden.policy.bundle.build import Bundle
from warden.policy.opa.local import LocalOpa
from warden.state.replicate.config import read_config
from warden.state.replicate.replicator import Replicator

__all__ = ["STATUS", "THING", "Maps", "open_maps", "policy"]

STATUS = "openpolicyagent.org/policy-status"
THING = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a", "namespace": "b"}}


def policy(text: str, package: str = "site.placement") -> str:
    """Return a policy that warns."""
    return f'package {package}\n\nwarnings contains "{text}"\n'


@contextmanager
def open_maps(
    plane: ControlPlane, bundle: Bundle, directory: Path, namespace: str, *tenants: str, **more: Any
) -> Iterator["Maps"]:
    """Run an OPA that fetches the policies of ConfigMaps; the replicator that follows these is yet to be started.

    Args:
        plane: The API server.
        bundle: Of the OPA.
        directory: For the replicator's files.
        namespace: Of policies about everything.
        tenants: Namespaces of policies about themselves.
        more: Further keys of the replicator's configuration.
    """
    at = f"127.0.0.1:{find_free_port()}"
    with LocalOpa(bundle, config_maps=f"http://{at}") as opa:
        token = directory / "policies-token"
        token.write_text(opa.tokens.policies, encoding="utf-8")
        followed = {
            "kubeconfig": str(plane.kubeconfig("policies", {"token": plane.admin_token})),
            "namespace": namespace,
            "token": {"file": str(token)},
            "listen": {"address": at},
            "namespaces": [{"name": tenant} for tenant in tenants],
        }
        path = directory / "replicator.yaml"
        path.write_text(yaml.safe_dump({"opa": {"url": opa.url}, "policies": followed, **more}), encoding="utf-8")
        yield Maps(plane, opa, path, namespace)


class Maps(ManagedProgram):
    """ConfigMaps of an API server, and what OPA decides with them.

    Args:
        plane: The API server.
        opa: The OPA, which runs.
        configuration: The replicator's file.
        namespace: Of policies about everything.
    """

    def __init__(self, plane: ControlPlane, opa: LocalOpa, configuration: Path, namespace: str) -> None:
        self.plane, self.opa, self.configuration, self.namespace = plane, opa, configuration, namespace
        self.shop = self.pay = self.unlisted = ""  # namespaces of tenants, where a test has some
        self.replicator: Replicator | None = None

    def start(self) -> None:
        """Start a replicator."""
        self.replicator = Replicator(read_config(self.configuration))
        self.replicator.start()

    def stop(self) -> None:
        """Stop it."""
        if self.replicator is not None:
            self.replicator.stop()
        self.replicator = None

    def observed(self) -> datetime:
        """Return the moment before which the replicator misses nothing."""
        assert self.replicator is not None
        return self.replicator.statuses[-1].observed or datetime.min.replace(tzinfo=UTC)

    def path(self, name: str = "", namespace: str | None = None) -> str:
        """Return the path of a ConfigMap, or of all."""
        return f"/api/v1/namespaces/{namespace or self.namespace}/configmaps/{name}".rstrip("/")

    def names(self, namespace: str | None = None) -> set[str]:
        """Return the names of all ConfigMaps of a namespace."""
        return {item["metadata"]["name"] for item in self.plane.api("GET", self.path("", namespace))["items"]}

    def write(
        self,
        name: str,
        data: dict[str, str] | None = None,
        namespace: str | None = None,
        labels: dict[str, str] | None = None,
        **more: Any,
    ) -> None:
        """Create or replace a ConfigMap."""
        thing = {"metadata": {"name": name, "labels": labels or {}}, "data": data or {}, **more}
        there = name in self.names(namespace)
        method, path = ("PUT", self.path(name, namespace)) if there else ("POST", self.path("", namespace))
        self.plane.api(method, path, thing)

    def delete(self, name: str, namespace: str | None = None) -> None:
        """Delete a ConfigMap."""
        self.plane.api("DELETE", self.path(name, namespace))

    def status(self, name: str, namespace: str | None = None) -> dict[str, Any]:
        """Return what a ConfigMap says of itself."""
        annotations = self.plane.api("GET", self.path(name, namespace))["metadata"].get("annotations") or {}
        return dict(json.loads(annotations.get(STATUS, "{}")))

    def says_ok(self, name: str, namespace: str | None = None) -> bool:
        """Whether a ConfigMap says that it is in force."""
        return self.status(name, namespace) == {"status": "ok"}

    def answer(self, namespace: str = "b") -> dict[str, Any]:
        """Return what OPA says of an object of a namespace."""
        thing = {**THING, "metadata": {"name": "a", "namespace": namespace}}
        with self.opa.build_client() as client:
            return dict(client.evaluate("io/k8s/federation/admission", thing))

    def warns(self, *texts: str, namespace: str = "b") -> None:
        """Wait until OPA admits an object of a namespace with these warnings and no others."""
        last: list[Any] = []

        def same() -> bool:
            try:
                last[:] = [self.answer(namespace)]
            except OpaError as error:
                last[:] = [error]
            return last == [{"annotations": {}, **({"warnings": sorted(texts)} if texts else {})}]

        eventually(same, f"OPA warns of {texts}")

    def refuses(self, name: str, *parts: str, namespace: str | None = None) -> dict[str, Any]:
        """Wait until a ConfigMap says that it is in error, with these words, and return what it says."""

        def said() -> dict[str, Any] | None:
            status = self.status(name, namespace)
            found = status.get("status") == "error" and all(part in status["error"] for part in parts)
            return status if found else None

        return dict(eventually(said, f"the status of {name} says {parts}"))
