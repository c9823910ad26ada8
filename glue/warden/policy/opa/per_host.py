"""One OPA shared by the processes of a host: the first starts it, the others use it, and it ends with its owner.

<temporary directory>/warden-<user>-<name>/lock     held by the one process that starts it
                                           state    where it is, and its process id; written when it is ready
                                           opa.log
"""

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from warden.base.errors import ScanError
from warden.base.files.private import make_private_directory, open_private, write_private
from warden.base.http.ports import find_free_port, is_listening
from warden.base.process.pids import is_alive, kill
from warden.policy.opa.endpoints import Post, RemoteOpa, with_retries
from warden.policy.opa.item_size import MAX_ITEM_BYTES
from warden.policy.opa.launch import Launch
from warden.policy.opa.retry import Timeout
from warden.policy.opa.tokens import OpaTokens

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["HostOpa", "LaunchHost", "ThisProcess"]

_READY_SECONDS = 60.0
_STOP_SECONDS = 10.0
_MAX_BYTES = 128 * 1024 * 1024  # of a request: the state of a whole cluster, from this job alone
_MAX_UNPACKED_BYTES = 64 * 1024  # of a request that is packed, as none of ours is


class LaunchHost(Protocol):
    """What an OPA has to know of the machine that it is started on; travels to the tasks of a job."""

    def locate(self, path: str) -> Path:
        """Return where a file of the job is on this machine."""

    def find_owner(self) -> int:
        """Return the id of the process whose end ends OPA."""


@dataclass(frozen=True)
class ThisProcess:
    """A `LaunchHost`: OPA belongs to the process that starts it, and files are where they are."""

    def locate(self, path: str) -> Path:
        """As `LaunchHost.locate`."""
        return Path(path)

    def find_owner(self) -> int:
        """As `LaunchHost.find_owner`."""
        return os.getpid()


@dataclass(frozen=True)
class HostOpa:
    """Endpoint (`warden.policy.opa.endpoints.OpaEndpoint`) of an OPA that is started where it is needed.

    It keeps no decision log, and collects its garbage less often than a server does: it is there for one job.

    Args:
        name: The same for all who share one OPA on a host; unique to the job.
        bundle: The bundle file, as `LaunchHost.locate` takes it; without signature: whoever makes this object trusts
            it.
        sha256: Its sum; another file is refused.
        revision: Its revision; an OPA that serves another one is refused.
        program: OPA's program, as `LaunchHost.locate` takes it. ``WARDEN_OPA`` on a host goes before it.
        host: Where it is started.
        tokens: Tokens that OPA accepts.
        timeout: Limits for each call.
        memory_limit: From where on it collects its garbage as often as it must, such as ``192MiB`` (Go's
            ``GOMEMLIMIT``); empty for nowhere. ``GOMEMLIMIT`` on a host goes before it.
    """

    name: str
    bundle: str
    sha256: str
    revision: str
    program: str
    host: LaunchHost = field(default_factory=ThisProcess)
    tokens: OpaTokens = field(default_factory=OpaTokens.generate, repr=False)
    timeout: Timeout = field(default_factory=Timeout)
    memory_limit: str = ""

    @contextmanager
    def open(self, in_flight: int, task: int) -> Iterator[Post]:
        """As `OpaEndpoint.open`; an OPA that has died is started again."""
        with with_retries(lambda: (self.ensure_running(), self.tokens.query), in_flight, self.timeout) as post:
            yield post

    def build_client(self, token: str | None = None, *, max_item_bytes: int = MAX_ITEM_BYTES) -> "OpaClient":
        """As `RemoteOpa.build_client`; with the query token where no other is given."""
        url, own = self.ensure_running(), token or self.tokens.query
        from warden.policy.opa.client import OpaClient  # an OPA starts while it loads

        return OpaClient(url, token=own, timeout=self.timeout, max_item_bytes=max_item_bytes)

    def ensure_running_remote(self) -> RemoteOpa:
        """Return this host's OPA, started where there is none, as one that runs at an address."""
        return RemoteOpa(self.ensure_running(), self.tokens.query, timeout=self.timeout)

    @property
    def directory(self) -> Path:
        """Where its state is on this host."""
        user = os.getuid() if hasattr(os, "getuid") else 0
        return Path(tempfile.gettempdir()) / f"warden-{user}-{self.name}"

    def ensure_running(self) -> str:
        """Return the address of this host's OPA, which is started where there is none.

        Raises:
            ScanError: The bundle is not the one that the job is about.
            ToolchainError, OpaUnreachable: OPA cannot be started.
        """
        with open_private(make_private_directory(self.directory) / "lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            state = self.read_launch_record()
            if state is None or not (is_alive(state["pid"]) and is_listening(state["port"])):
                state = self._start()
            return str(state["url"])

    def read_launch_record(self) -> dict[str, Any] | None:
        """Return what is recorded of this host's OPA: url, port, pid, supervisor (its process id)."""
        try:
            state: dict[str, Any] = json.loads((self.directory / "state").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return state

    def stop(self) -> None:
        """End this host's OPA, where there is one; return when it has ended.

        It keeps nothing that it would have to put away, so it and its supervisor are killed.
        """
        if state := self.read_launch_record():
            pids = state["pid"], state["supervisor"]
            for pid in pids:
                kill(pid)
            deadline = time.monotonic() + _STOP_SECONDS
            while any(map(is_alive, pids)) and time.monotonic() < deadline:
                time.sleep(0.002)
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def _gc_variables(self) -> dict[str, str]:
        """When OPA collects its garbage: a third of its time went into collecting the remains of batches."""
        return {"GOGC": "800"} | ({"GOMEMLIMIT": self.memory_limit} if self.memory_limit else {})

    def _start(self) -> dict[str, Any]:
        bundle, program = self.host.locate(self.bundle), os.environ.get("WARDEN_OPA") or self.host.locate(self.program)
        digest = _hash_file(bundle)
        if digest != self.sha256:
            raise ScanError(f"{bundle} is not the bundle of this scan (its SHA-256 is {digest}): run the scan again")
        (self.directory / "state").unlink(missing_ok=True)
        config = self.directory / "config.json"
        bundles = {"warden": {"resource": bundle.absolute().as_uri()}}
        decoding = {"max_length": _MAX_BYTES, "gzip": {"max_length": _MAX_UNPACKED_BYTES}}
        write_private(config, json.dumps({"bundles": bundles, "server": {"decoding": decoding}}))
        launch = Launch(
            Path(program),
            find_free_port(),
            config,
            bundle,
            self.directory / "opa.log",
            self.tokens,
            self._gc_variables,
            ("--log-level=error", "--optimize-store-for-read-speed"),  # of the bundle's constants, data here
        )
        started = launch.start(self.host.find_owner(), self.directory)
        try:
            revision = started.wait_ready(_READY_SECONDS)
            if revision != self.revision:
                raise ScanError(
                    f"this host's OPA serves revision {revision}, the scan is of {self.revision}: scan again"
                )
        except BaseException:
            started.process.stop()
            raise
        pids = {"pid": started.process.pid, "supervisor": started.process.supervisor_pid}
        state = {"url": launch.url, "port": launch.port, **pids}
        write_private(self.directory / "state.new", json.dumps(state))
        (self.directory / "state.new").replace(self.directory / "state")
        return state


def _hash_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ScanError(f"{path}: the bundle of this scan cannot be read on this host ({error.strerror})") from error
