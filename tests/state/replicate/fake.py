"""A source whose contents a test sets: only to provoke what a real one cannot be made to do on demand."""

import copy
import threading
import time
from datetime import UTC, datetime
from typing import Any

from tests.fixtures.patience import PATIENCE
from warden.base.files.secret import Secret
from warden.policy.opa.connection_config import OpaConnectionConfig
from warden.state.replicate.config import ReplicatedSource, ReplicationSettings, ReplicatorConfig
from warden.state.replicate.replicator import Replicator
from warden.state.sources.source import Change


class FakeSource:
    """Tells what was put into it; `fault`, where there is one, is raised by loads and polls."""

    kind = "fake"
    entries: str | None = "topics"
    depth = 2

    def __init__(self, name: str, document: dict[str, Any], *, root: tuple[str, ...] = (), meta: tuple[str, ...] = ()):
        self.name = name
        self.root = root or ("clusters", name)
        self.meta = meta or (*self.root, "meta")
        self.details: dict[str, Any] = {"clusterId": "c"}
        self.observed: datetime | None = None
        self.fault: Exception | None = None
        self.loads = 0
        self.attempts = 0
        self._document = document
        self._changes: list[Change] = []
        self._lock = threading.Condition()
        self._closed = False

    def tell(self, *changes: Change) -> None:
        """Change something, as a poll tells it."""
        with self._lock:
            self._changes += changes
            self._lock.notify()

    def become(self, document: dict[str, Any]) -> None:
        """Change everything, as a load tells it only."""
        with self._lock:
            self._document = document

    def load(self) -> dict[str, Any]:
        self.attempts += 1
        if self.fault:
            raise self.fault
        with self._lock:
            self.loads += 1
            self.observed = datetime.now(UTC)
            self._changes = []
            return copy.deepcopy(self._document)

    def poll(self, timeout: float) -> list[Change]:
        self.attempts += 1
        if self.fault:
            raise self.fault
        with self._lock:
            self._lock.wait_for(lambda: self._changes or self._closed, min(timeout, 0.1))
            self.observed = datetime.now(UTC)
            changes, self._changes = self._changes, []
            return copy.deepcopy(changes)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._lock.notify()


class _Given(Secret):
    """A secret that is in the test itself."""

    def read(self) -> str:
        """Return it."""
        return self.env or ""


def replicating(url: str, token: str, *sources: FakeSource, **more: Any) -> Replicator:
    """A replicator of some sources that has been started, with quick intervals."""
    settings = {"compare": 0.0, "max_age": 30.0, "lease": 2.0, "interval": 0.1, **more}
    accept = settings.pop("accept_loss", ())
    timeout, trim = settings.pop("timeout", PATIENCE), settings.pop("trim", False)
    secret = settings.pop("secret", None) or _Given("test", env=token)
    opa = OpaConnectionConfig(url=url, token=secret, timeout=timeout, revision_file=settings.pop("revision_file", None))
    replication = ReplicationSettings.model_construct(**settings)  # not validated: quicker than a file may ask for
    replicated = tuple(ReplicatedSource(source, replication) for source in sources)
    replicator = Replicator(ReplicatorConfig(opa, replicated), trim=trim, accept_loss=accept)
    replicator.start()
    return replicator


def wait(seconds: float) -> None:
    """Let time pass, where that nothing happens in it is the point."""
    time.sleep(seconds)
