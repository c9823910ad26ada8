"""`warden webhook` as a process of its own, with certificates made for it."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import requests

from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.process.process import Process
from warden.base.process.running import Running

__all__ = ["WebhookProcess"]


class WebhookProcess(Running):
    """A context manager that ends the process.

    Args:
        directory: Where its files go.
        config: Text of its configuration.

    Attributes:
        authority: Who signed its certificate.
        address: Where it listens, once it does.
    """

    def __init__(self, directory: Path, config: str) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.authority = Authority(directory)
        self.certificate, self.key = self.issue()
        self.config = directory / "webhook.yaml"
        self.config.write_text(config, encoding="utf-8")
        self.log = directory / "webhook.log"
        self.address = ""
        self._process: Process | None = None

    def issue(self) -> tuple[Path, Path]:
        """Make a new certificate, in place of the one before."""
        return self.authority.issue("webhook", "/CN=webhook", "subjectAltName=IP:127.0.0.1")

    def start(self) -> None:
        """Start it, and wait until it listens."""
        files = ("--config", self.config, "--certificate", self.certificate, "--key", self.key)
        command = [sys.executable, "-m", "warden", "webhook", *map(str, files), "--listen", "127.0.0.1:0"]
        self._process = Process(command, dict(os.environ), self.log)
        self.address = eventually(self._listening, "the webhook listens")

    @property
    def pid(self) -> int:
        """Its process id, while it runs."""
        assert self._process is not None
        return self._process.pid

    def stop(self) -> None:
        """End it. May be called again."""
        if self._process is not None:
            self._process.stop()
            self._process = None

    def lines(self) -> list[dict[str, Any]]:
        """Return its log."""
        text = self.log.read_text(encoding="utf-8") if self.log.exists() else ""
        return [json.loads(line) for line in text.splitlines() if line.startswith("{") and line.endswith("}")]

    def send(self, review: Any, *, timeout: str = f"{PATIENCE:g}s") -> requests.Response:
        """Send what is no JSON text yet as JSON, and bytes as they are."""
        body = review if isinstance(review, bytes) else json.dumps(review).encode()
        url = f"https://{self.address}/mutate?timeout={timeout}"
        return requests.post(url, data=body, verify=str(self.authority.certificate), timeout=PATIENCE)

    def _listening(self) -> str | None:
        assert self._process is not None
        assert self._process.alive, self.log.read_text(encoding="utf-8")
        return next((line["address"] for line in self.lines() if line["message"] == "listening"), None)
