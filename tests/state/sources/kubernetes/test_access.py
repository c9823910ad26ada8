"""What a kubeconfig says, and what is wrong with one that cannot be used."""

import base64

import pytest
import yaml

from warden.base.errors import ConfigurationError
from warden.state.sources.kubernetes.access import Access, Credential, read_pod_access
from warden.state.sources.kubernetes.kubeconfig import read_kubeconfig

EXEC = "client.authentication.k8s.io/v1"
PEM = b"-----BEGIN CERTIFICATE-----\n"


def _file(tmp_path, *, cluster=None, user=None, **more):
    document = {
        "clusters": [{"name": "c", "cluster": {"server": "https://10.0.0.1:6443/", **(cluster or {})}}],
        "users": [{"name": "u", "user": user or {}}, {"name": "v", "user": {"token": "other"}}],
        "contexts": [
            {"name": "x", "context": {"cluster": "c", "user": "u"}},
            {"name": "y", "context": {"cluster": "c", "user": "v"}},
        ],
        "current-context": "x",
        **more,
    }
    path = tmp_path / "config"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


def test_tokens_and_certificates(tmp_path):
    """Data stands in the file, paths are relative to it, and data wins over a path."""
    data = base64.b64encode(PEM).decode()
    cluster = {
        "certificate-authority": "ca.crt",
        "certificate-authority-data": data,
        "proxy-url": "http://proxy:3128",
        "tls-server-name": "kubernetes",
    }
    user = {"tokenFile": "token", "client-certificate": "c.crt", "client-key-data": data}
    path = _file(tmp_path, cluster=cluster, user=user)

    assert read_kubeconfig(path) == Access(
        server="https://10.0.0.1:6443",
        origin=str(path),
        credential=Credential(token=tmp_path / "token", certificate=tmp_path / "c.crt", key=PEM),
        ca=PEM,
        server_name="kubernetes",
        proxy="http://proxy:3128",
    )


def _header(access):
    return access.build_authorization(access.log_in())


def test_another_context(tmp_path):
    """A context that is named comes before the current one."""
    assert _header(read_kubeconfig(_file(tmp_path, user={"token": "mine"}), "y")) == "Bearer other"


def test_a_password(tmp_path):
    """A user name and password, which a proxy in front of an API server may check, are sent as HTTP has it."""
    access = read_kubeconfig(_file(tmp_path, user={"username": "u", "password": "p:é"}))
    assert _header(access) == f"Basic {base64.b64encode('u:p:é'.encode()).decode()}"


@pytest.mark.parametrize("token", ["", "two words", "line\nend", "é"])
def test_a_token_that_cannot_be_sent(tmp_path, token):
    """It is refused by its origin, and not shown."""
    (tmp_path / "token").write_text(token, encoding="utf-8")
    access = read_kubeconfig(_file(tmp_path, user={"tokenFile": "token"}))
    with pytest.raises(ConfigurationError, match="config: the token is empty, or has spaces or other than ASCII"):
        _header(access)


def test_a_token_in_a_file_is_read_each_time(tmp_path):
    """A token that is renewed in its file is the one that is sent."""
    access = read_kubeconfig(_file(tmp_path, user={"tokenFile": "token"}))
    with pytest.raises(ConfigurationError, match=r"config: the token .*token cannot be read"):
        _header(access)
    for token in ("one", "two"):
        (tmp_path / "token").write_text(f"{token}\n", encoding="utf-8")
        assert _header(access) == f"Bearer {token}"


def test_secrets_are_not_shown(tmp_path):
    """Neither token nor key is in the text of an access, which may get into a log."""
    data = base64.b64encode(b"hidden").decode()
    assert "hidden" not in repr(read_kubeconfig(_file(tmp_path, user={"token": "hidden", "client-key-data": data})))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"user": {"exec": {"command": "aws"}}}, "user u has exec with an apiVersion other than client.auth"),
        ({"user": {"exec": {"apiVersion": EXEC}}}, "user u has exec without a command: name the program"),
        ({"user": {"exec": "aws"}}, "user u has exec without a command: name the program"),
        (
            {"user": {"exec": {"apiVersion": EXEC, "command": "aws"}, "auth-provider": {"name": "oidc"}}},
            "user u has exec and auth-provider: keep one of the two",
        ),
        ({"user": {"auth-provider": {"name": "gcp"}}}, "user u has an auth-provider other than oidc: use exec"),
        ({"user": {"auth-provider": {"name": "oidc"}}}, "user u has an auth-provider other than oidc: use exec"),
        (
            {"user": {"auth-provider": {"name": "oidc", "config": {"id-token": "t"}}}},
            "user u has oidc without idp-certificate-authority: name the certificates",
        ),
        ({"user": {"as": "root"}}, "user u has as, which is not supported: log in as the user that is meant"),
        ({"cluster": {"server": "10.0.0.1"}}, "cluster c has no server such as https://10.0.0.1:6443"),
        ({"cluster": {"certificate-authority-data": "%"}}, "certificate-authority-data is not base64"),
        ({"current-context": None}, "has no current-context"),
        ({"current-context": "z"}, "has no context 'z'"),
        ({"users": None}, "has no user 'u'"),
        (
            {"contexts": [{"name": "x", "context": {"cluster": "c"}}]},
            "context 'x' names no user: name one there that the file has",
        ),
        ({"contexts": [{"name": "x", "context": {"user": "u"}}]}, "context 'x' names no cluster: name one there"),
        ({"user": {"token": 12345}}, "token is not a string: write it in quotation marks"),
        ({"user": {"tokenFile": 5}}, "tokenFile is not a string: write it in quotation marks"),
        ({"user": {"username": 5, "password": "p"}}, "username is not a string: write it in quotation marks"),
        ({"user": {"password": "p"}}, "user u has a password without a username: write both"),
        ({"user": {"client-key": 5}}, "client-key is not a string: write it in quotation marks"),
    ],
)
def test_what_cannot_be_used_is_reported(tmp_path, given, said):
    """Nothing that would change who asks, or whom is trusted, is passed over."""
    path = _file(tmp_path, **given)
    with pytest.raises(ConfigurationError) as raised:
        read_kubeconfig(path)
    assert str(raised.value).startswith(f"{path}: {said}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, " cannot be read .*: name a kubeconfig file"),
        ("{", r"\d: not YAML"),
        ("users: []\nusers: []", "2: the key users is there already, in line 1: keep one of the two"),
        ("- 1", " has no current-context"),
    ],
)
def test_a_file_that_is_none(tmp_path, text, said):
    """A file that is missing, or holds something else, is named."""
    path = tmp_path / "config"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=f"config:{said}"):
        read_kubeconfig(path)


def test_a_pod(tmp_path):
    """In a pod the files of the service account are used, and an address of IPv6 is put in brackets."""
    environ = {"KUBERNETES_SERVICE_HOST": "fd00::1", "KUBERNETES_SERVICE_PORT": "443"}
    with pytest.raises(ConfigurationError, match="runs in no pod"):
        read_pod_access(environ, tmp_path)
    (tmp_path / "token").write_text("t", encoding="utf-8")

    access = read_pod_access(environ, tmp_path)
    assert (access.server, _header(access), access.ca) == ("https://[fd00::1]:443", "Bearer t", tmp_path / "ca.crt")
    with pytest.raises(ConfigurationError, match="runs in no pod"):
        read_pod_access({}, tmp_path)
