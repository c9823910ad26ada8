"""Leadership among several remediators: the replicator's lease, kept in a Lease of the API server."""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import quote

from warden.base.errors import KubernetesError
from warden.enforce.remediate.config import LeaseEntry
from warden.state.lease import LeaseView
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["Leadership"]

_GROUP: Final = "/apis/coordination.k8s.io/v1"
_PATCHES: Final = "remediation.warden.io/patches"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Leadership:
    """Takes the Lease where nobody has it, renews it, and takes it over from one that has gone silent.

    The time of day decides nothing here: a Lease is over once it has not been renewed for its length as this process
    counts it. Each write names the version that was read, so that of two only one gets it.

    Args:
        entry: Which Lease.
        identity: The name of this remediator, unlike any other's.
    """

    def __init__(self, entry: LeaseEntry, identity: str) -> None:
        self._entry, self._identity = entry, identity
        namespace, name = quote(entry.namespace, safe=""), quote(entry.name, safe="")
        self._collection = f"{_GROUP}/namespaces/{namespace}/leases"
        self._path = f"{self._collection}/{name}"
        self._lease = LeaseView(identity, entry.seconds)
        self._until = self._next = self._written = 0.0
        self.leader: str | None = None
        self.ages: list[float] = []

    def is_leader(self) -> bool:
        """Whether this one may patch: it has renewed the Lease so lately that no other can have taken it over."""
        return time.monotonic() < self._until

    def acquire_or_renew(self, api: ApiServer, ages: Callable[[], Iterable[float]]) -> bool:
        """Take or renew the Lease where that is due; return whether it has come to be ours by this.

        `ages` then has what was patched in the last hour, by whomever.

        Args:
            api: The API server.
            ages: Returns those of our own patches, in seconds: the next one takes them over. Called where it is due.

        Raises:
            KubernetesError: The Lease cannot be read or written.
        """
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + self._entry.seconds / 5
        led = self.is_leader()
        stored = self._read(api)
        spec = (stored or {}).get("spec") or {}
        holder = spec.get("holderIdentity")
        meta = {"writer": {holder: 1}, "observedAt": spec.get("renewTime")} if holder else None
        self.leader = self._lease.find_leader(meta, now, _EPOCH + timedelta(seconds=now))
        if self.leader is not None or (led and holder != self._identity):
            self._until = 0.0
            return False
        patched = list(ages())
        if holder != self._identity:  # whose note has ours too, but for what came after we wrote it last
            patched = [*_parse_ages(stored), *(age for age in patched if age < now - self._written)]
        if not self._write(api, stored, self._identity, patched):
            return False
        self.ages, self._written = patched, now
        self._until = now + self._entry.seconds
        return not led

    def release(self, api: ApiServer, ages: Iterable[float]) -> None:
        """Give the Lease back, so that nobody has to wait for its end.

        Raises:
            KubernetesError: It cannot be written.
        """
        if self.is_leader():
            self._until = 0.0
            stored = self._read(api)
            if stored is not None and stored["spec"].get("holderIdentity") == self._identity:
                self._write(api, stored, "", ages)

    def _read(self, api: ApiServer) -> dict[str, Any] | None:
        try:
            return api.get(self._path)
        except KubernetesError as error:
            if error.status == 404:
                return None
            raise

    def _write(self, api: ApiServer, stored: Mapping[str, Any] | None, holder: str, ages: Iterable[float]) -> bool:
        """Write the Lease and return whether nobody was quicker."""
        metadata = dict((stored or {}).get("metadata") or {})
        metadata.pop("managedFields", None)
        now = datetime.now(UTC)
        patches = [round(now.timestamp() - age) for age in ages]
        document = {
            "apiVersion": "coordination.k8s.io/v1",
            "kind": "Lease",
            "metadata": {
                **metadata,
                "name": self._entry.name,
                "namespace": self._entry.namespace,
                "annotations": {**(metadata.get("annotations") or {}), _PATCHES: json.dumps(_count_by_minute(patches))},
            },
            "spec": {
                "holderIdentity": holder,
                "leaseDurationSeconds": self._entry.seconds,
                "renewTime": now.isoformat(timespec="microseconds").replace("+00:00", "Z"),
            },
        }
        try:
            api.send(*(("PUT", self._path) if stored else ("POST", self._collection)), document)
        except KubernetesError as error:
            if error.status == 409:
                return False
            raise
        return True


def _count_by_minute(times: Iterable[int]) -> dict[str, int]:
    """Count times by the minute that they end in, so that an hour has few entries."""
    counts: dict[str, int] = {}
    for time_ in times:
        minute = str(-(-time_ // 60) * 60)
        counts[minute] = counts.get(minute, 0) + 1
    return counts


def _parse_ages(stored: Mapping[str, Any] | None) -> list[float]:
    """Ages of the patches that a Lease tells of; of what is no such note, none."""
    annotations = ((stored or {}).get("metadata") or {}).get("annotations") or {}
    now = datetime.now(UTC).timestamp()
    try:
        counts = {int(minute): int(count) for minute, count in json.loads(annotations.get(_PATCHES, "{}")).items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return []
    return [max(0.0, now - minute) for minute, count in counts.items() for _ in range(min(count, 100_000))]
