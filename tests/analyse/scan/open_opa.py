"""An OPA without authorization, whose site rules and data a test replaces as it likes."""

import json
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import requests

from tests.fixtures.patience import PATIENCE
from warden.base.process.ports import free_port
from warden.base.process.running import Running
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.unsigned import strip_signature
from warden.policy.opa.client import OpaClient

__all__ = ["OpenOpa"]


class OpenOpa(Running):
    """An OPA with Warden's bundle, into which modules and data of a site are put.

    Args:
        program: OPA's program.
        bundle: Warden's bundle.
        directory: An empty directory for its files.
    """

    def __init__(self, program: Path, bundle: Bundle, directory: Path) -> None:
        self._bare = strip_signature(bundle.path, directory / "bare.tar.gz")
        self._program, self._directory = program, directory
        self.url = f"http://127.0.0.1:{free_port()}"
        self._process: subprocess.Popen[bytes] | None = None
        self._modules: dict[str, str] = {}

    def start(self) -> None:
        """Start OPA, and wait until it decides."""
        config = self._directory / "config.json"
        config.write_text(json.dumps({"bundles": {"warden": {"resource": self._bare.absolute().as_uri()}}}), "utf-8")
        address = self.url.removeprefix("http://")
        options = [f"--addr={address}", f"--config-file={config}", "--log-level=error", "--skip-version-check"]
        with (self._directory / "log").open("wb") as log:
            self._process = subprocess.Popen([str(self._program), "run", "--server", *options], stdout=log, stderr=log)
        with self.client() as client:
            while not client.health():
                assert self._process.poll() is None, (self._directory / "log").read_text("utf-8")
                time.sleep(0.05)

    def stop(self) -> None:
        """End OPA."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def client(self) -> OpaClient:
        """Return a new client."""
        return OpaClient(self.url)

    def load(self, modules: Mapping[str, str], data: Mapping[str, Any], clusters: Mapping[str, Any]) -> None:
        """Replace the modules of the site, what lies under ``data.site``, and the clusters that are replicated."""
        for name in self._modules.keys() - modules.keys():
            requests.delete(f"{self.url}/v1/policies/{name}", timeout=PATIENCE).raise_for_status()
        for root, document in (("site", data), ("clusters", clusters)):
            requests.put(f"{self.url}/v1/data/{root}", json=document, timeout=PATIENCE).raise_for_status()
        for name, text in modules.items():
            if self._modules.get(name) != text:
                answer = requests.put(f"{self.url}/v1/policies/{name}", data=text.encode(), timeout=PATIENCE)
                assert answer.ok, f"{text}\n{answer.text}"
        self._modules = dict(modules)
