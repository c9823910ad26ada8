"""Replicators that a test starts, and the comparison at the end of each: OPA's copy equals the API server's list."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import yaml

from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ControlPlane
from warden.base.errors import OpaUndefined
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa
from warden.state.replicate.config import read_config
from warden.state.replicate.replicator import Replicator
from warden.state.replicate.status import SourceStatus

__all__ = ["Copies", "Selection"]

Selection = dict[str, str]
"""One type under ``resources:``, such as ``{"apiVersion": "v1", "kind": "ConfigMap"}``."""


class Copies:
    """Starts replicators with a configuration file each, and stops them at the end; a context manager.

    Args:
        control_plane: What is replicated.
        opa: Where to.
        client: A client of it with the replicator's token.
        directory: For configuration files.
    """

    def __init__(self, control_plane: ControlPlane, opa: LocalOpa, client: OpaClient, directory: Path) -> None:
        self._control_plane, self._opa, self._client, self._directory = control_plane, opa, client, directory
        self._started: list[Replicator] = []
        self._written = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for replicator in self._started:
            replicator.stop()

    def start(
        self,
        resources: Sequence[Selection],
        *,
        user: dict[str, Any] | None = None,
        server: str | None = None,
        **more: Any,
    ) -> tuple[Replicator, SourceStatus]:
        """Start a replicator and return it with the status of its one source; arguments as of `configuration`."""
        path = self.configuration(resources, user=user, server=server, **more)
        replicator = Replicator(read_config(path))
        self._started.append(replicator)
        replicator.start()
        return replicator, replicator.statuses[0]

    def configuration(
        self,
        resources: Sequence[Selection],
        *,
        user: dict[str, Any] | None = None,
        server: str | None = None,
        **more: Any,
    ) -> Path:
        """Write a configuration file and return its path.

        Args:
            resources: What is replicated.
            user: Of its kubeconfig; an administrator where none is given.
            server: Address of the API server; the real one where none is given.
            more: Further keys of the source.
        """
        self._written += 1
        number = self._written
        admin = {"token": self._control_plane.admin_token}
        token = self._directory / f"{number}.token"
        token.write_text(self._opa.tokens.replicator, encoding="utf-8")
        kubeconfig = self._control_plane.kubeconfig(f"replicator-{number}", user or admin, server=server)
        source = {"kubeconfig": str(kubeconfig), "resources": list(resources), "lease": 3, "interval": 0.5, **more}
        path = self._directory / f"{number}.yaml"
        document = {"opa": {"url": self._opa.url, "token": {"file": str(token)}}, "kubernetes": [source]}
        path.write_text(yaml.safe_dump(document), encoding="utf-8")
        return path

    def copy(self) -> dict[str, Any]:
        """Return what OPA has under data.kubernetes, without meta."""
        try:
            found: dict[str, Any] = self._client.get_data(["kubernetes"])
        except OpaUndefined:
            return {}
        found.pop("meta", None)
        return found

    def listed(self, *paths: str) -> dict[str, Any]:
        """Return what the copy should be: what the API server lists at some paths, and the rule's index of clusters."""
        document: dict[str, Any] = {}
        for path in paths:
            plural = path.partition("?")[0].rpartition("/")[2]
            answer = self._control_plane.api("GET", path)
            below = document.setdefault(plural, {})
            for item in answer["items"]:
                item["metadata"].pop("managedFields", None)
                kind = {"apiVersion": answer["apiVersion"], "kind": answer["kind"].removesuffix("List")}
                space = item["metadata"].get("namespace")
                (below.setdefault(space, {}) if space else below)[item["metadata"]["name"]] = {**kind, **item}
        if "clusters" in document:
            document["clusterIndex"] = self.index(document["clusters"])
        return document

    def index(self, clusters: dict[str, Any]) -> dict[str, Any]:
        """Return what the rule makes of clusters."""
        found: dict[str, Any] = self._client.evaluate("io/k8s/federation/index", {"clusters": clusters})
        return found

    def equal(self, *paths: str) -> None:
        """Wait until OPA's copy is what the API server lists."""
        wanted = self.listed(*paths)

        def same() -> bool:
            return self.copy() == (wanted := self.listed(*paths)) and bool(wanted)

        try:
            eventually(same, "OPA's copy equals the API server's list")
        except AssertionError as error:
            statuses = [status.to_document() for replicator in self._started for status in replicator.statuses]
            shown = json.dumps({"OPA": self.copy(), "listed": wanted, "statuses": statuses}, indent=1, default=str)
            raise AssertionError(f"{error}: {shown}") from None
