"""`warden webhook` as a program under attack: what it admits is what OPA admits by itself."""

import base64
import json
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from tests.enforce.webhook.process import WebhookProcess
from tests.fuzz.cases import Case, Surface
from tests.fuzz.run import Program
from tests.fuzz.tokens import Signer
from tests.fuzz.wire import request_bytes, send
from tests.k8s.remediation.remediators import CLUSTERS, PREFERENCES
from tests.k8s.webhook.webhooks import thing
from warden.base.errors import InputError, OpaError
from warden.policy.contract.annotations import apply_response
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

__all__ = ["run_webhook_program"]

_READ = frozenset({"plain", "chunked", "gzip"})  # encodings whose body is the case's own
_ELSEWHERE = json.dumps({"clusters": {"gce-us-central1": {"weight": 1}}})


def _review(placed: str | None, operation: str = "CREATE", **more: Any) -> dict[str, Any]:
    sent = thing(name="a", namespace="web")
    if placed is not None:
        sent["metadata"]["annotations"][PREFERENCES] = placed
    request = {"uid": "u", "operation": operation, "namespace": "web", "name": "a", "object": sent, **more}
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}


_GOOD, _BAD = _review(None), _review(_ELSEWHERE)
_DOCUMENTS = (
    _GOOD,
    _BAD,
    _BAD,
    _review(_ELSEWHERE, "UPDATE", oldObject=thing(name="a"), userInfo={"username": "a", "groups": ["b"]}),
    _review(None, "DELETE", object=None),
    _review(_ELSEWHERE, subResource="status", dryRun=True, options={"kind": "CreateOptions"}),
)


@contextmanager
def run_webhook_program(directory: Path, opa: LocalOpa) -> Iterator[Program]:
    """Run a webhook, and yield it; after each case it admits an object and refuses another one.

    Args:
        directory: For its files.
        opa: With the bundle that ships; it gets the clusters of the design's example.
    """
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "token").write_text(opa.tokens.query, encoding="utf-8")
    with OpaClient(opa.url, token=opa.tokens.replicator) as writer:
        writer.put_data(["kubernetes"], {"clusters": CLUSTERS, "meta": {"revision": "r.1"}})
    asks = {"url": opa.url, "token": {"file": "token"}, "timeout": 60}
    surface = Surface(
        paths=("/mutate", "/mutate", "/mutate", "/mutate", "/mutate", "/healthz", "/readyz", "/metrics"),
        methods=("POST", "POST", "POST", "POST", "GET"),
        tokens={},
        documents=_DOCUMENTS,
        claims={"sub": "a"},
    )
    signer = Signer({})
    checks = [
        request_bytes(Case("POST", "/mutate?timeout=60s", body=json.dumps(review)), surface, signer)
        for review in (_GOOD, _BAD)
    ]
    with WebhookProcess(directory, yaml.safe_dump({"opa": asks})) as webhook, opa.build_client() as client:
        url, trust = f"https://{webhook.address}", ssl.create_default_context(cafile=str(webhook.authority.certificate))

        def check() -> None:
            answers = [send(url, content, is_cut=False, trust=trust) for content in checks]
            assert ["200", "200"] == [status for status, _ in answers], answers
            responses = [json.loads(answer)["response"] for _, answer in answers]
            assert [True, False] == [response["allowed"] for response in responses], responses
            assert PREFERENCES.replace("/", "~1") in base64.b64decode(responses[0]["patch"]).decode()

        def examine(case: Case, status: str, answer: bytes) -> str | None:
            return _examine(client, case, answer) if status == "200" and case.encoding in _READ else None

        yield Program(
            "webhook",
            url,
            surface,
            signer,
            check,
            None,
            lambda: webhook.pid,
            400,
            examine=examine,
            log=webhook.log,
            trust=trust,
        )


def _examine(client: OpaClient, case: Case, answer: bytes) -> str | None:
    """Return what is wrong where an object was admitted that OPA refuses."""
    if case.method != "POST" or not case.target.startswith("/mutate"):
        return None
    response, request = json.loads(answer)["response"], json.loads(case.body)["request"]
    is_decided = request.get("operation") in ("CREATE", "UPDATE") and not request.get("subResource")
    stored = (request.get("oldObject") or {}) if isinstance(request.get("oldObject"), dict) else {}
    if not response["allowed"] or not is_decided or "deletionTimestamp" in (stored.get("metadata") or {}):
        return None
    sent = request.get("object")
    try:
        decided = client.evaluate("io/k8s/federation/admission", sent)
        denial = apply_response(sent["metadata"].get("annotations") or {}, decided).denial
    except (OpaError, InputError, TypeError, LookupError, ValueError) as error:
        return f"admitted, although OPA decides nothing: {error}"
    return None if denial is None else f"admitted, although policy refuses it: {denial}"
