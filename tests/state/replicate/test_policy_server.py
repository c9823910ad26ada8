"""The server of the policies' bundle: who gets it, and who waits for it."""

import io
import json
import tarfile
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from warden.base.errors import ConfigurationError
from warden.base.http.ports import find_free_port
from warden.state.config_map_policies.entry import Listener
from warden.state.config_map_policies.policy_set import read_text
from warden.state.replicate.policies.bundle import PolicyBundle, pack_policies
from warden.state.replicate.policies.server import BUNDLE_PATH, PolicyServer


@pytest.fixture
def server():
    """A server, and its address."""
    port = find_free_port()
    server = PolicyServer(Listener(address=f"127.0.0.1:{port}"), lambda: "secret")
    yield server, f"http://127.0.0.1:{port}/{BUNDLE_PATH}"
    server.stop()


def _get(url, known="", wait=0, token="secret"):
    headers = {"Authorization": f"Bearer {token}", "If-None-Match": known, "Prefer": f"modes=snapshot;wait={wait}"}
    return requests.get(url, headers=headers, timeout=60)


def test_who_gets_it(server):
    """Whoever has the token, at this path, once there is one."""
    served, url = server
    assert 503 == _get(url).status_code
    served.publish(PolicyBundle("1", b"content"))
    answer = _get(url)
    assert (200, b"content", '"1"') == (answer.status_code, answer.content, answer.headers["ETag"])
    assert 304 == _get(url, '"1"').status_code
    assert 401 == _get(url, token="other").status_code
    assert 401 == requests.get(url, timeout=60).status_code
    assert 404 == _get(f"{url}/x").status_code


def test_one_that_waits_gets_the_next(server):
    """At once, and not when its time is over."""
    served, url = server
    served.publish(PolicyBundle("1", b"one"))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(_get, url, '"1"', 50)
        assert not waiting.done()
        served.publish(PolicyBundle("2", b"two"))
        assert (200, b"two") == (waiting.result(40).status_code, waiting.result().content)


def test_one_that_waits_comes_back_after_the_end(server):
    """Its connection is closed, so that it comes back to whoever listens there then."""
    served, url = server
    served.publish(PolicyBundle("1", b"one"))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(_get, url, '"1"', 50)
        served.stop()
        try:
            answer = waiting.result(40)
        except requests.ConnectionError:  # it came too late
            return
        assert (503, "close") == (answer.status_code, answer.headers["Connection"])


def test_a_token_that_cannot_be_read():
    """Nobody gets anything."""

    def read() -> str:
        raise ConfigurationError("no such file")

    port = find_free_port()
    server = PolicyServer(Listener(address=f"127.0.0.1:{port}"), read)
    try:
        assert 401 == _get(f"http://127.0.0.1:{port}/{BUNDLE_PATH}").status_code
    finally:
        server.stop()


def test_an_address_that_is_taken(server):
    """The message names it."""
    _, url = server
    port = url.split(":")[2].split("/")[0]
    with pytest.raises(ConfigurationError, match=f"127.0.0.1:{port}"):
        PolicyServer(Listener(address=f"127.0.0.1:{port}"), lambda: "secret")


def test_what_is_in_it():
    """Policies and data by ConfigMap, and what OPA is to say that it has; roots that no other bundle of ours owns."""
    metadata = {"namespace": "shop", "name": "a", "uid": "1"}
    text = read_text({"metadata": metadata, "data": {"a.rego": "package x", "b.yaml": "c: 1"}})
    bundle = pack_policies({text.place: text}, {"shop": "namespace"}, {"pay": ["pay/b"]})
    with tarfile.open(fileobj=io.BytesIO(bundle.content)) as archive:
        opened = {one.name: archive.extractfile(one) for one in archive.getmembers()}
        files = {name: content.read() for name, content in opened.items() if content}
    assert {"/.manifest", "/data.json", "/configmaps/shop/a/a.rego"} == files.keys()
    manifest, data = json.loads(files["/.manifest"]), json.loads(files["/data.json"])
    assert bundle.revision == manifest["revision"] == data["site"]["loaded"]["revision"]
    assert all(root.startswith("site/") for root in manifest["roots"])
    assert {"shop": {"a": {"b": {"c": 1}}}} == data["site"]["configmaps"]
    assert ({"shop": "namespace"}, {"pay": ["pay/b"]}) == tuple(
        data["site"]["loaded"][key] for key in ("namespaces", "closed")
    )
