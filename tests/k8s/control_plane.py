"""A real Kubernetes control plane on loopback: etcd and kube-apiserver, which can be killed and started again."""

import base64
import os
import secrets
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests
import yaml

from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.k8s.binaries import find_program
from warden.base.http.ports import list_free_ports
from warden.base.process.child_process import Process
from warden.base.process.closing import ManagedProgram
from warden.policy.opa.log import read_last_error

__all__ = ["ISSUER", "NAME", "ControlPlane"]

ISSUER = "https://warden.test"
NAME = "kubernetes.test"
_HAS_MANY = sys.platform == "linux"  # addresses of the loopback interface: all of 127.0.0.0/8


class ControlPlane(ManagedProgram):
    """etcd and kube-apiserver with TLS, RBAC, and tokens made for this run; a context manager.

    Neither process can outlive this one (`warden.base.process.supervisor`), and nothing is left on disk.

    Args:
        options: Further options of the API server, by name.

    Attributes:
        admin_token: Of a user who may do everything.
        reader_token: Of the user ``reader``, who may do what RBAC lets him: at first, to discover.
    """

    def __init__(self, **options: object) -> None:
        self._options = options
        self.directory = Path(tempfile.mkdtemp(prefix="warden-k8s-"))
        self.admin_token, self.reader_token = secrets.token_hex(16), secrets.token_hex(16)
        self._processes: dict[str, Process] = {}
        # Of all programs of the machine etcd alone listens there: nobody takes its ports while it is down.
        self._etcd = f"127.{'.'.join(str(1 + secrets.randbelow(254)) for _ in range(3))}" if _HAS_MANY else "127.0.0.1"
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.headers["Authorization"] = f"Bearer {self.admin_token}"

    def start(self) -> None:
        """Issue certificates and tokens, and start both; once only."""
        self.authority = Authority(self.directory)
        self._server = self.authority.issue("server", "/CN=kube-apiserver", f"subjectAltName=IP:127.0.0.1,DNS:{NAME}")
        self._session.verify = str(self.authority.certificate)
        tokens = f'{self.admin_token},admin,1,"system:masters"\n{self.reader_token},reader,2\n'
        (self.directory / "tokens.csv").write_text(tokens, encoding="utf-8")
        self._start_somewhere()

    @property
    def url(self) -> str:
        """The API server's address."""
        return f"https://127.0.0.1:{self.port}"

    def stop(self) -> None:
        """Stop both and remove their data. May be called again."""
        self._session.close()
        for name in ("kube-apiserver", "etcd"):
            self.kill(name)
        shutil.rmtree(self.directory, ignore_errors=True)

    def kill(self, name: str) -> None:
        """End ``etcd`` or ``kube-apiserver`` by SIGKILL, as a machine that fails would."""
        process = self._processes.pop(name, None)
        if process is not None:
            if process.is_alive:
                os.kill(process.pid, signal.SIGKILL)
            process.stop()

    def mend(self) -> None:
        """Start what a test has killed and not started again."""
        for name, start in (("etcd", self.start_etcd), ("kube-apiserver", self.start_api_server)):
            if name not in self._processes or not self._processes[name].is_alive:
                self.kill(name)
                start()

    def start_etcd(self) -> None:
        """Start etcd with the data it has, and wait until it is healthy."""
        client, peer = (f"http://{self._etcd}:{port}" for port in (self._etcd_port, self._peer_port))
        options = {
            "data-dir": self.directory / "etcd",
            "listen-client-urls": client,
            "advertise-client-urls": client,
            "listen-peer-urls": peer,
            "initial-advertise-peer-urls": peer,
            "initial-cluster": f"default={peer}",
            "log-level": "warn",
        }
        self._start("etcd", [*(f"--{name}={value}" for name, value in options.items()), "--unsafe-no-fsync"])
        self._await("etcd", lambda: self._session.get(f"{client}/health", timeout=5).ok)

    def start_api_server(self) -> None:
        """Start the API server and wait until it is ready."""
        options = {
            "etcd-servers": f"http://{self._etcd}:{self._etcd_port}",
            "bind-address": "127.0.0.1",
            "advertise-address": "127.0.0.1",
            "secure-port": self.port,
            "cert-dir": self.directory / "made",
            "tls-cert-file": self._server[0],
            "tls-private-key-file": self._server[1],
            "client-ca-file": self.authority.certificate,
            "token-auth-file": self.directory / "tokens.csv",
            "service-account-key-file": self.authority.accounts_key,
            "service-account-signing-key-file": self.authority.accounts_key,
            "service-account-issuer": ISSUER,
            "service-account-lookup": "false",
            "service-cluster-ip-range": "10.0.0.0/24",
            "authorization-mode": "RBAC",
            "disable-admission-plugins": "ServiceAccount",
            "endpoint-reconciler-type": "none",
            **self._options,
        }
        self._start("kube-apiserver", [f"--{name}={value}" for name, value in options.items()])
        self._await("kube-apiserver", lambda: self._session.get(f"{self.url}/readyz", timeout=5).ok)

    def api(self, method: str, path: str, document: object = None) -> dict[str, Any]:
        """Send one request to the API server as an administrator and return its answer.

        Of a type that was just defined it may say for a moment that its storage is not ready: 429.
        """

        def send() -> tuple[requests.Response] | None:
            answer = self._session.request(method, f"{self.url}{path}", json=document, timeout=PATIENCE)
            return None if answer.status_code == 429 else (answer,)

        (answer,) = eventually(send, f"{method} {path} is answered")
        assert answer.ok, f"{method} {path}: {answer.text}"
        return dict(answer.json())

    def compact(self) -> None:
        """Have etcd forget every revision but the last."""
        etcd = f"http://{self._etcd}:{self._etcd_port}/v3/kv"
        whole = {"key": base64.b64encode(b"/").decode(), "count_only": True}
        revision = self._session.post(f"{etcd}/range", json=whole, timeout=PATIENCE).json()["header"]["revision"]
        answer = self._session.post(
            f"{etcd}/compaction", json={"revision": revision, "physical": True}, timeout=PATIENCE
        )
        assert answer.ok, answer.text

    def kubeconfig(self, name: str, user: dict[str, Any], *, server: str | None = None, **cluster: Any) -> Path:
        """Write a kubeconfig for a user; ``cluster`` has further fields of its cluster, the CA where it has none."""
        trust = cluster or {"certificate-authority": str(self.authority.certificate)}
        path = self.directory / f"{name}.kubeconfig"
        document = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "c", "cluster": {"server": server or self.url, **trust}}],
            "users": [{"name": "u", "user": user}],
            "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "x",
        }
        path.write_text(yaml.safe_dump(document), encoding="utf-8")
        return path

    def _start_somewhere(self, attempts: int = 3) -> None:
        """Start both on ports that were free a moment ago; on others where somebody was quicker."""
        for attempt in range(attempts):
            self._etcd_port, self._peer_port, self.port = list_free_ports(3)
            try:
                self.mend()
            except AssertionError:
                self.kill("kube-apiserver")
                self.kill("etcd")
                if attempt + 1 == attempts:
                    raise
                shutil.rmtree(self.directory / "etcd", ignore_errors=True)
            else:
                return

    def _start(self, name: str, options: list[str]) -> None:
        inherited = {key: os.environ[key] for key in ("HOME", "PATH", "TMPDIR") if key in os.environ}
        log = self.directory / f"{name}.log"
        self._processes[name] = Process([str(find_program(name)), *options], inherited, log)

    def _await(self, name: str, ready: Callable[[], bool]) -> None:
        log = self.directory / f"{name}.log"

        def holds() -> bool:
            assert self._processes[name].is_alive, f"{name} ended: {read_last_error(log, 0)}"
            try:
                return ready()
            except requests.RequestException:
                return False

        eventually(holds, f"{name} is ready")
