"""Start of an OPA on this machine: its command line, its whole environment, and the wait until it decides."""

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from warden.base.errors import OpaError, OpaUnreachable
from warden.base.http.ports import build_port_in_use_error
from warden.base.process.child_process import Process
from warden.policy.opa.log import find_bundle_error, read_last_error
from warden.policy.opa.retry import RetryPolicy, Timeout
from warden.policy.opa.tokens import OpaTokens

__all__ = ["Launch", "StartedOpa"]

_INHERITED = ("GOGC", "GOMAXPROCS", "GOMEMLIMIT", "HOME", "PATH", "TMPDIR", "TZ")
_ONE_TRY = Timeout(connect=1, read=5, total=5)


@dataclass(frozen=True)
class Launch:
    """An OPA to start on 127.0.0.1.

    Args:
        program: OPA's program.
        port: A port that is free.
        config: OPA's configuration file.
        bundle: The bundle that the configuration names, for messages.
        log: File to which OPA's log is appended, as JSON lines.
        tokens: Tokens that OPA accepts.
        variables: OPA's environment, beside the tokens and what it inherits; an inherited variable goes before.
        log_options: Options of ``opa run`` that say what is logged, and further ones.
        all_bundles: Whether it is not ready before it has all bundles; else before it has Warden's.
    """

    program: Path
    port: int
    config: Path
    bundle: Path
    log: Path
    tokens: OpaTokens
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    log_options: tuple[str, ...] = ()
    all_bundles: bool = True

    @property
    def url(self) -> str:
        """OPA's address."""
        return f"http://127.0.0.1:{self.port}"

    def start(self, owner: int | None = None, directory: Path | None = None) -> "StartedOpa":
        """Start OPA; it may not decide yet when this returns.

        Args:
            owner, directory: As of `warden.base.process.child_process.Process`.

        Raises:
            ToolchainError: The program cannot be started.
        """
        log_start = self.log.stat().st_size if self.log.exists() else 0
        command = [
            str(self.program),
            "run",
            "--server",
            f"--addr=127.0.0.1:{self.port}",
            f"--config-file={self.config}",
            "--authentication=token",
            "--authorization=basic",
            "--log-format=json",
            *self.log_options,
            "--skip-version-check",
        ]
        process = Process(command, self._build_environment(), self.log, owner=owner, directory=directory)
        return StartedOpa(self, process, log_start)

    def _build_environment(self) -> dict[str, str]:
        """OPA's whole environment: policies can read it, so it holds nothing that is not meant for them."""
        inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        return {**self.variables, **inherited, **self.tokens.environment}


@dataclass(frozen=True)
class StartedOpa:
    """An OPA that has been started.

    Args:
        launch: How.
        process: Its process.
        log_start: Size of the log before, in bytes.
    """

    launch: Launch
    process: Process
    log_start: int

    def wait_ready(self, timeout: float) -> str:
        """Return the revision of the bundle that OPA decides with, once it does and knows our tokens.

        Args:
            timeout: Seconds.

        Raises:
            ConfigurationError: OPA ended because the port is in use.
            OpaUnreachable: OPA ended, refused the bundle, or was not ready in time.
        """
        from warden.policy.opa.client import OpaClient  # its libraries load while OPA starts

        launch, deadline, pause = self.launch, time.monotonic() + timeout, 0.005
        with OpaClient(launch.url, token=launch.tokens.query, timeout=_ONE_TRY, retries=RetryPolicy(1)) as client:
            while time.monotonic() < deadline:
                if not self.process.is_alive:
                    raise self._build_end_error()
                try:
                    revision = client.read_revision()  # only our OPA knows our token: another here would refuse it
                    if client.is_healthy(launch.all_bundles):
                        return revision
                except OpaError as error:
                    complaint = find_bundle_error(launch.log, self.log_start) if error.code else None
                    if complaint:
                        raise OpaUnreachable(f"OPA refuses {launch.bundle}: {complaint}") from error
                time.sleep(pause)
                pause = min(0.01, pause * 1.1)
        raise OpaUnreachable(
            f"OPA at {launch.url} was not ready after {timeout:g} s; "
            f"its log {launch.log} ends: {self._read_last_error()}"
        )

    def _build_end_error(self) -> Exception:
        last = self._read_last_error()
        if "address already in use" in last:
            return build_port_in_use_error(self.launch.port)
        return OpaUnreachable(f"OPA ended before it was ready: {last}")

    def _read_last_error(self) -> str:
        return read_last_error(self.launch.log, self.log_start)
