"""An OPA of one's own on this machine: started, awaited, restarted and stopped; on loopback, with tokens.

It runs with ``opa-config.yaml``, the configuration that production uses too, and fetches its bundle from a
`BundleEndpoint`, so that a rebuilt bundle is taken up within a second and a bad one is refused.
"""

import json
import os
import shutil
import socket
import tempfile
import time
from pathlib import Path

from warden.bundle.build import Bundle
from warden.bundle.signing import SigningKey
from warden.errors import ConfigurationError, OpaError, OpaUnreachable
from warden.opa.client import OpaClient, Retries, Timeout
from warden.opa.endpoint import BundleEndpoint
from warden.opa.log import bundle_trouble, last_words
from warden.opa.process import Process
from warden.opa.running import Running
from warden.opa.tokens import Tokens
from warden.resources import share

__all__ = ["LocalOpa"]

_INHERITED = ("GOGC", "GOMAXPROCS", "GOMEMLIMIT", "HOME", "PATH", "TMPDIR", "TZ")


class LocalOpa(Running):
    """A managed OPA; a context manager that starts it, waits until it decides, and stops it.

    It cannot outlive this process (`warden.opa.supervisor`).

    Args:
        bundle: A signed bundle; its key is the only one that OPA accepts.
        opa: The program; the pinned one where none is given.
        port: A port of 127.0.0.1; 0 takes a free one, and keeps it over a restart.
        directory: Where OPA's log and its last good bundle are kept; a temporary one, removed by `stop`, where none
            is given.
        config: OPA's configuration file; Warden's own where none is given.
        public_key: PEM file with the public key, where the bundle was signed with a private one (RS, PS, ES).

    Raises:
        ConfigurationError: A public key is needed, or cannot be read.

    Attributes:
        tokens: What to authenticate with; new ones for each instance.
        directory: As above.
        log: OPA's own log, with its decisions: JSON lines.
    """

    def __init__(
        self,
        bundle: Bundle,
        *,
        opa: Path | None = None,
        port: int = 0,
        directory: Path | None = None,
        config: Path | None = None,
        public_key: Path | None = None,
    ) -> None:
        self._verification_key = _verification_key(bundle.key, public_key)
        self.tokens = Tokens.generate()
        self._bundle, self._opa, self._config = bundle, opa, config or share("opa-config.yaml")
        self._port = port
        self._temporary = directory is None
        self.directory = directory or Path(tempfile.mkdtemp(prefix="warden-opa-"))
        self.log = self.directory / "opa.log"
        self._endpoint: BundleEndpoint | None = None
        self._process: Process | None = None
        self._log_start = 0

    def _begin(self) -> None:
        self.start()
        self.wait_ready()

    @property
    def url(self) -> str:
        """OPA's address; final once OPA has been started."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """OPA's process id."""
        return self._running().pid

    @property
    def alive(self) -> bool:
        """Whether OPA runs."""
        return self._process is not None and self._process.alive

    def client(self, token: str | None = None) -> OpaClient:
        """Return a new client; with the query token where no other is given."""
        return OpaClient(self.url, token=token or self.tokens.query)

    def start(self) -> None:
        """Start OPA; it may not decide yet when this returns.

        Raises:
            ConfigurationError: The port is in use.
            ToolchainError: OPA cannot be had or started.
        """
        if self._process is not None:
            return
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._port = self._port or _free_port()
        _refuse_used(self._port)
        self._endpoint = self._endpoint or BundleEndpoint(self._bundle.path)
        self._launch(self._endpoint)

    def wait_ready(self, timeout: float = 20.0) -> None:
        """Return when OPA decides with its bundle and knows our tokens.

        Args:
            timeout: Seconds.

        Raises:
            ConfigurationError: OPA ended because the port is in use.
            OpaUnreachable: OPA ended, refused the bundle, or was not ready in time.
        """
        deadline, pause = time.monotonic() + timeout, 0.01
        with OpaClient(self.url, token=self.tokens.query, timeout=Timeout(1, 5, 5), retries=Retries(1)) as client:
            while time.monotonic() < deadline:
                if not self._running().alive:
                    self._report_end()
                try:
                    client.revision()  # only our OPA knows our token: another one on this port would refuse it
                    if client.health():
                        return
                except OpaError as error:
                    complaint = bundle_trouble(self.log, self._log_start) if error.code else None
                    if complaint:
                        raise OpaUnreachable(f"OPA refuses {self._bundle.path}: {complaint}") from error
                time.sleep(pause)
                pause = min(0.2, pause * 1.5)
        said = last_words(self.log, self._log_start)
        raise OpaUnreachable(f"OPA at {self.url} was not ready after {timeout:g} s; its log {self.log} ends: {said}")

    def restart(self, timeout: float = 20.0) -> None:
        """Stop OPA, start it on the same port with the same tokens, and wait until it decides."""
        self._end()
        self.start()
        self.wait_ready(timeout)

    def stop(self) -> None:
        """Stop OPA and remove what is temporary. May be called again."""
        self._end()
        if self._endpoint is not None:
            self._endpoint.stop()
            self._endpoint = None
        if self._temporary:
            shutil.rmtree(self.directory, ignore_errors=True)

    def _launch(self, endpoint: BundleEndpoint) -> None:
        from warden.toolchain.opa import find_opa

        self._log_start = self.log.stat().st_size if self.log.exists() else 0
        command = [
            str(self._opa or find_opa()),
            "run",
            "--server",
            f"--addr=127.0.0.1:{self._port}",
            f"--config-file={self._config}",
            "--authentication=token",
            "--authorization=basic",
            "--log-format=json",
            "--log-level-request=debug",  # one line per decision is enough: no second one per request
            "--skip-version-check",
        ]
        self._process = Process(command, self._environment(endpoint), self.log)

    def _environment(self, endpoint: BundleEndpoint) -> dict[str, str]:
        """OPA's whole environment: policies can read it, so it holds nothing that is not meant for them."""
        inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        key = self._bundle.key
        return inherited | {
            **self.tokens.environment(),
            "WARDEN_BUNDLE_URL": endpoint.url,
            "WARDEN_BUNDLE_PATH": endpoint.resource,
            "WARDEN_BUNDLE_TOKEN": endpoint.token,
            "WARDEN_BUNDLE_POLL_SECONDS": "1",
            "WARDEN_BUNDLE_KEY_ID": key.id,
            "WARDEN_BUNDLE_KEY_ALGORITHM": key.algorithm,
            "WARDEN_BUNDLE_KEY": json.dumps(self._verification_key)[1:-1],  # line ends as \n, for a quoted YAML text
            "WARDEN_OPA_DIRECTORY": str(self.directory.resolve()),
        }

    def _running(self) -> Process:
        if self._process is None:
            raise OpaUnreachable("the local OPA has not been started: call start()")
        return self._process

    def _report_end(self) -> None:
        said = last_words(self.log, self._log_start)
        self._end()
        if "address already in use" in said:
            raise _in_use(self._port)
        raise OpaUnreachable(f"OPA ended before it was ready: {said}")

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop()


def _verification_key(key: SigningKey, public_key: Path | None) -> str:
    """Return the text of the key that verifies what ``key`` signed."""
    if public_key is None and not key.symmetric:
        raise ConfigurationError(f"the bundle is signed with {key.algorithm}: give the public key of {key.path} too")
    path = public_key or key.path
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"the key {path} cannot be read: give a PEM file") from error


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _refuse_used(port: int) -> None:
    try:
        with socket.create_server(("127.0.0.1", port)):
            return
    except PermissionError as error:
        raise ConfigurationError(f"port {port} may not be used here: give one above 1023") from error
    except (OSError, OverflowError) as error:
        raise _in_use(port) from error


def _in_use(port: int) -> ConfigurationError:
    return ConfigurationError(f"port {port} of 127.0.0.1 is in use: stop what listens there, or give another port")
