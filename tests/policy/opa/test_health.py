"""An OPA that hangs is found by a check that decides and writes, and started again by itself."""

import base64
import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.pausing import pause
from tests.policy.opa.bundles import process_at
from warden.base.http.ports import find_free_port
from warden.policy.bundle.build import Bundle
from warden.policy.opa.client import OpaClient, RetryPolicy, Timeout
from warden.policy.opa.health import Health, HealthCheck, RestartDeadline
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.watch import notify_systemd

pytestmark = [pytest.mark.opa]

ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
# OPA 1.22 panics at this header within system.authz, and never gives the store's lock back.
TOKEN = base64.b64encode(b'{"alg":"none","cty":1}').decode().rstrip("=") + ".e30.eA"
PANICS = """
package system.authz

default allow := true

allow := false if io.jwt.decode(input.identity)[1].none
"""
POLICY = "package catalog\n\nrevision := 1\n"


@contextmanager
def _watched(opa_binary: Path, directory: Path, *options: str) -> Iterator[tuple[str, Path, socket.socket]]:
    """An OPA whose policy panics, once it answers the watch: its address, the log of both, and systemd's socket."""
    (directory / "authz.rego").write_text(PANICS, encoding="utf-8")
    (directory / "catalog.rego").write_text(POLICY, encoding="utf-8")
    port, log = find_free_port(), directory / "log"
    url = f"http://127.0.0.1:{port}"
    program = [str(opa_binary), "run", "--server", f"--addr=127.0.0.1:{port}", "--authentication=token"]
    program += ["--authorization=basic", str(directory / "authz.rego"), str(directory / "catalog.rego")]
    check = ["--opa-url", url, "--query-token", "q", "--replicator-token", "r", "--deadline", "4"]
    command = [sys.executable, "-m", "warden", "opa", "watch", *check, *options, "--", *program]
    environment = ENVIRONMENT | {"NOTIFY_SOCKET": str(directory / "notify")}
    with (
        log.open("wb") as output,
        _listening(directory / "notify") as channel,
        subprocess.Popen(command, env=environment, stdout=output, stderr=output) as process,
    ):
        try:
            channel.settimeout(PATIENCE)
            assert channel.recv(100) == b"READY=1\nWATCHDOG=1"
            yield url, log, channel
        finally:
            process.terminate()
            assert process.wait(PATIENCE) == 0


def _listening(path: Path) -> socket.socket:
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    channel.bind(str(path))
    return channel


def _is_well(url: str) -> bool:
    return HealthCheck(url, "q", "r", deadline=2)().problem is None


def _panic(url: str) -> None:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=PATIENCE)
    with suppress(http.client.HTTPException, ConnectionError):
        connection.request("GET", "/v1/data", headers={"Authorization": f"Bearer {TOKEN}"})
        connection.getresponse()
    connection.close()


def _starts(log: Path) -> int:
    return log.read_text(encoding="utf-8").count("Initializing server.")


def test_a_lock_that_nobody_gives_back(opa_binary: Path, tmp_path: Path) -> None:
    """After one panic OPA still decides, hangs at the first write, and is started again by the watch."""
    with _watched(opa_binary, tmp_path) as (url, log, _):
        assert 1 == _starts(log)
        _panic(url)
        eventually(lambda: _starts(log) == 2, "OPA is started again")
        eventually(lambda: _is_well(url), "OPA decides and takes writes")
    assert "OPA hangs and is started again: OPA " in log.read_text(encoding="utf-8")


def test_a_stopped_process(opa_binary: Path, tmp_path: Path) -> None:
    """One that SIGSTOP holds is killed and started again."""
    with _watched(opa_binary, tmp_path) as (url, log, _):
        pause(process_at(url))
        eventually(lambda: _starts(log) == 2, "OPA is started again")
        eventually(lambda: _is_well(url), "OPA decides and takes writes")


def test_systemd_hears_of_answers(opa_binary: Path, tmp_path: Path) -> None:
    """That it is ready, and that it goes on; of one that hangs nothing more is heard."""
    with _watched(opa_binary, tmp_path, "--patience", "600") as (url, _, channel):
        assert channel.recv(100) == b"READY=1\nWATCHDOG=1"
        pause(process_at(url))
        channel.settimeout(8)
        with pytest.raises(TimeoutError):
            _hear_all(channel)
        os.kill(process_at(url), signal.SIGCONT)
        channel.settimeout(PATIENCE)
        assert channel.recv(100)


