"""An OPA for each host that judges: the first task there starts it, the others find it, and it ends with the executor.

<temporary directory>/warden-<user>-<name>/lock     held by the one process that starts it
                                           state    where it is, and its process id; written when it is ready
                                           opa.log
"""

import fcntl
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from threading import Thread
from typing import Any

from warden.errors import OpaError, OpaUnreachable, ScanError
from warden.opa.client import OpaClient, Retries, Timeout
from warden.opa.log import last_words
from warden.opa.tokens import Tokens
from warden.scan.doors import Post, patient
from warden.scan.evaluate import Job

__all__ = ["HostOpa"]

_READY_SECONDS = 60.0
_END_SECONDS = 10.0
_INHERITED = ("GOGC", "GOMAXPROCS", "GOMEMLIMIT", "HOME", "PATH", "TMPDIR", "TZ")
_SHIPPED = "shipped:"


@dataclass(frozen=True)
class HostOpa:
    """A door (`warden.scan.doors.Door`) to an OPA that is started where it is needed.

    Args:
        name: The same for all who share one OPA on a host; unique to the application.
        bundle: The bundle file, not signed: whoever made this object has verified it. A path, or with ``shipped:``
            before it the name of a file that Spark has brought (SparkFiles).
        sha256: Its sum; another file is refused.
        revision: Its revision; an OPA that serves another one is refused.
        opa: The program, given like the bundle. ``WARDEN_OPA`` on a host goes before it.
        tokens: What OPA asks for.
        timeout: Limits for each call.
    """

    name: str
    bundle: str
    sha256: str
    revision: str
    opa: str
    tokens: Tokens = field(default_factory=Tokens.generate, repr=False)
    timeout: Timeout = field(default_factory=Timeout)

    @contextmanager
    def open(self, job: Job, task: int) -> Iterator[Post]:
        """As `Door.open`; an OPA that has died is started again."""
        with patient(lambda: (self.ensure(), self.tokens.query), job.in_flight, self.timeout) as post:
            yield post

    def client(self) -> OpaClient:
        """As `Door.client`."""
        return OpaClient(self.ensure(), token=self.tokens.query, timeout=self.timeout)

    @property
    def directory(self) -> Path:
        """Where its state is on this host."""
        user = os.getuid() if hasattr(os, "getuid") else 0
        return Path(tempfile.gettempdir()) / f"warden-{user}-{self.name}"

    def ensure(self) -> str:
        """Return the address of this host's OPA, which is started where there is none.

        Raises:
            ScanError: The bundle is not the one that the scan is about.
            OpaUnreachable: OPA cannot be started.
        """
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self.directory / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            state = self.state()
            if state is None or not (_alive(state["pid"]) and _listens(state["port"])):
                state = self._start()
            return str(state["url"])

    def state(self) -> dict[str, Any] | None:
        """Return what is known of this host's OPA: url, pid, keeper (its process id)."""
        try:
            found: dict[str, Any] = json.loads((self.directory / "state").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found

    def stop(self) -> None:
        """End this host's OPA, where there is one; return when it has ended."""
        if state := self.state():
            for pid in (state["keeper"], state["pid"]):
                _end(pid)
            deadline = time.monotonic() + _END_SECONDS
            while (_alive(state["keeper"]) or _alive(state["pid"])) and time.monotonic() < deadline:
                time.sleep(0.02)
        shutil.rmtree(self.directory, ignore_errors=True)

    def _start(self) -> dict[str, Any]:
        bundle, program = _here(self.bundle), os.environ.get("WARDEN_OPA") or str(_here(self.opa))
        found = _sha256(bundle)
        if found != self.sha256:
            raise ScanError(f"{bundle} is not the bundle of this scan (its SHA-256 is {found}): run the scan again")
        (self.directory / "state").unlink(missing_ok=True)
        config, log, port = self.directory / "config.json", self.directory / "opa.log", _free_port()
        config.write_text(json.dumps({"bundles": {"warden": {"resource": bundle.absolute().as_uri()}}}), "utf-8")
        command = [program, "run", "--server", f"--addr=127.0.0.1:{port}", f"--config-file={config}"]
        command += ["--authentication=token", "--authorization=basic", "--log-format=json", "--log-level=error"]
        environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        # A third of OPA's time went into collecting the remains of batches.
        environment = {"GOGC": "800"} | environment | dict(self.tokens.environment())
        keeper = resources.files("warden.scan").joinpath("keeper.py").read_text(encoding="utf-8")
        started = log.stat().st_size if log.exists() else 0
        with log.open("ab") as output:
            process = subprocess.Popen(
                [
                    sys.executable,
                    "-I",
                    "-S",
                    "-c",
                    keeper,
                    str(_owner()),
                    str(self.directory),
                    *command,
                    "--skip-version-check",
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=output,
                env=environment,
                start_new_session=True,
            )
        Thread(target=process.wait, name="keeper", daemon=True).start()  # so that it leaves no zombie
        with process.stdout as answer:  # type: ignore[union-attr]
            pid = answer.readline().strip()
        if not pid.isdigit():
            raise OpaUnreachable(f"{program} cannot be started on this host: {last_words(log, started)}")
        state = {"url": f"http://127.0.0.1:{port}", "port": port, "pid": int(pid), "keeper": process.pid}
        self._wait(state, log, started)
        (self.directory / "state.new").write_text(json.dumps(state), encoding="utf-8")
        (self.directory / "state.new").replace(self.directory / "state")
        return state

    def _wait(self, state: dict[str, Any], log: Path, started: int) -> None:
        deadline = time.monotonic() + _READY_SECONDS
        with OpaClient(state["url"], token=self.tokens.query, timeout=Timeout(1, 5, 5), retries=Retries(1)) as client:
            while True:
                try:
                    revision = client.revision()
                    break
                except OpaError as error:
                    if not _alive(state["pid"]) or time.monotonic() > deadline:
                        _end(state["keeper"])
                        raise OpaUnreachable(f"OPA did not start on this host: {last_words(log, started)}") from error
                    time.sleep(0.05)
        if revision != self.revision:
            _end(state["keeper"])
            raise ScanError(f"this host's OPA serves revision {revision}, but the scan is about {self.revision}")


def _here(place: str) -> Path:
    if not place.startswith(_SHIPPED):
        return Path(place)
    from pyspark import SparkFiles

    return Path(SparkFiles.get(place.removeprefix(_SHIPPED)))


def _owner() -> int:
    """The process whose end ends OPA: in a task the executor's JVM, which is above pyspark.daemon; else this one."""
    from pyspark import TaskContext

    if TaskContext.get() is None:
        return os.getpid()
    pid = os.getppid()
    name, above = _process(pid)
    while above > 1 and not name.startswith("java"):
        pid = above
        name, above = _process(pid)
    return pid


def _process(pid: int) -> tuple[str, int]:
    """Name and parent of a process."""
    try:
        before, _, after = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")
        return before.partition("(")[2], int(after.split()[1])
    except (OSError, ValueError):
        pass
    found = subprocess.run(["ps", "-o", "ppid=,comm=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S607
    parent, _, name = found.stdout.strip().partition(" ")
    return Path(name.strip()).name, int(parent or 0)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        # A program that was killed keeps its sockets until its last thread is gone, and its id until it is waited for.
        return (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0] != "Z"
        )
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    except FileNotFoundError:  # no /proc: not Linux
        return not Path("/proc/self").exists()


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2):
            return True
    except OSError:
        return False


def _end(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ScanError(f"{path}: the bundle of this scan cannot be read on this host ({error.strerror})") from error
