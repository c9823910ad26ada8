"""`warden webhook` as a process of its own, with certificates made for it."""

import json
from pathlib import Path
from typing import Any

import requests
import yaml

from tests.fixtures.certificates import Authority
from tests.fixtures.patience import PATIENCE
from tests.fixtures.warden_process import WardenProcess

__all__ = ["WebhookProcess"]


class WebhookProcess(WardenProcess):
    """A context manager that ends the process.

    Args:
        directory: Where its files go.
        config: Text of its configuration.

    Attributes:
        authority: Who signed its certificate.
    """

    def __init__(self, directory: Path, config: str) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.authority = Authority(directory)
        self.certificate, self.key = self.issue()
        files = ("--certificate", str(self.certificate), "--key", str(self.key))
        super().__init__("webhook", directory, yaml.safe_load(config), *files)

    @property
    def address(self) -> str:
        """Where it listens, once it does."""
        return str(self.begun["address"])

    def issue(self) -> tuple[Path, Path]:
        """Make a new certificate, in place of the one before."""
        return self.authority.issue("webhook", "/CN=webhook", "subjectAltName=IP:127.0.0.1")

    def send(self, review: Any, *, timeout: str = f"{PATIENCE:g}s") -> requests.Response:
        """Send what is not JSON text yet as JSON, and bytes as they are."""
        body = review if isinstance(review, bytes) else json.dumps(review).encode()
        url = f"https://{self.address}/mutate?timeout={timeout}"
        return requests.post(url, data=body, verify=str(self.authority.certificate), timeout=PATIENCE)
