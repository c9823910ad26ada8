"""The probes of replicator, remediator and gateway under attack, each with nothing of what it looks after."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from tests.fixtures.warden_process import WardenProcess
from tests.fuzz.cases import Case, Surface
from tests.fuzz.run import Program
from tests.fuzz.tokens import Signer
from tests.fuzz.wire import request_bytes, send
from warden.base.http.ports import find_free_port

__all__ = ["PROBED", "run_probes_program"]

PROBED = ("replicate", "remediate", "gateway")
"""Commands whose probes are attacked."""

_SURFACE = Surface(
    paths=("/healthz", "/readyz", "/metrics", "/"),
    methods=("GET", "GET", "GET", "POST", "HEAD"),
    tokens={},
    documents=({"a": "b"}, {}),
    claims={"sub": "a"},
)


def _document(command: str, directory: Path) -> dict[str, Any]:
    opa, nowhere = {"url": f"http://127.0.0.1:{find_free_port()}"}, f"127.0.0.1:{find_free_port()}"
    if command == "replicate":
        return {"opa": opa, "clusters": [{"name": "nowhere", "bootstrapServers": nowhere}]}
    if command == "gateway":
        broker = {"id": 1, "address": nowhere, "port": find_free_port()}
        own = {"name": "nowhere", "advertisedHost": "127.0.0.1", "bind": "127.0.0.1", "authentication": "none"}
        return {"opa": opa, "clusters": [{**own, "brokers": [broker]}]}
    kubeconfig = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": f"https://{nowhere}"}}],
        "users": [{"name": "u", "user": {"token": "a"}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "x",
    }
    (directory / "kubeconfig").write_text(yaml.safe_dump(kubeconfig), encoding="utf-8")
    resources = [{"apiVersion": "apps/v1", "kind": "ReplicaSet"}]
    lease = {"namespace": "default", "name": "remediator"}
    access = {"kubeconfig": str(directory / "kubeconfig")}
    return {"opa": opa, "kubernetes": access, "resources": resources, "lease": lease, "records": "records"}


@contextmanager
def run_probes_program(command: str, directory: Path) -> Iterator[Program]:
    """Run a command of `PROBED`, and yield its probes; after each case two of them are looked at.

    Args:
        command: Of Warden.
        directory: For its files.
    """
    directory.mkdir(parents=True, exist_ok=True)
    signer = Signer({})
    checks = [request_bytes(Case("GET", path), _SURFACE, signer) for path in ("/healthz", "/metrics")]
    with WardenProcess(command, directory, _document(command, directory)) as running:
        url = f"http://{running.begun.get('probes') or running.begun['listen']}"

        def check() -> None:
            answers = [send(url, content, is_cut=False) for content in checks]
            assert ["200", "200"] == [status for status, _ in answers], answers

        yield Program(command, url, _SURFACE, signer, check, None, lambda: running.pid, 400, log=running.log)
