"""A service whose OPA gets new tokens."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from tests.enforce.service.conftest import EVERYBODY
from tests.enforce.service.running import Caller, Serve, entry
from tests.fixtures.patience import PATIENCE
from warden.policy.bundle.build import Bundle
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.tokens import OpaTokens

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_DECIDE = {"operation": "CreateTopic", "request": {"topic": "a.b", "numPartitions": 1, "replicationFactor": 1}}
_REQUESTS = (
    ("decide", _DECIDE),
    ("decisions", {"items": {"a": _DECIDE}}),
    ("client-configs/describe", EVERYBODY),
    ("client-configs/alter", {"entries": [entry("a", acks="1")]}),
    ("client-configs/resolve", {"clientId": "app", "kind": "producer", "static": {}}),
)


def test_opa_refuses_the_service_for_a_while(
    serve: Serve, few_bundle: Bundle, opa_binary: Path, tmp_path: Path
) -> None:
    """Nothing is decided, and who asks is to ask again; with the new token in its file all is decided at once."""
    token = tmp_path / "query.token"
    with LocalOpa(few_bundle, opa=opa_binary) as opa:
        token.write_text(opa.tokens.query)
        service = serve(opa={"url": opa.url, "token": {"file": str(token)}, "timeout": PATIENCE})
        admin = Caller(service, "token-of-admin")
        assert [200] * len(_REQUESTS) == [admin.post(*one).status_code for one in _REQUESTS]
        opa.tokens = OpaTokens.generate()
        opa.restart(120)
        for path, body in _REQUESTS:
            answer = admin.post(path, body)
            assert (503, "1", -1, "nothing was decided, OPA refuses this service: ask again") == (
                answer.status_code,
                answer.headers.get("Retry-After"),
                answer.json()["errorCode"],
                answer.json()["errorMessage"],
            )
        ready = requests.get(f"{service.url}/readyz", timeout=PATIENCE)
        assert (503, "OpaUnauthorized") == (ready.status_code, ready.json()["opa"])
        token.write_text(opa.tokens.query)
        with ThreadPoolExecutor(len(_REQUESTS)) as threads:  # all are refused at first, and one reads the file
            statuses = [answer.status_code for answer in threads.map(lambda one: admin.post(*one), _REQUESTS)]
        assert [200] * len(_REQUESTS) == statuses
        assert requests.get(f"{service.url}/readyz", timeout=PATIENCE).ok
