"""JSON Web Tokens as tokens of callers: what OPA takes, with keys in the bundle and keys that an issuer serves."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fixtures.conditions import eventually
from tests.fixtures.issuer import Issuer, with_secret
from warden.base.errors import OpaRefused, SettingsError
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_INVALID = "no valid token; this JWT's issuer, audience, expiry, signature or claims are not what the settings ask for"


def _settings(directory: Path, keys: dict[str, Any]) -> Path:
    path = directory / "settings.yaml"
    login = {"url": "https://login.test", "audience": "warden", **keys}
    path.write_text(yaml.safe_dump({"issuers": {"login": login}}), encoding="utf-8")
    return path


def _ask(opa: LocalOpa, token: str) -> Any:
    with opa.build_client(token) as client:
        return client.evaluate("kafka/applicable_rules", {"cluster": "c"})


@pytest.mark.parametrize("kid", ["a", "b"])
def test_a_token_of_the_issuer(guarded: LocalOpa, issuer: Issuer, kid: str) -> None:
    """Signed with RSA or an elliptic curve, for one audience or several."""
    for audience in ("warden", ["other", "warden"]):
        assert "CreateTopic" in _ask(guarded, issuer.sign(kid, issuer.claims(aud=audience)))


def test_the_principal_is_the_tokens(guarded: LocalOpa, issuer: Issuer) -> None:
    """Whose token it is may not be stated otherwise."""
    token = issuer.sign("a", issuer.claims())
    document = {"operation": "AuditTopic", "cluster": "c", "request": {"topic": "t"}}
    with guarded.build_client(token) as client:
        client.decide({**document, "principal": {"type": "User", "name": "alice"}})
        with pytest.raises(OpaRefused, match=r'principal: state .*"alice"'):
            client.decide({**document, "principal": {"type": "User", "name": "bob"}})


def test_the_kind_is_of_the_claims(guarded: LocalOpa, issuer: Issuer) -> None:
    """A token with the group that the settings name is trusted, and one without is not."""
    document = {"operation": "AuditTopic", "cluster": "c", "request": {"topic": "t"}, "now": "2020-01-01T00:00:00Z"}
    with guarded.build_client(issuer.sign("a", issuer.claims(groups=["all", "operators"]))) as client:
        client.decide(document)
    with guarded.build_client(issuer.sign("a", issuer.claims(groups=["all"]))) as client, pytest.raises(OpaRefused):
        client.decide(document)


def _forgeries(issuer: Issuer) -> Iterator[tuple[str, str]]:
    now, keys = int(time.time()), issuer.key_set("a", "b")
    yield "another issuer", issuer.sign("a", issuer.claims(iss="https://other.test"))
    yield "no issuer", issuer.sign("a", issuer.claims(iss=None))
    yield "another audience", issuer.sign("a", issuer.claims(aud="other"))
    yield "no audience", issuer.sign("a", issuer.claims(aud=None))
    yield "expired", issuer.sign("a", issuer.claims(exp=now - 1))
    yield "without an end", issuer.sign("a", issuer.claims(exp=None))
    yield "not yet valid", issuer.sign("a", issuer.claims(nbf=now + 3600))
    yield "without a principal", issuer.sign("a", issuer.claims(sub=None))
    yield "an unknown key", issuer.sign("secret", issuer.claims())
    yield "an unknown key by a known name", issuer.sign("secret", issuer.claims(), named="b")
    yield "not signed", with_secret(issuer.claims(), "", "none")
    for secret in (json.dumps(keys), json.dumps(keys["keys"][0]), keys["keys"][0]["n"]):
        yield "the public key as a shared secret", with_secret(issuer.claims(), secret)
    header, claims, signature = issuer.sign("a", issuer.claims()).split(".")
    other = issuer.sign("a", issuer.claims(sub="root")).split(".")[1]
    yield "other claims", f"{header}.{other}.{signature}"
    yield "no signature", f"{header}.{claims}."


def test_no_other_token(guarded: LocalOpa, issuer: Issuer) -> None:
    """Whatever is wrong, the answer is the same."""
    for what, token in _forgeries(issuer):
        with pytest.raises(OpaRefused) as refused:
            _ask(guarded, token)
        assert _INVALID in str(refused.value), what


def test_keys_that_an_issuer_serves(guarded: LocalOpa, served_issuer: Issuer) -> None:
    """Tokens of the keys of the moment are let in; where no keys can be had nobody is, but for other callers."""
    old, new = (served_issuer.sign(kid, served_issuer.claims()) for kid in ("a", "b"))
    served_issuer.published = served_issuer.key_set("a")
    eventually(lambda: _is_let_in(guarded, old), "the first keys")
    assert not _is_let_in(guarded, new)

    served_issuer.published = served_issuer.key_set("b")
    eventually(lambda: _is_let_in(guarded, new) and not _is_let_in(guarded, old), "the new keys")

    served_issuer.published = None
    eventually(lambda: not _is_let_in(guarded, new), "keys that are out of reach open nothing")
    with guarded.build_client() as other:
        assert other.read_revision()

    served_issuer.published = served_issuer.key_set("b")
    eventually(lambda: _is_let_in(guarded, new), "the keys are back")


def _is_let_in(opa: LocalOpa, token: str) -> bool:
    try:
        _ask(opa, token)
    except OpaRefused:
        return False
    return True


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, r"issuers.login.jwksFile: .*keys.json: cannot be read \(No such file or directory\): name a file with"),
        ("<html>", r"issuers.login.jwksFile: .*keys.json:1: not JSON \(.*\): write a key set \(JWKS\) as JSON"),
        ('{"keys": [{"kty": "EC", "d": "x"}]}', "issuers.login.jwks: has a secret key: write the public ones alone"),
        ("[]", "issuers.login.jwks: must be a mapping, not a list"),
    ],
)
def test_a_file_that_is_no_key_set(opa_binary: Path, tmp_path: Path, content: str | None, complaint: str) -> None:
    """It is named when the bundle is built."""
    if content is not None:
        (tmp_path / "keys.json").write_text(content, encoding="utf-8")
    with pytest.raises(SettingsError, match=complaint):
        build_bundle(tmp_path / "b.tar.gz", settings=_settings(tmp_path, {"jwksFile": "keys.json"}), opa=opa_binary)
