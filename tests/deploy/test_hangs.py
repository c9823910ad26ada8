"""An OPA that hangs is restarted within 30 seconds: by the figures of units and manifests, and by a real probe."""

import inspect
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.fixtures.pausing import pause
from warden.commands.opa.health import watch
from warden.policy.bundle.build import Bundle
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.watch import watch_opa

_MOST: Final = 30.0
DEPLOY = CHECKOUT / "deploy"


def _watch_seconds(command: Sequence[str]) -> float:
    """Return how long an OPA under ``warden opa watch`` may hang: patience, one pause, and one check that has begun."""
    words = [word for word in command if word != "/opt/warden/bin/warden"]
    start = words.index("watch")
    context = watch.make_context("watch", list(words[start + 1 :]))
    interval = inspect.signature(watch_opa).parameters["interval"].default
    seconds: float = context.params["patience"] + interval + context.params["deadline"]
    return seconds


def _probe() -> dict[str, Any]:
    """Return the liveness probe of the shared OPA."""
    text = (DEPLOY / "kubernetes/base/opa.yaml").read_text(encoding="utf-8")
    [stateful] = [one for one in yaml.safe_load_all(text) if one["kind"] == "StatefulSet"]
    [container] = stateful["spec"]["template"]["spec"]["containers"]
    probe: dict[str, Any] = container["livenessProbe"]
    return probe


def test_systemd() -> None:
    """The unit runs the watch; the watchdog is on the watch itself, which cannot hang with OPA."""
    lines = (DEPLOY / "systemd/warden-opa.service").read_text(encoding="utf-8").splitlines()
    [start] = [line.removeprefix("ExecStart=") for line in lines if line.startswith("ExecStart=")]
    [watchdog] = [float(line.removeprefix("WatchdogSec=")) for line in lines if line.startswith("WatchdogSec=")]
    assert _watch_seconds(shlex.split(start)) <= _MOST
    assert _watch_seconds(shlex.split(start)) < watchdog, "systemd would restart what the watch is about to restart"


def test_compose() -> None:
    """Its OPA runs under the watch; the health check has more time than its own deadline."""
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    assert _watch_seconds(services["opa"]["command"]) <= _MOST
    deadline = watch.make_context("watch", ["program"]).params["deadline"]
    check = services["opa"]["healthcheck"]
    assert ["CMD", "warden", "opa", "health"] == check["test"]
    assert float(check["timeout"].removesuffix("s")) > deadline


def test_kubernetes() -> None:
    """A pause, the probes that have to fail, and the end of a process that heeds no signal."""
    probe = _probe()
    each = max(probe["timeoutSeconds"], probe["periodSeconds"])
    whole = probe["periodSeconds"] + probe["failureThreshold"] * each + probe["terminationGracePeriodSeconds"]
    assert whole <= _MOST
    [deadline] = [float(word.partition("=")[2]) for word in probe["exec"]["command"] if word.startswith("--deadline=")]
    assert deadline < probe["timeoutSeconds"], "the probe is to fail by itself, with a reason"


@pytest.mark.opa
def test_the_probe_of_an_opa_that_hangs(opa_binary: Path, few_bundle: Bundle) -> None:
    """Its command fails at its own deadline while SIGSTOP holds OPA, and succeeds before and after."""
    with LocalOpa(few_bundle, opa=opa_binary) as opa:
        eventually(lambda: _run_probe(opa) == (0, ""), "it answers")
        pause(opa.pid)
        try:
            status, reason = _run_probe(opa)
        finally:
            os.kill(opa.pid, signal.SIGCONT)
        assert (1, True) == (status, "did not answer in time (limits: " in reason), reason
        eventually(lambda: _run_probe(opa)[0] == 0, "it answers again")


def _run_probe(opa: LocalOpa) -> tuple[int, str]:
    """Run the probe of the manifest, at another address and without TLS."""
    words = [word for word in _probe()["exec"]["command"][1:] if not word.startswith(("--opa-url=", "--ca-file="))]
    environment = os.environ | {"WARDEN_OPA_URL": opa.url, **opa.tokens.environment}
    command = [sys.executable, "-m", "warden", *words]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    return done.returncode, done.stderr