def _hear_all(channel: socket.socket) -> None:
    while channel.recv(100):
        pass


def test_an_opa_that_ends_by_itself(tmp_path: Path) -> None:
    """Its exit status is that of the watch; what is no program is said."""
    watch = [sys.executable, "-m", "warden", "opa", "watch", "--opa-url", "http://127.0.0.1:1", "--"]
    assert 7 == subprocess.run([*watch, "sh", "-c", "exit 7"], env=ENVIRONMENT, check=False).returncode
    done = subprocess.run([*watch, str(tmp_path / "no")], env=ENVIRONMENT, check=False, capture_output=True, text=True)
    assert (2, f"warden: {tmp_path / 'no'} cannot be started (No such file or directory): name OPA's program\n") == (
        done.returncode,
        done.stderr,
    )


def test_the_command(local_opa: LocalOpa) -> None:
    """It says whether OPA decides and takes writes, and with --alive only whether it answers."""
    tokens = local_opa.tokens
    for arguments, wanted, sentence in (
        ([], 0, ""),
        (["--query-token", "x"], 1, "OPA does not decide: "),
        (["--query-token", "x", "--alive"], 0, "OPA does not decide: "),
        (["--replicator-token", "x"], 1, "OPA takes no write: "),
        (["--opa-url", "http://127.0.0.1:1", "--alive"], 1, "cannot be reached"),
    ):
        command = [sys.executable, "-m", "warden", "opa", "health", *arguments]
        environment = {**ENVIRONMENT, "WARDEN_OPA_URL": local_opa.url, **tokens.environment}
        done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
        assert (wanted, True) == (done.returncode, sentence in done.stderr), (arguments, done.stderr)


def test_a_write_changes_nothing(opa_binary: Path, small_bundle: Bundle, tmp_path: Path) -> None:
    """The write waits for the lock like any other, and leaves data and policies as they were."""
    running = LocalOpa(small_bundle, opa=opa_binary, directory=tmp_path / "opa")
    with running as opa, opa.build_client(opa.tokens.admin) as admin:
        before = admin.get_data(["catalog"]), {policy["id"] for policy in admin.list_policies()}
        check = HealthCheck(opa.url, opa.tokens.query, opa.tokens.replicator, deadline=PATIENCE)
        assert Health(True) == check()
        assert before == (admin.get_data(["catalog"]), {policy["id"] for policy in admin.list_policies()})


def test_an_opa_that_does_not_answer(opa_binary: Path, small_bundle: Bundle, tmp_path: Path) -> None:
    """The check ends at its deadline."""
    with LocalOpa(small_bundle, opa=opa_binary, directory=tmp_path / "opa") as opa:
        pause(opa.pid)
        found = HealthCheck(opa.url, opa.tokens.query, opa.tokens.replicator, deadline=0.5)()
        os.kill(opa.pid, signal.SIGCONT)
        with OpaClient(opa.url, token=opa.tokens.query, timeout=Timeout(), retries=RetryPolicy(9)) as client:
            assert client.read_revision() == "r1"
    assert (False, True) == (found.answers, "did not answer in time" in str(found.problem))


def test_patience() -> None:
    """It ends after the last answer, a refusal being one, and begins anew with each start."""
    well, refused, hung = Health(True), Health(True, "refused"), Health(False, "hung")
    short = RestartDeadline(seconds=1e-9, start_seconds=600)
    assert [False, False] == [short.is_over(hung), short.is_over(hung)]
    assert [True, True] == [short.is_over(well) or short.is_over(hung), short.is_over(hung)]
    short.begin()
    assert not short.is_over(hung)
    assert not RestartDeadline(seconds=600).is_over(refused)


def test_no_systemd() -> None:
    """Nothing is sent where nobody waits for it, or nobody is there any more."""
    notify_systemd("READY=1", {})
    notify_systemd("READY=1", {"NOTIFY_SOCKET": "@warden-of-nobody"})


def test_a_systemd_that_does_not_read(tmp_path: Path) -> None:
    """The watch goes on: once no more messages fit in the socket, the next ones are dropped."""
    with _listening(tmp_path / "notify") as channel:
        for number in range(1000):
            notify_systemd(f"WATCHDOG={number}", {"NOTIFY_SOCKET": str(tmp_path / "notify")})
        assert channel.recv(100) == b"WATCHDOG=0"
