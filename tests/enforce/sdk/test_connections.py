"""How the client for services gets at its OPA, and what it does when it is closed, forked or handed on."""

import asyncio
import copy
import json
import multiprocessing
import pickle
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from select import select
from typing import Any

import pytest

from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.http import Handler, served
from tests.fixtures.patience import PATIENCE
from tests.fixtures.tls_opa import tls_opa
from warden import ConfigurationError, Decision, OpaUnauthorized, OpaUnreachable, Warden
from warden.base.http.ports import find_free_port
from warden.policy.opa.client import OpaClient

_ALLOWED = {"allowed": True, "errors": [], "error": None, "violations": []}
_DENIED = {
    "allowed": False,
    "errors": ["no"],
    "error": {"code": 44, "name": "POLICY_VIOLATION", "message": "no"},
    "violations": [],
}


class _Yes(Handler):
    def respond(self):
        self.body()
        self.answer(200, json.dumps({"result": _ALLOWED}).encode())


@pytest.mark.process
def test_a_fork_has_connections_of_its_own():
    """Else its parent could read the answer to a question of its: here of a child that is killed before it comes."""
    taken, crossed = threading.Event(), threading.Event()

    class Crossing(Handler):
        def respond(self):
            topic = json.loads(self.body())["input"]["request"]["topic"]
            if topic == "child":
                taken.set()
                eventually(lambda: crossed.is_set() or bool(select([self.connection], [], [], 0)[0]), "another request")
            if topic == "parent":
                crossed.set()
            self.answer(200, json.dumps({"result": _DENIED if topic == "parent" else _ALLOWED}).encode())

    with served(Crossing) as url, Warden(url, cluster="a") as warden:
        assert warden.create_topic("first")
        child = multiprocessing.get_context("fork").Process(target=warden.create_topic, args=("child",))
        child.start()
        eventually(taken.is_set, "the child's request")
        child.kill()
        child.join()

        assert not warden.create_topic("parent")


def test_threads_do_not_wait_for_each_other():
    """As many as a web server has ask at a time: each is answered when all of them have sent theirs."""
    everyone = threading.Barrier(40)

    class Patient(Handler):
        def respond(self):
            self.body()
            everyone.wait(PATIENCE)
            self.answer(200, json.dumps({"result": _ALLOWED}).encode())

    with served(Patient) as url, Warden(url, cluster="a") as warden:

        async def ask() -> list[Decision]:
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(everyone.parties))
            return await asyncio.gather(*(asyncio.to_thread(warden.delete_topic, "a") for _ in range(everyone.parties)))

        assert all(asyncio.run(ask()))


def test_a_closed_one_asks_no_more():
    """It would open connections that nobody closes."""
    with served(_Yes) as url:
        with Warden(url, "secret", cluster="prod") as warden:
            assert warden.delete_topic("a")
        warden.close()

        with pytest.raises(RuntimeError, match=rf"^<Warden of cluster 'prod' at {url}> is closed: make another"):
            warden.delete_topic("a")


@pytest.mark.parametrize("repeat", [copy.copy, copy.deepcopy, pickle.dumps])
def test_it_is_not_pickled(repeat):
    """What came out would have no limits and no token."""
    with Warden("http://127.0.0.1:9", cluster="a") as warden, pytest.raises(TypeError, match="make one where it is"):
        repeat(warden)


def test_a_token_is_read_again():
    """Where OPA refuses the last one, as when its file has been replaced."""
    tokens = iter(["old", "new"])

    class Guarded(Handler):
        def respond(self):
            self.body()
            is_new = self.headers["Authorization"] == "Bearer new"
            self.answer(*(200, json.dumps({"result": _ALLOWED}).encode()) if is_new else (401,))

    with served(Guarded) as url, Warden(url, lambda: next(tokens), cluster="a") as warden:
        assert warden.delete_topic("a")


@pytest.mark.parametrize("reads", [0, 1])
def test_a_token_that_cannot_be_read(reads, tmp_path):
    """Is named when the client is made, and later what is wrong is the refusal."""
    file = tmp_path / "token"
    if reads:
        file.write_text("old")

    class Refusing(Handler):
        def respond(self):
            self.body()
            self.answer(401)

    with served(Refusing) as url:
        if not reads:
            with pytest.raises(ConfigurationError, match=r"^token cannot be read \(.*No such file"):
                Warden(url, file.read_text, cluster="a")
            return
        with Warden(url, file.read_text, cluster="a") as warden:
            file.unlink()
            with pytest.raises(OpaUnauthorized):
                warden.delete_topic("a")


@pytest.fixture(scope="module")
def guarded(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, Any]]]:
    """An OPA that answers nobody without a certificate, and the files that it takes."""
    authority, port = Authority(tmp_path_factory.mktemp("authority")), find_free_port()
    url, certificate = f"https://127.0.0.1:{port}", authority.issue("app", "/CN=app", "extendedKeyUsage=clientAuth")
    files: dict[str, Any] = {"ca_file": authority.certificate, "certificate": certificate}
    asking = ("--authentication=tls", f"--tls-ca-cert-file={authority.certificate}")
    with tls_opa(opa_binary, port, authority, *asking), Warden(url, cluster="a", **files) as warden:
        client: OpaClient = warden._get_client()
        eventually(lambda: client.is_healthy(bundles=False), "OPA")
        client.put_data(["kafka"], {"decision": _ALLOWED})
        yield url, files


@pytest.mark.opa
@pytest.mark.parametrize("kind", [Path, str])
def test_a_certificate(kind, guarded):
    """OPA asks for one, and gets it."""
    url, files = guarded
    ca_file, certificate = kind(files["ca_file"]), tuple(map(kind, files["certificate"]))
    with Warden(url, cluster="a", ca_file=ca_file, certificate=certificate) as warden:
        assert warden.delete_topic("a")
    with Warden(url, cluster="a", ca_file=ca_file, timeout=5) as warden, pytest.raises(OpaUnreachable):
        warden.delete_topic("a")


def test_a_certificate_that_is_none(tmp_path):
    """Is named with its files when the client is made."""
    pair = (tmp_path / "app.crt", tmp_path / "app.key")
    with pytest.raises(ConfigurationError, match=rf"^certificate: {pair[0]} and {pair[1]} cannot be loaded"):
        Warden("https://127.0.0.1:9", cluster="a", certificate=pair)
