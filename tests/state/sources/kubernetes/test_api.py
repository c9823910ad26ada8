"""The connection to an API server that misbehaves: silence, endless answers, redirects, proxies."""

import json
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from tests.fixtures import http
from tests.fixtures.patience import PATIENCE
from warden.base.errors import ConfigurationError, KubernetesError, KubernetesUnreachable
from warden.state.sources.kubernetes import stream as module
from warden.state.sources.kubernetes.access import Access, Credential
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.live import Informer, ObjectSelector


@contextmanager
def _server(answer):
    """Let ``answer(handler)`` answer each GET; yield the address and the headers that came."""
    requests: list[dict[str, str]] = []

    class Handler(http.Handler):
        def respond(self):
            requests.append({name.lower(): value for name, value in self.headers.items()})
            self.close_connection = True
            answer(self)

    with http.served(Handler) as url:
        yield url, requests


def _chunk(handler, data):
    handler.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    handler.wfile.flush()


def _begin(handler, status=200, **headers):
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()


def _endless(handler):
    _begin(handler, transfer_encoding="chunked")
    try:
        while True:
            _chunk(handler, b"x" * 1000)
    except OSError:
        pass


def test_an_answer_without_end_is_not_read_to_the_end(monkeypatch):
    """Neither an answer nor an event is longer than its limit, whatever answers there."""
    monkeypatch.setattr(module, "_MAX_ANSWER_BYTES", 50_000)
    monkeypatch.setattr(module, "_MAX_EVENT_BYTES", 50_000)
    with _server(_endless) as (url, _), ApiServer(Access(url, "test")) as api:
        with pytest.raises(KubernetesError, match=r"/x answers with more than 50,000 bytes: is this"):
            api.get("/x")
        with pytest.raises(KubernetesError, match=r"watch event exceeds 50,000 bytes: is this a Kube"):
            list(api.open_stream("/x", {}, PATIENCE))


def test_a_stream_that_falls_silent_is_lost():
    """A connection that says nothing for longer than it should counts as lost."""
    over = threading.Event()

    def answer(handler):
        _begin(handler, transfer_encoding="chunked")
        _chunk(handler, b'{"a": 1}\n')
        over.wait(PATIENCE)

    events: list[Any] = []
    with _server(answer) as (url, _), ApiServer(Access(url, "test")) as api:
        for silence in (0.3, 3, 30):  # a slow machine may be silent for so long before the first event too
            with pytest.raises(KubernetesUnreachable, match="cannot be reached: timed out"):
                events.extend(api.open_stream("/x", {}, silence))
            if events:
                break
        over.set()
    assert events == [{"a": 1}]


def test_a_stream_that_waits_is_ended_by_another_thread():
    """Who waits for an event returns at once, and does not take it for one."""
    over = threading.Event()
    events: list[Any] = []

    def answer(handler):
        _begin(handler, transfer_encoding="chunked")
        _chunk(handler, b'{"a": 1}\n{"b"')
        over.wait(PATIENCE)

    with _server(answer) as (url, _), ApiServer(Access(url, "test")) as api:
        stream = api.open_stream("/x", {}, 300)

        def read():
            try:
                for event in stream:
                    events.append(event)
                    came.set()
            except KubernetesError as error:
                events.append(type(error))

        came = threading.Event()
        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        assert came.wait(PATIENCE)
        stream.end()
        reader.join(PATIENCE)
        over.set()
        assert not reader.is_alive()
    assert events[0] == {"a": 1}
    assert [event for event in events[1:] if isinstance(event, dict)] == []


def test_events_are_cut_at_their_lines():
    """An event may come in many pieces, and many in one."""
    text = b'{"a": "\xc3\xa9"}\n\n{"b": [1, 2]}\n{"c": 3}'

    def answer(handler):
        _begin(handler, transfer_encoding="chunked")
        for byte in text:
            _chunk(handler, bytes([byte]))
        _chunk(handler, b"")

    with _server(answer) as (url, _), ApiServer(Access(url, "test")) as api:
        assert list(api.open_stream("/x", {}, PATIENCE)) == [{"a": "é"}, {"b": [1, 2]}, {"c": 3}]


@pytest.mark.parametrize(
    ("body", "reason"),
    [("<html>", "what is not JSON"), ("[]", "what is not an object"), ("[" * 100_000, "what is not JSON")],
)
def test_an_answer_that_is_no_document(body, reason):
    """It is refused with the address that gave it."""

    def answer(handler):
        _begin(handler, content_length=str(len(body)))
        handler.wfile.write(body.encode())

    with _server(answer) as (url, _), ApiServer(Access(url, "test")) as api:
        with pytest.raises(KubernetesError) as raised:
            api.get("/x", {"limit": "1"})
        assert str(raised.value) == f"{url}/x answers with {reason}: check that a Kubernetes API server runs there"


def test_a_refusal_that_nobody_can_read():
    """A body that is nested too deeply gives no reason; the status has one."""

    def answer(handler):
        _begin(handler, 403, content_length="100000")
        handler.wfile.write(b"[" * 100_000)

    with (
        _server(answer) as (url, _),
        ApiServer(Access(url, "test")) as api,
        pytest.raises(KubernetesError, match="/x answers 403: Forbidden"),
    ):
        api.get("/x")


