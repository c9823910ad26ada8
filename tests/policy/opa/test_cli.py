"""``warden opa``: as a person runs it, with the bundle that ships."""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.pausing import pause
from tests.policy.opa.bundles import process_at

pytestmark = pytest.mark.opa

ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
TOPIC = {
    "operation": "CreateTopic",
    "cluster": "c",
    "request": {"topic": "a", "numPartitions": 1, "replicationFactor": 1},
}


def warden(*arguments, **environment):
    command = [sys.executable, "-m", "warden", "opa", *map(str, arguments)]
    return subprocess.run(command, env=ENVIRONMENT | environment, capture_output=True, text=True, check=False)


@pytest.fixture
def _ctrl_c():
    """Ctrl-C ends what is started, also where the tests themselves run in a shell's background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def running(_ctrl_c, tmp_path):
    """`warden opa run` in the foreground: its handle, and the variables that it prints."""
    command = [sys.executable, "-m", "warden", "opa", "run", "--port", "0", "--directory", str(tmp_path / "opa")]
    with subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            lines = [process.stdout.readline() for _ in range(5)]
            yield process, dict(line.removeprefix("export ").strip().split("=", 1) for line in lines)
        finally:
            process.kill()


@pytest.fixture
def full_disk(tmp_path):
    """A disk under OPA's log that takes nothing."""
    (tmp_path / "opa").mkdir()
    (tmp_path / "opa" / ".log-trial").symlink_to("/dev/full")


def test_run(full_disk, running, tmp_path):
    """It prints where OPA is and its tokens, OPA decides with the real bundle, and Ctrl-C ends it well.

    That its log cannot be written is said, and keeps nothing from being decided.
    """
    from warden.policy.opa.client import OpaClient

    process, variables = running
    with OpaClient(variables["WARDEN_OPA_URL"], token=variables["WARDEN_OPA_QUERY_TOKEN"]) as client:
        decision = client.decide(TOPIC)
        assert decision["revision"] == client.read_revision()
    ran = warden("status", "--opa-url", variables["WARDEN_OPA_URL"], "--output", "json", **variables)
    assert (0, decision["revision"]) == (
        ran.returncode,
        json.loads(ran.stdout)["bundles"]["warden"]["active_revision"],
    )

    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()

    assert (0, True) == (process.returncode, f"with bundle revision {decision['revision']}" in stderr)
    assert "warden: decisions are given but not logged, " in stderr


def test_run_of_an_opa_that_hangs(running):
    """It is started again where it was, with the same tokens, and that is said."""
    from warden.policy.opa.health import HealthCheck

    process, variables = running
    url, query = variables["WARDEN_OPA_URL"], variables["WARDEN_OPA_QUERY_TOKEN"]
    check = HealthCheck(url, query, variables["WARDEN_OPA_REPLICATOR_TOKEN"], deadline=2)
    assert check().problem is None
    before = process_at(url)
    pause(before)
    eventually(lambda: check().problem is None, "OPA decides again")
    assert before != process_at(url)

    process.send_signal(signal.SIGINT)
    assert "warden: OPA hangs and is started again: " in process.communicate()[1]


def test_status_of_a_refused_bundle(running, tmp_path):
    """A bundle that OPA refused is reported, with exit status 1."""
    from warden.policy.opa.client import OpaClient

    _, variables = running
    (tmp_path / "opa" / "bundle.tar.gz").write_bytes(b"not a bundle")
    with OpaClient(variables["WARDEN_OPA_URL"], token=variables["WARDEN_OPA_ADMIN_TOKEN"]) as admin:
        while not (message := admin.read_status()["bundles"]["warden"].get("message")):
            pass
    ran = warden("status", **variables)

    assert (1, f"warden: refused: {message}\n") == (ran.returncode, ran.stderr)


def test_status_of_nobody():
    """An OPA that is not there is an error in one sentence."""
    ran = warden("status", "--opa-url", "http://127.0.0.1:1", "--opa-token", "t")

    assert (
        2,
        "",
        "warden: http://127.0.0.1:1/v1/status cannot be reached: Connection refused: check that OPA runs there\n",
    ) == (
        ran.returncode,
        ran.stdout,
        ran.stderr,
    )


def test_a_port_in_use(tmp_path):
    """A port that somebody has is an error in one sentence."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = warden("run", "--port", port, "--directory", tmp_path / "opa")

    sentence = f"warden: port {port} of 127.0.0.1 is in use: stop what listens there, or give another port\n"
    assert (2, "", sentence) == (ran.returncode, ran.stdout, ran.stderr)


def test_path(opa_binary):
    """It prints the program that everything else uses."""
    assert f"{opa_binary}\n" == warden("path").stdout


def test_token(tmp_path):
    """The token is in the file alone, which nobody else can read, and its sum is printed; no file is replaced."""
    file = tmp_path / "portal.token"
    made = warden("token", file)
    secret = file.read_text()

    assert (0, hashlib.sha256(secret.encode()).hexdigest() + "\n") == (made.returncode, made.stdout)
    assert (0o600, True) == (file.stat().st_mode & 0o777, len(secret) >= 43)
    again = warden("token", file)
    assert (2, secret) == (again.returncode, file.read_text())
    assert f"{file} cannot be written (File exists): name a file that is not there" in again.stderr
