"""Logins that are renewed on a real API server: programs, and files that are rotated."""

import json
import threading
from datetime import UTC, datetime, timedelta

import pytest
import yaml

from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.k8s.control_plane import NAME
from tests.k8s.source.accounts import new_account
from tests.k8s.source.plugin import VERSION, Plugin, credential
from tests.k8s.source.test_access import _names
from warden.base.errors import KubernetesError, KubernetesUnreachable
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.kubeconfig import read_kubeconfig

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

NAMESPACES = "/api/v1/namespaces"
CONFIG_MAPS = {"apiVersion": "v1", "kind": "ConfigMap"}
ALL = "/api/v1/configmaps"


def _client_certificate(authority, name="client"):
    pair = authority.issue(name, "/O=system:masters/CN=c", "extendedKeyUsage=clientAuth")
    return tuple(path.read_text(encoding="utf-8") for path in pair)


def _foreign(tmp_path):
    """A client certificate that the API server does not trust."""
    (tmp_path / "foreign").mkdir()
    return _client_certificate(Authority(tmp_path / "foreign"))


def _stamp(**ahead):
    return (datetime.now(UTC) + timedelta(**ahead)).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_a_program_gives_a_token(control_plane, tmp_path):
    """It is run once for many requests, relative to the kubeconfig, with the cluster where it says so."""
    plugin = Plugin(tmp_path / "p", credential(token=control_plane.admin_token))
    path = control_plane.kubeconfig("exec", plugin.user(provideClusterInfo=True, args=["a"]))
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    document["users"][0]["user"]["exec"]["command"] = "./p/plugin"
    moved = tmp_path / "kubeconfig"
    moved.write_text(yaml.safe_dump(document), encoding="utf-8")

    with ApiServer(read_kubeconfig(moved)) as api:
        for _ in range(3):
            assert api.get(NAMESPACES)["items"]
    [run] = plugin.runs
    assert (run["apiVersion"], run["kind"]) == (VERSION, "ExecCredential")
    assert run["spec"]["cluster"]["server"] == control_plane.url


def test_a_token_that_is_refused_is_replaced(control_plane, tmp_path):
    """Where nothing says how long a token is good for, the API server's refusal makes the program run again."""
    token = new_account(control_plane, "refused-token")
    plugin = Plugin(tmp_path / "p", credential(token=token(-3600)), credential(token=token(3600)))

    with ApiServer(read_kubeconfig(control_plane.kubeconfig("exec", plugin.user()))) as api:
        for _ in range(3):
            assert api.get(NAMESPACES)["items"]
    assert len(plugin.runs) == 2


def test_a_token_is_replaced_before_it_expires(control_plane, tmp_path):
    """A time that the program states is kept."""
    token = credential(token=control_plane.admin_token, expirationTimestamp=_stamp(seconds=3))
    later = credential(token=control_plane.admin_token, expirationTimestamp=_stamp(hours=1))
    plugin = Plugin(tmp_path / "p", token, later)

    with ApiServer(read_kubeconfig(control_plane.kubeconfig("exec", plugin.user()))) as api:
        for _ in range(3):
            assert api.get(NAMESPACES)["items"]
    assert len(plugin.runs) == 2


def test_a_program_gives_a_certificate(control_plane, tmp_path):
    """A certificate that is refused is replaced as a token is, on new connections."""
    pairs = (_foreign(tmp_path), _client_certificate(control_plane.authority))
    answers = [credential(clientCertificateData=certificate, clientKeyData=key) for certificate, key in pairs]
    plugin = Plugin(tmp_path / "p", *answers)

    with ApiServer(read_kubeconfig(control_plane.kubeconfig("exec", plugin.user()))) as api:
        for _ in range(3):
            assert api.get(NAMESPACES)["items"]
    assert len(plugin.runs) == 2


def test_a_certificate_in_a_file_is_rotated(control_plane, tmp_path):
    """Another certificate in its place is taken up when the old one is refused."""
    files = {"client-certificate": tmp_path / "c.crt", "client-key": tmp_path / "c.key"}

    def write(pair):
        for file, text in zip(files.values(), pair, strict=True):
            file.write_text(text, encoding="utf-8")

    write(_foreign(tmp_path))
    user = {name: str(path) for name, path in files.items()}
    with ApiServer(read_kubeconfig(control_plane.kubeconfig("rotated", user))) as api:
        with pytest.raises(KubernetesError, match="answers 401"):
            api.get(NAMESPACES)
        write(_client_certificate(control_plane.authority))
        assert api.get(NAMESPACES)["items"]


