"""However a process ends that has an OPA of its own, OPA ends with it, and nothing stays behind."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.fixtures.conditions import eventually
from tests.policy.opa.bundles import alive
from warden.base.errors import OpaUnreachable
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

YES = {"say": "yes"}


def test_stopping_leaves_nothing(opa_binary, small_bundle, tmp_path):
    """Process, port and temporary directory are gone; a directory of the caller's stays, with the log."""
    with LocalOpa(small_bundle, opa=opa_binary) as opa:
        first = opa.pid
    assert (False, False) == (alive(first), opa.directory.exists())
    with pytest.raises(OpaUnreachable), OpaClient(opa.url, token=opa.tokens.query) as client:
        client.decide(YES)

    mine = tmp_path / "mine"
    with LocalOpa(small_bundle, opa=opa_binary, directory=mine) as opa:
        opa.stop()
        opa.stop()
    assert {"opa.log", "bundles"} == {path.name for path in mine.iterdir()}


def test_the_thread_that_started_it_may_end(opa_binary, small_bundle):
    """OPA belongs to the process, not to the thread."""
    opa = LocalOpa(small_bundle, opa=opa_binary)
    thread = threading.Thread(target=opa.__enter__)
    thread.start()
    thread.join()
    try:
        pid = opa.pid
        with opa.build_client() as client:
            assert client.decide(YES)["allowed"]
        assert alive(pid)
    finally:
        opa.stop()


PARENT = """
import os, signal, sys, time
from pathlib import Path
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.signing import SigningKey
from warden.policy.opa.local import LocalOpa
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts what runs in the background without it
forks, *paths = sys.argv[1:]
opa, bundle, key, directory = map(Path, paths)
LocalOpa.wait_ready.__defaults__ = (300.0,)  # however slow the machine is
with LocalOpa(Bundle(bundle, "r1", SigningKey(key, "HS256", "test")), opa=opa, directory=directory) as local:
    fork = os.fork() if forks else 0
    if fork or not forks:
        print(local.pid, fork, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def parent(request, opa_binary, small_bundle, tmp_path):
    """A Python process with an OPA: its handle, OPA's pid, and the pid of its fork."""
    paths = [opa_binary, small_bundle.path, small_bundle.key.path, tmp_path / "opa"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = [sys.executable, "-c", PARENT, getattr(request, "param", ""), *paths]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        fork = 0
        try:
            pid, fork = map(int, process.stdout.readline().split())
            yield process, pid, fork
        finally:
            process.kill()
            if fork:
                os.kill(fork, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_orphan_when_the_parent_dies(parent, number):
    """However the process ends, OPA ends too."""
    process, pid, _ = parent
    assert alive(pid)
    process.send_signal(number)
    process.wait()

    eventually(lambda: not alive(pid), "OPA outlived the process that started it")


@pytest.mark.parametrize("parent", ["forks"], indirect=True)
def test_no_orphan_when_a_fork_lives_on(parent):
    """A fork holds the same pipe, so that its end is not seen; that the process is gone is seen all the same."""
    process, pid, fork = parent
    process.kill()
    process.wait()

    eventually(lambda: not alive(pid), "OPA outlived the process that started it")
    assert alive(fork)


@pytest.mark.skipif(sys.platform != "linux", reason="PR_SET_PDEATHSIG")
def test_no_orphan_when_the_supervisor_dies(opa_binary, small_bundle):
    """Even the process in between may be killed."""
    with LocalOpa(small_bundle, opa=opa_binary) as opa:
        pid = opa.pid
        between = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(between, signal.SIGKILL)

        eventually(lambda: not alive(pid), "OPA outlived its supervisor")
