"""Logins by an identity provider, whose tokens a real API server checks."""

import json
import ssl
from contextlib import contextmanager
from urllib.parse import parse_qs

import pytest
import yaml

from tests.fixtures import http
from tests.fixtures.certificates import Authority
from tests.k8s.source.accounts import new_account
from tests.k8s.source.test_access import _names
from warden.base.errors import KubernetesError
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.kubeconfig import read_kubeconfig

pytestmark = pytest.mark.k8s


@contextmanager
def _provider(authority, answer):
    """An OpenID Connect provider with the certificate of an authority; yields its address and the forms it was sent."""
    forms: list[dict[str, str]] = []

    class Handler(http.Handler):
        def respond(self):
            status, document = 200, {"token_endpoint": f"{url}/token"}
            if self.command == "POST":
                forms.append({name: value for name, [value] in parse_qs(self.body().decode()).items()})
                status, document = answer
            self.answer(status, json.dumps(document).encode())

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*authority.issue("provider", "/CN=provider", "subjectAltName=IP:127.0.0.1"))
    with http.served(Handler, context) as url:
        yield url, forms


def _oidc(control_plane, url, token, authority):
    config = {
        "idp-issuer-url": url,
        "idp-certificate-authority": str(authority.certificate),
        "client-id": "warden",
        "client-secret": "s",
        "id-token": token,
        "refresh-token": "once",
    }
    return control_plane.kubeconfig("oidc", {"auth-provider": {"name": "oidc", "config": config}})


def test_an_identity_provider(control_plane):
    """An id token that has expired is refreshed, and the next refresh token is kept, since the first is spent."""
    authority, token = control_plane.authority, new_account(control_plane, "oidc")
    good = token(3600)
    answer = (200, {"id_token": good, "refresh_token": "twice", "access_token": "a", "token_type": "bearer"})
    with _provider(authority, answer) as (url, forms):
        path = _oidc(control_plane, url, token(-3600), authority)
        for _ in range(2):
            assert "kube-system" in _names(read_kubeconfig(path))

    [form] = forms
    assert (form["grant_type"], form["refresh_token"]) == ("refresh_token", "once")
    [user] = yaml.safe_load(path.read_text(encoding="utf-8"))["users"]
    stored = user["user"]["auth-provider"]["config"]
    assert (stored["id-token"], stored["refresh-token"]) == (good, "twice")


def test_an_identity_provider_that_refuses(control_plane):
    """A refresh token that is spent is reported as such; nothing is requested without a token."""
    authority, token = control_plane.authority, new_account(control_plane, "oidc-refused")
    with _provider(authority, (400, {"error": "invalid_grant"})) as (url, _):
        path = _oidc(control_plane, url, token(-3600), authority)
        with pytest.raises(KubernetesError, match=r"user u cannot log in: \(invalid_grant\).*: log in anew"):
            ApiServer(read_kubeconfig(path))


def test_an_identity_provider_that_is_not_trusted(control_plane, tmp_path):
    """The refresh token is sent to nobody whose certificate is from elsewhere."""
    token = new_account(control_plane, "oidc-foreign")
    (tmp_path / "foreign").mkdir()
    with _provider(Authority(tmp_path / "foreign"), (200, {})) as (url, forms):
        path = _oidc(control_plane, url, token(-3600), control_plane.authority)
        with pytest.raises(KubernetesError, match=r"user u cannot log in: .*certificate verify failed"):
            ApiServer(read_kubeconfig(path))
    assert forms == []