@pytest.mark.parametrize(
    ("answer", "environment", "reason"),
    [
        ("", {"REASON": "no network"}, "exec: process returned 3. no network"),
        ("<html>", {}, "exec: failed to decode process output"),
        ("{}", {}, "exec: malformed response. missing key 'apiVersion'"),
        ("[]", {}, "exec: malformed response. missing key 'apiVersion'"),
        ("1", {}, "argument of type 'int' is not iterable"),
        (credential(token="t").replace("/v1", "/v1beta1"), {}, "does not match"),
        (
            json.dumps({"apiVersion": VERSION, "kind": "ExecCredential", "status": "t"}),
            {},
            "the status of what it prints is not an",
        ),
        (credential(), {}, "it prints neither a token nor a certificate with its key"),
        (credential(clientCertificateData="c"), {}, "it prints neither a token nor a certificate with its key"),
        (credential(token=1), {}, "the token or certificate that it prints is not a string"),
        (credential(token="t", expirationTimestamp="soon"), {}, "its expirationTimestamp is not a time"),
    ],
)
def test_a_program_that_fails(control_plane, tmp_path, answer, environment, reason):
    """Nothing is requested without a credential; the error is one line, and names the user and the program."""
    plugin = Plugin(tmp_path / "p", answer)
    path = control_plane.kubeconfig("exec", plugin.user(environment))

    with pytest.raises(KubernetesError) as raised:
        ApiServer(read_kubeconfig(path))
    text = str(raised.value)
    assert text.startswith(f"{path}: user u cannot log in: ")
    assert reason in text
    assert text.endswith(f": run {plugin.path} by hand to see why")
    assert "\n" not in text


def test_a_program_that_is_not_there(control_plane, tmp_path):
    """Its name is reported."""
    path = control_plane.kubeconfig("exec", {"exec": {"apiVersion": VERSION, "command": "no-such-plugin"}})
    with pytest.raises(KubernetesError, match=r"No such file or directory: 'no-such-plugin': run no-such-plugin by"):
        ApiServer(read_kubeconfig(path))


@pytest.fixture
def accept(control_plane):
    """Restarts the API server with one more token, of an administrator; as it was at the end."""
    path = control_plane.directory / "tokens.csv"
    before = path.read_text(encoding="utf-8")

    def restart(text):
        control_plane.kill("kube-apiserver")
        path.write_text(text, encoding="utf-8")
        control_plane.start_api_server()

    yield lambda token: restart(f'{before}{token},rotated,3,"system:masters"\n')
    restart(before)


@pytest.mark.parametrize("kind", ["exec", "tokenFile"])
def test_a_replicator_outlives_its_token(control_plane, copies, namespace, tmp_path, accept, kind):
    """A token is replaced while objects are watched, and no error is reported; a list anew is for the restart only."""
    space = namespace("outlived")
    accept("first-token")
    plugin = Plugin(tmp_path / "p", credential(token="first-token"))
    answer, file = plugin.path.with_name("1"), tmp_path / "token"
    file.write_text("first-token", encoding="utf-8")
    user = plugin.user() if kind == "exec" else {"tokenFile": str(file)}
    _, status = copies.start([CONFIG_MAPS], user=user, probe=5)
    copies.equal(ALL)

    answer.write_text(credential(token="second-token"), encoding="utf-8")
    file.write_text("second-token", encoding="utf-8")
    accept("second-token")
    control_plane.api("POST", f"{NAMESPACES}/{space}/configmaps", {"metadata": {"name": "after"}})

    copies.equal(ALL)
    assert space in copies.copy()["configmaps"]
    assert status.counts["errors", "source"] == 0
    assert status.counts["loads", "requested"] == 1 + status.counts["reloads", "stale"]
    # once for each refusal: an API server that is just starting may refuse a token that it takes a moment later
    assert (len(plugin.runs) in {2, 3, 4}) if kind == "exec" else not plugin.runs


@pytest.mark.parametrize(("name", "trusted"), [(None, False), (NAME, True), ("other.test", False)])
def test_the_name_of_the_server(control_plane, name, trusted):
    """The certificate is that of the name in the kubeconfig, where the address is another one."""
    cluster = {"certificate-authority": str(control_plane.authority.certificate)}
    if name:
        cluster["tls-server-name"] = name
    user, server = {"token": control_plane.admin_token}, f"https://localhost:{control_plane.port}"
    access = read_kubeconfig(control_plane.kubeconfig("named", user, server=server, **cluster))
    if trusted:
        assert "kube-system" in _names(access)
    else:
        with pytest.raises(KubernetesUnreachable, match=r"cannot be trusted: .*certificate is not valid for"):
            _names(access)


def test_many_threads_log_in_once(control_plane, tmp_path):
    """A token that is refused to many at once makes the program run once."""
    token = new_account(control_plane, "threads")
    plugin = Plugin(tmp_path / "p", credential(token=token(-3600)), credential(token=token(3600)))
    counts: list[int] = []
    with ApiServer(read_kubeconfig(control_plane.kubeconfig("exec", plugin.user()))) as api:
        threads = [threading.Thread(target=lambda: counts.append(len(api.get(NAMESPACES)["items"]))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    assert len(counts) == 8
    assert len(plugin.runs) == 2
    eventually(lambda: not any(thread.is_alive() for thread in threads), "all threads end")
