"""A webhook that a real API server asks, and what sends objects to that API server."""

import contextlib
import io
import json
from collections.abc import Iterator
from typing import Any, Final

import pytest
import requests
import yaml

from tests.enforce.webhook.process import WebhookProcess
from tests.fixtures.patience import PATIENCE
from tests.k8s.control_plane import ControlPlane
from tests.k8s.remediation.remediators import SEED
from warden.commands import main

__all__ = ["CONFIG", "PLACED", "REGISTRATIONS", "Server", "register", "registration", "thing"]

PLACED: Final = '{"clusters":{"gce-europe-west1":{"weight":1},"gce-europe-west2":{"weight":1}},"rebalance":true}'
"""The annotation of the design's example, as it is stored."""

# Less than the API server waits (30 s), with room for a machine that is busy.
CONFIG: Final = "opa: {{url: '{url}', token: {{file: token}}, pause: 0, timeout: 12, attempts: 2}}\n"
REGISTRATIONS: Final = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"


def thing(**metadata: Any) -> dict[str, Any]:
    """Return the object of the design's example, in the version that the API server of today has."""
    found = json.loads((SEED / "query.json").read_bytes())["input"]
    kept = {name: found["metadata"][name] for name in ("annotations", "labels")}
    return {**found, "apiVersion": "apps/v1", "metadata": {**kept, **metadata}}


class Server:
    """Sends ReplicaSets to the API server and returns its answer, whatever it is.

    Args:
        control_plane: The API server.
        namespace: Of the objects.
        token: Of whoever sends; None for an administrator's.
    """

    def __init__(self, control_plane: ControlPlane, namespace: str, token: str | None = None) -> None:
        self._plane, self.path = control_plane, f"/apis/apps/v1/namespaces/{namespace}/replicasets"
        self._headers = {"Authorization": f"Bearer {token or control_plane.admin_token}"}

    def send(
        self, method: str, document: Any = None, name: str = "", query: str = "", patch: str = "merge-patch+json"
    ) -> requests.Response:
        """Send one request; bytes are sent as they are, all else as JSON, a patch in one of its forms."""
        url = f"{self._plane.url}{self.path}/{name}{query}".replace("/?", "?").rstrip("/")
        trust = str(self._plane.authority.certificate)
        headers = {**self._headers, "Content-Type": f"application/{patch if method == 'PATCH' else 'json'}"}
        body = document if isinstance(document, bytes | None) else json.dumps(document).encode()
        return requests.request(method, url, data=body, headers=headers, verify=trust, timeout=PATIENCE)


def registration(webhook: WebhookProcess) -> dict[str, Any]:
    """Return the manifest that the webhook's command prints."""
    url = f"https://{webhook.address}/mutate"
    options = ["--config", str(webhook.config), "--authority", str(webhook.authority.certificate), "--url", url]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), pytest.raises(SystemExit) as ended:
        main(["webhook", "registration", *options, "--timeout", "30"])
    assert ended.value.code == 0
    return dict(yaml.safe_load(printed.getvalue()))


@contextlib.contextmanager
def register(
    control_plane: ControlPlane, webhook: WebhookProcess, name: str = "warden-placement", **changes: Any
) -> Iterator[str]:
    """Have the API server ask a webhook for a while, and yield where its registration is.

    Args:
        control_plane: The API server.
        webhook: What it asks.
        name: Of the registration.
        changes: Fields of the webhook in the manifest that are others.
    """
    manifest = registration(webhook)
    manifest["metadata"]["name"] = name
    manifest["webhooks"][0] |= {"name": f"{name}.warden.io", **changes}
    control_plane.api("POST", REGISTRATIONS, manifest)
    try:
        yield f"{REGISTRATIONS}/{name}"
    finally:
        control_plane.api("DELETE", f"{REGISTRATIONS}/{name}")
