"""Kafka clusters as a source of the replicator: polled cheaply, since KRaft has no watch for clients."""

import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from warden.base.errors import KafkaError, SourceStale
from warden.state.sources.kafka.live.cluster_document import ClusterDocument
from warden.state.sources.kafka.live.deletions import DeletionCounter
from warden.state.sources.kafka.live.polling import LiveCluster
from warden.state.sources.kafka.live.position import MetadataLogPosition
from warden.state.sources.kafka.read.visibility import PARTS_OF_VISIBLE_TOPICS
from warden.state.sources.labels import ClusterLabels
from warden.state.sources.source import Change

if TYPE_CHECKING:
    from warden.state.sources.kafka.entry import KafkaEntry

__all__ = ["KafkaSource", "PartBeside"]


class PartBeside(Protocol):
    """A part of a cluster's state that no broker tells."""

    name: str
    problem: str | None

    def read_part(self) -> Mapping[str, Any]: ...
    def close(self) -> None: ...


class KafkaSource:
    """One cluster; methods and attributes are those of `warden.state.sources.source.Source`.

    Args:
        settings: How it is read.
        labelling: Where labels come from; None where nobody knows any.
        begin: Connects, and returns what looks at the cluster and what closes it; replaced where there is no cluster.
        beside: What is read elsewhere: applications' own files, stored client configs.
    """

    kind = "kafka"
    entries = "topics"
    depth = 2

    def __init__(
        self,
        settings: "KafkaEntry",
        labelling: ClusterLabels | None = None,
        begin: Callable[[], tuple[LiveCluster, Callable[[], None]]] | None = None,
        beside: Sequence[PartBeside] = (),
    ) -> None:
        self.name = settings.name
        self.root = ("clusters", settings.name)
        self.meta = (*self.root, "meta")
        self.observed: datetime | None = None
        self.details: dict[str, Any] = {}
        self._settings, self._begin = settings, begin or self._connect
        self._labelling, self._beside = labelling, beside
        self._deletions = DeletionCounter(assume_none=settings.assume_no_deletions)
        self._document = ClusterDocument(labelling, self._deletions, time.time)
        self._position = MetadataLogPosition()
        self._whole = True  # whether the last load saw all topics
        self._live: LiveCluster | None = None
        self._end: Callable[[], None] = lambda: None
        self._previous: Mapping[str, Any] | None = None  # meta and topics of the replica that an earlier run left
        self._earlier: Mapping[str, Any] = {}
        self._missed: Mapping[str, int] = {}
        self._due = self._activity_due = self._begun = 0.0
        self._closed = threading.Event()

    def resume(self, meta: Mapping[str, Any], entries: Mapping[str, Any] | None) -> None:
        """Go on with counting deletions where an earlier run ended; without its topics the hour begins anew."""
        self._previous, self._earlier = (None, {}) if entries is None else (meta, entries)

    def follow(self, meta: Mapping[str, Any]) -> None:
        """Count the deletions that only the one that leads has seen; a poll is due at once where there are any."""
        if missed := self._deletions.find_missed_minutes(meta, time.time()):
            self._missed, self._due = missed, 0.0

    def load(self) -> dict[str, Any]:
        """Connect anew and read all of the cluster's state."""
        self._disconnect()
        self._live, self._end = self._begin()
        if self._closed.is_set():  # while it connected
            self._disconnect()
        begun = self._schedule_next(activity=True)
        self._live.poll(activity=True)
        self._whole = "topics" not in self._live.unknown_parts
        topics = self._live.all_topics
        names = self._document.topics.keys()
        # Where not all are seen those just listed too: the right may have gone since.
        self._check_hidden(self._live, names - topics.keys() if self._whole else names)
        gone = (names | self._earlier.keys() if self._whole else names) - topics.keys()
        self._check_gone(self._live, gone)
        self._refresh_labels()
        if self._whole:
            self._watch_deletions()
        self._count_missed()
        document = self._document.begin(topics, self._read_parts(self._live), whole=self._whole)
        self._record_details(begun)
        return document

    def poll(self, timeout: float) -> list[Change]:
        """Wait until the next poll is due, or the time is up; poll, and return what changed."""
        wait = self._due - time.monotonic()
        if self._closed.wait(max(0.0, min(timeout, wait))) or wait > timeout:
            return []
        if self._live is None:
            raise SourceStale(f"cluster {self.name} has not been loaded: call load first")
        activity = time.monotonic() >= self._activity_due
        begun = self._schedule_next(activity=activity)
        changed = self._live.poll(activity=activity)
        if self._whole != ("topics" not in self._live.unknown_parts):
            raise SourceStale("which topics this principal may see has changed: all are read again")
        gone = [name for name, topic in changed.items() if topic is None]
        self._check_hidden(self._live, gone)
        self._check_gone(self._live, gone)
        self._count_missed()
        changes = self._document.update(changed, self._read_parts(self._live), relabel=self._refresh_labels())
        self._record_details(begun)
        return changes

    def close(self) -> None:
        """Close the connections; a waiting `poll` returns."""
        self._closed.set()
        self._disconnect()

    def _connect(self) -> tuple[LiveCluster, Callable[[], None]]:
        settings, connection = self._settings, self._settings.connect()
        stated, release = settings.sees == "all", settings.release
        live = LiveCluster(connection, settings.describe_per_poll, self._position, stated=stated, release=release)
        return live, connection.close

    def _check_hidden(self, live: LiveCluster, names: Iterable[str]) -> None:
        """Only Kafka's word by name tells a deletion from a lost right.

        Where all topics were seen too: a right that went while they were listed shows in none of the ACLs' names that
        are tried, since that topic was shown.
        """
        if names and (hidden := live.select_hidden(names)):
            raise KafkaError(
                f"{len(hidden)} topics of the cluster {self.name} that were seen are hidden from this principal now, "
                f"such as {min(hidden)}: give it DESCRIBE on them again, or start again with --accept-loss {self.name}"
            )

    def _check_gone(self, live: LiveCluster, gone: Iterable[str]) -> None:
        """Topics that were not listed: where the right was lost for that moment alone, they are there by name."""
        if gone and (present := live.select_present(gone)):
            raise SourceStale(f"{len(present)} topics were not listed though they are there, such as {min(present)}")

    def _disconnect(self) -> None:
        end, self._end = self._end, lambda: None
        end()
        if self._labelling:
            self._labelling.close()
        for reader in self._beside:
            reader.close()

    def _schedule_next(self, *, activity: bool) -> datetime:
        """Set when to poll next, counted from now."""
        begun = self._begun = time.monotonic()
        self._due = begun + self._settings.interval * random.uniform(0.9, 1.0)  # noqa: S311 - no secret
        if activity:
            self._activity_due = begun + self._settings.activity_interval - self._settings.interval / 2
        return datetime.now(UTC)

    def _read_parts(self, live: LiveCluster) -> Mapping[str, Any]:
        """What the cluster tells, and what is read elsewhere."""
        elsewhere = {reader.name for reader in self._beside}
        hidden = elsewhere | (set() if self._whole else PARTS_OF_VISIBLE_TOPICS)
        parts = {name: part for name, part in live.parts.items() if name not in hidden}
        for reader in self._beside:
            parts |= reader.read_part()
        return parts

    def _refresh_labels(self) -> bool:
        return self._labelling is not None and self._labelling.refresh()

    def _watch_deletions(self) -> None:
        previous, self._previous = self._previous, None
        earlier, self._earlier = self._earlier, {}
        if previous is not None and self._deletions.resume(previous, time.time()):
            self._document.resume(earlier)
        self._deletions.watch(time.time())

    def _count_missed(self) -> None:
        missed, self._missed = self._missed, {}
        self._document.count_missed(missed)

    def _record_details(self, begun: datetime) -> None:
        if self._live is None:
            return
        self.observed = begun
        # Look for two thirds of the time at the most, however slowly the cluster answers.
        now = time.monotonic()
        self._due = max(self._due, now + (now - self._begun) / 2)
        elsewhere = {reader.name: reader.problem for reader in self._beside if reader.problem}
        problems = [f"{name}: {problem}" for name, problem in elsewhere.items()]
        gaps = sorted({*self._live.gaps, *self._document.gaps, *problems})
        unknown = sorted({*self._live.unknown_parts, *elsewhere})
        self.details = {
            "source": f"kafka://{self._settings.bootstrap_servers}",
            "clusterId": self._live.id,
            "labels": self._labelling is not None,
            "deletions": self._deletions.dump(),
            "missing": gaps,
            **({"unknown": unknown} if unknown else {}),
        }
