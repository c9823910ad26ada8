"""Tokens at which OPA's own built-ins panic: refused, and OPA goes on writing and deciding."""

import base64
import json
from typing import Any

import pytest

from tests.fixtures.issuer import Issuer
from warden.base.errors import OpaRefused
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_DOCUMENT = {"operation": "AuditTopic", "cluster": "c", "request": {"topic": "t"}}


def _part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _write_and_decide(opa: LocalOpa) -> None:
    """A transaction that stayed open blocks the write, and the write everything after it."""
    with opa.build_client(opa.tokens.replicator) as replicator:
        replicator.put_data(["clusters", "written"], {})
    with opa.build_client() as client:
        client.decide(_DOCUMENT)


@pytest.mark.parametrize("cty", [1, None, True, [], {}, ["JWT"], "JWT", "jwt"])
@pytest.mark.parametrize("claims", [{}, {"iss": "https://login.test", "aud": "warden", "exp": 4102444800}])
def test_a_content_type_in_the_header(replicated_opa: LocalOpa, guarded: LocalOpa, cty: Any, claims: Any) -> None:
    """With the settings that ship and with issuers: 401 for who has no token, and nothing stays locked."""
    token = f"{_part({'alg': 'RS256', 'cty': cty})}.{_part(claims)}.AAAA"
    for opa in (replicated_opa, guarded):
        with opa.build_client(token) as stranger, pytest.raises(OpaRefused, match="no valid token"):
            stranger.decide(_DOCUMENT)
        _write_and_decide(opa)


@pytest.mark.parametrize("claim", ["iss", "aud", "exp", "nbf", "iat"])
def test_a_signed_claim_of_another_type(guarded: LocalOpa, issuer: Issuer, claim: str) -> None:
    """Also from the issuer itself: a list of issuers is no issuer."""
    for value in (["https://login.test"], {"https://login.test": 1}, True, [], 4102444800 if claim == "iss" else "x"):
        with guarded.build_client(issuer.sign("a", issuer.claims(**{claim: value}))) as signed:
            with pytest.raises(OpaRefused, match="this JWT"):
                signed.decide(_DOCUMENT)
            _write_and_decide(guarded)
