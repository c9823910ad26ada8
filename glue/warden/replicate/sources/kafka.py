"""Kafka clusters as a source: KRaft has no watch for clients, so they are looked at again and again, cheaply."""

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import ceil
from typing import Any, Protocol

from warden.errors import WardenError
from warden.kafka.connection import Connection, connect
from warden.kafka.live import LiveCluster
from warden.kafka.security import client_options
from warden.replicate.client_files import ClientFiles
from warden.replicate.config import OpaSettings
from warden.replicate.deletions import Deletions
from warden.replicate.entry import Entry
from warden.replicate.labels import Labelling, read_labelling
from warden.replicate.secret import Secret
from warden.replicate.source import Change
from warden.replicate.sources.cluster import ClusterDocument

__all__ = ["KafkaSource", "Look", "Settings", "source"]

_SECRET = frozenset({"sasl.jaas.config", "ssl.key.password", "ssl.keystore.key", "ssl.keystore.password"})
_SERVERS = r"[^\s,:]+:\d+(\s*,\s*[^\s,:]+:\d+)*|\[[^\]]+\]:\d+"


class Look(Protocol):
    """What looks at a cluster; `warden.kafka.live.LiveCluster` does."""

    @property
    def id(self) -> str: ...
    @property
    def parts(self) -> Mapping[str, Any]: ...
    @property
    def missing(self) -> list[str]: ...
    @property
    def all_topics(self) -> Mapping[str, dict[str, Any]]: ...

    def look(self, *, activity: bool) -> dict[str, dict[str, Any] | None]: ...


@dataclass(frozen=True)
class Settings:
    """How one cluster is read.

    Args:
        name: Its name in OPA's data and in policies.
        bootstrap_servers: ``host:port``, several separated by commas.
        properties: Kafka's client properties; secrets by reference.
        interval: Seconds from one look to the next, at the most; a random tenth is taken off.
        activity_interval: The same for groups with their offsets and latest writes, which move all the time.
        describe_per_look: Topics whose configs are described at one look; with more topics than that, a change of
            configs alone is seen some looks later.
        timeout: Seconds for a connection, and for each request.
        assume_no_deletions: As ``assume_none`` of `warden.replicate.deletions.Deletions`.
    """

    name: str
    bootstrap_servers: str
    properties: Mapping[str, str | Secret] = field(default_factory=dict)
    interval: float = 1.0
    activity_interval: float = 5.0
    describe_per_look: int = 1000
    timeout: float = 15.0
    assume_no_deletions: bool = False

    def security(self) -> dict[str, str]:
        """Return the client properties, with the secrets as they are now."""
        return {name: value.read() if isinstance(value, Secret) else value for name, value in self.properties.items()}

    def connect(self) -> Connection:
        """Return a new connection; raises as `warden.kafka.connection.connect`."""
        return connect(self.bootstrap_servers, security=self.security(), timeout=self.timeout)

    def consumer(self) -> Any:
        """Return a new kafka-python consumer without a group."""
        from kafka import KafkaConsumer

        return KafkaConsumer(
            bootstrap_servers=[server.strip() for server in self.bootstrap_servers.split(",")],
            client_id="warden",
            group_id=None,
            enable_auto_commit=False,
            allow_auto_create_topics=False,
            bootstrap_timeout_ms=int(self.timeout * 1000),
            request_timeout_ms=int(self.timeout * 1000),
            **client_options(self.security()),
        )


