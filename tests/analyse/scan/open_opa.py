"""An OPA without authorization, whose site rules and data a test replaces as it likes."""

import json
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import requests

from tests.analyse.scan.site_endpoint import SiteEndpoint
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.http.ports import find_free_port
from warden.base.process.closing import ManagedProgram
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.unsigned import strip_signature
from warden.policy.opa.client import OpaClient

__all__ = ["OpenOpa"]


class OpenOpa(ManagedProgram):
    """An OPA with Warden's bundle, into which modules and data of a site are put.

    Args:
        program: OPA's program.
        bundle: Warden's bundle.
        directory: An empty directory for its files.
    """

    def __init__(self, program: Path, bundle: Bundle, directory: Path) -> None:
        self._bare = strip_signature(bundle.path, directory / "bare.tar.gz")
        self._program, self._directory = program, directory
        self.url = f"http://127.0.0.1:{find_free_port()}"
        self._process: subprocess.Popen[bytes] | None = None
        self._endpoint: SiteEndpoint | None = None
        self._modules: dict[str, str] = {}
        self._data: set[str] = set()

    def start(self) -> None:
        """Start OPA, and wait until it decides."""
        config = self._directory / "config.json"
        self._endpoint = self._endpoint or SiteEndpoint()
        revision = self._endpoint.publish({})
        config.write_text(json.dumps(_configuration(self._bare, self._endpoint)), "utf-8")
        address = self.url.removeprefix("http://")
        options = [f"--addr={address}", f"--config-file={config}", "--log-level=error", "--skip-version-check"]
        with (self._directory / "log").open("wb") as log:
            self._process = subprocess.Popen([str(self._program), "run", "--server", *options], stdout=log, stderr=log)
        with self.build_client() as client:
            while not client.is_healthy():
                assert self._process.poll() is None, (self._directory / "log").read_text("utf-8")
                time.sleep(0.05)
        self._await(revision)

    def stop(self) -> None:
        """End OPA."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
        if self._endpoint is not None:
            self._endpoint.stop()
            self._endpoint = None

    def build_client(self) -> OpaClient:
        """Return a new client."""
        return OpaClient(self.url)

    def load(self, modules: Mapping[str, str], data: Mapping[str, Any], clusters: Mapping[str, Any]) -> None:
        """Replace the modules of the site, what lies under ``data.site``, and the clusters that are replicated."""
        for name in self._data - data.keys():
            requests.delete(f"{self.url}/v1/data/site/{name}", timeout=PATIENCE).raise_for_status()
        self._data = set(data)
        for path, document in ({f"site/{name}": part for name, part in data.items()} | {"clusters": clusters}).items():
            requests.put(f"{self.url}/v1/data/{path}", json=document, timeout=PATIENCE).raise_for_status()
        if self._modules != modules and self._endpoint is not None:
            self._await(self._endpoint.publish(modules))
            self._modules = dict(modules)

    def _await(self, revision: str) -> None:
        """Wait until OPA decides by a bundle of the site's modules."""
        eventually(lambda: self._active_revision() == revision, f"OPA has taken up the site's bundle {revision}")

    def _active_revision(self) -> str | None:
        status = requests.get(f"{self.url}/v1/status", timeout=PATIENCE).json()["result"]["bundles"]["site"]
        assert "code" not in status, status
        found: str | None = status.get("active_revision")
        return found


def _configuration(bundle: Path, endpoint: SiteEndpoint) -> dict[str, Any]:
    polling = {"polling": {"long_polling_timeout_seconds": 10}}
    return {
        "services": {"site": {"url": endpoint.url}},
        "bundles": {
            "warden": {"resource": bundle.absolute().as_uri()},
            "site": {"service": "site", "resource": "site", **polling},
        },
        "status": {"prometheus": True},  # by which it says what is active
    }