@pytest.mark.parametrize(
    ("params", "verbs"), [(None, "with the verb get"), ({"limit": "1"}, "with the verbs list and watch")]
)
def test_what_a_role_has_to_allow(params, verbs):
    """Of one object it is another verb than of all."""
    with (
        _server(lambda handler: _begin(handler, 403, content_length="0")) as (url, _),
        ApiServer(Access(url, "test")) as api,
        pytest.raises(KubernetesError, match=f"let a role allow it, {verbs}$"),
    ):
        api.get("/x", params)


def test_two_kinds_of_one_plural():
    """Neither is read in the other's place: the second one has to go by another name."""

    def answer(handler):
        entry = {"kind": "Service", "name": "services", "namespaced": True, "verbs": ["list", "watch"]}
        body = json.dumps({"resources": [entry]}).encode()
        _begin(handler, content_length=str(len(body)), connection="close")
        handler.wfile.write(body)

    core, other = (ObjectSelector(version, "Service") for version in ("v1", "serving.knative.dev/v1"))
    with _server(answer) as (url, _):
        said = "Service of serving.knative.dev/v1 and Service of v1 both go by the name services: name another one"
        with pytest.raises(ConfigurationError, match=said):
            Informer(Access(url, "test"), [core, other])
        with Informer(Access(url, "test"), [core, replace(other, key="knative")]) as live:
            assert ["services", "knative"] == [collection.key for collection in live.collections]


def test_a_redirect_is_not_followed():
    """The credential goes to no other address."""
    with (
        _server(lambda handler: _begin(handler, content_length="0")) as (other, others),
        _server(lambda handler: _begin(handler, 302, location=other, content_length="0")) as (url, _),
        ApiServer(Access(url, "test", Credential(token="t"))) as api,
        pytest.raises(KubernetesError, match="answers 302: Found"),
    ):
        api.get("/x")
    assert others == []


def _refuse(handler):
    _begin(handler, 407, content_length="0")


def test_a_proxy(monkeypatch):
    """The kubeconfig's proxy comes before the environment's, as NO_PROXY limits it; its password is sent."""
    for name in ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with _server(_refuse) as (one, ones), _server(_refuse) as (two, twos):
        monkeypatch.setenv("https_proxy", one)

        def lost(access):
            with ApiServer(access) as api, pytest.raises(KubernetesUnreachable) as raised:
                api.get("/x")
            return str(raised.value)

        assert "cannot be reached: Tunnel connection failed: 407" in lost(Access("https://192.0.2.1", "test"))
        assert len(ones) == 1
        monkeypatch.setenv("no_proxy", "127.0.0.0/8")
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        assert "refused" in lost(Access(f"https://127.0.0.1:{port}", "test"))
        assert len(ones) == 1
        proxy = two.replace("http://", "http://user:p%40ss@")
        assert "407" in lost(Access(f"https://127.0.0.1:{port}", "test", proxy=proxy))
        assert [request["proxy-authorization"] for request in twos] == ["Basic dXNlcjpwQHNz"]
        assert len(ones) == 1


@pytest.mark.parametrize("field", ["ca", "certificate", "key"])
def test_a_file_that_is_missing_is_named(tmp_path, field):
    """A certificate that is not there is no fault of the API server."""
    missing = {field: tmp_path / "missing.pem"}
    credential = Credential(**{name: path for name, path in missing.items() if name != "ca"})
    with pytest.raises(ConfigurationError, match=r"^test: .*missing.pem is not a file: write it, or name another one$"):
        ApiServer(Access("https://127.0.0.1", "test", credential, ca=missing.get("ca")))


def test_the_client_library_is_missing(monkeypatch):
    """What to install is said where it is an extra."""
    monkeypatch.setitem(sys.modules, "kubernetes", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'kafka-warden\[kubernetes\]'"):
        ApiServer(Access("https://127.0.0.1", "test"))


def test_what_is_sent():
    """A query is encoded, and the credential is in its header."""

    def answer(handler):
        body = json.dumps({"path": handler.path}).encode()
        _begin(handler, content_length=str(len(body)))
        handler.wfile.write(body)

    with _server(answer) as (url, requests), ApiServer(Access(url, "test", Credential(token="t"))) as api:
        assert api.get("/x", {"labelSelector": "a in (b, c)"}) == {"path": "/x?labelSelector=a+in+%28b%2C+c%29"}
    [headers] = requests
    assert (headers["authorization"], headers["accept"]) == ("Bearer t", "application/json")


_TWO_THREADS = """
import sys, threading, time
from warden.state.sources.kubernetes.access import Access
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.live import Informer, ObjectSelector

def first():
    ApiServer(Access("https://127.0.0.1:1", "test")).close()
    opened.append(True)

def second():
    while not hasattr(sys.modules.get("kubernetes.client"), "__getattr__"):
        time.sleep(0)
    first()

opened = []
threads = [threading.Thread(target=each) for each in (first, second)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(opened))
"""


@pytest.mark.process
def test_two_threads_connect_at_once():
    """The second finds the client library half imported by the first: it waits, and neither breaks it."""
    done = subprocess.run([sys.executable, "-c", _TWO_THREADS], capture_output=True, text=True, check=False)
    assert "2" == done.stdout.strip(), done.stderr