class KafkaSource:
    """One cluster; methods and attributes are those of `warden.replicate.source.Source`.

    Args:
        settings: How it is read.
        labelling: Where labels come from; None where nobody knows any.
        begin: Connects, and returns what looks at the cluster and what closes it; replaced where there is no cluster.
        clients: What applications' own files say; None where nobody tells.
    """

    kind = "kafka"
    entries = "topics"
    depth = 2

    def __init__(
        self,
        settings: Settings,
        labelling: Labelling | None = None,
        begin: Callable[[], tuple[Look, Callable[[], None]]] | None = None,
        clients: ClientFiles | None = None,
    ) -> None:
        self.name = settings.name
        self.root = ("clusters", settings.name)
        self.meta = (*self.root, "meta")
        self.observed: datetime | None = None
        self.details: dict[str, Any] = {}
        self._settings, self._begin = settings, begin or self._connected
        self._labelling, self._clients = labelling, clients
        self._deletions = Deletions(assume_none=settings.assume_no_deletions)
        self._document = ClusterDocument(labelling, self._deletions, time.time)
        self._look: Look | None = None
        self._end: Callable[[], None] = lambda: None
        self._previous: Mapping[str, Any] | None = None
        self._due = self._activity_due = self._begun = 0.0
        self._closed = threading.Event()

    def resume(self, meta: Mapping[str, Any]) -> None:
        """Go on with counting deletions where an earlier run ended."""
        self._previous = meta

    def load(self) -> dict[str, Any]:
        """Connect anew and read all of the cluster's state."""
        self._disconnect()
        self._look, self._end = self._begin()
        if self._closed.is_set():  # while it connected
            self._disconnect()
        begun = self._started(activity=True)
        self._look.look(activity=True)
        self._refresh_labels()
        self._watch_deletions(len(self._look.all_topics))
        document = self._document.begin(self._look.all_topics, self._parts(self._look))
        self._seen(begun)
        return document

    def poll(self, timeout: float) -> list[Change]:
        """Wait until the next look is due, or the time is up; look, and return what changed."""
        wait = self._due - time.monotonic()
        if self._closed.wait(max(0.0, min(timeout, wait))) or wait > timeout:
            return []
        if self._look is None:
            raise WardenError(f"cluster {self.name} has not been loaded")
        activity = time.monotonic() >= self._activity_due
        begun = self._started(activity=activity)
        changed = self._look.look(activity=activity)
        changes = self._document.update(changed, self._parts(self._look), relabel=self._refresh_labels())
        self._seen(begun)
        return changes

    def close(self) -> None:
        """Close the connections; a waiting `poll` returns."""
        self._closed.set()
        self._disconnect()

    def _connected(self) -> tuple[Look, Callable[[], None]]:
        connection = self._settings.connect()
        return LiveCluster(connection, self._settings.describe_per_look), connection.close

    def _disconnect(self) -> None:
        end, self._end = self._end, lambda: None
        end()
        if self._labelling:
            self._labelling.close()

    def _started(self, *, activity: bool) -> datetime:
        """Set when to look next, counted from now."""
        begun = self._begun = time.monotonic()
        self._due = begun + self._settings.interval * random.uniform(0.9, 1.0)  # noqa: S311 - no secret
        if activity:
            self._activity_due = begun + self._settings.activity_interval - self._settings.interval / 2
        return datetime.now(UTC)

    def _parts(self, look: Look) -> Mapping[str, Any]:
        """What the cluster tells, and what its applications' own files say."""
        return {**look.parts, **self._clients.part()} if self._clients else look.parts

    def _refresh_labels(self) -> bool:
        return self._labelling is not None and self._labelling.refresh()

    def _watch_deletions(self, topics: int) -> None:
        previous, self._previous = self._previous, None
        if previous is not None:
            self._deletions.resume(previous, topics, time.time())
        self._deletions.watch(time.time())

    def _seen(self, begun: datetime) -> None:
        if self._look is None:
            return
        self.observed = begun
        # Look for two thirds of the time at the most, however slowly the cluster answers.
        now = time.monotonic()
        self._due = max(self._due, now + (now - self._begun) / 2)
        untold = self._clients and self._clients.problem
        files = [f"staticClientConfigs: {untold}"] if untold else []
        missing = sorted({*self._look.missing, *self._document.missing, *files})
        self.details = {
            "source": f"kafka://{self._settings.bootstrap_servers}",
            "clusterId": self._look.id,
            "labels": self._labelling is not None,
            "deletions": self._deletions.kept(),
            "missing": missing,
        }


def source(entry: Entry, _opa: OpaSettings) -> KafkaSource:
    """Return the source that one entry of ``clusters`` in the configuration describes."""
    properties = entry.properties("properties")
    for name in sorted(_SECRET & properties.keys()):
        if not isinstance(properties[name], Secret):
            place = (*entry.place, "properties", name)
            entry.problems.add(place, "a secret is never in this file: write {env: NAME} or {file: PATH}")
    interval = entry.number("interval", default=Settings.interval, least=0.1)
    settings = Settings(
        name=entry.text("name", like=r"(?!\.{1,2}$)[^\s/]+", example="the cluster's name, without spaces and slashes"),
        bootstrap_servers=entry.text("bootstrapServers", like=_SERVERS, example="host:port, several with commas"),
        properties=properties,
        interval=interval,
        activity_interval=entry.number(
            "activityInterval", default=max(Settings.activity_interval, interval), least=0.1
        ),
        describe_per_look=entry.count("describePerLook", default=ceil(Settings.describe_per_look * interval)),
        timeout=entry.number("timeout", default=Settings.timeout, least=0.1),
        assume_no_deletions=entry.flag("assumeNoDeletions"),
    )
    owners = entry.inner("owners") or entry.whole.inner("owners")
    files = entry.path("clientFiles")
    if files is not None and not files.is_dir():
        entry.complain("clientFiles", f"{files} is no directory: name one, relative to this file")
    clients = None if files is None else ClientFiles(files)
    return KafkaSource(settings, read_labelling(owners, settings.consumer), clients=clients)
