"""Files as sources: Kubernetes manifests, a Kafka cluster's state as YAML or JSON, and snapshot directories.

Files are looked at, at an interval, for their times and sizes, and read where these have changed and rest: what is
being written shows two different polls in a row. They are read as a whole: while one cannot be read, what they held
before stays.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from warden.base.errors import InputError, SourceUnreachable
from warden.state.sources.files.contents import FileReader
from warden.state.sources.files.documents import Files
from warden.state.sources.source import REMOVED, Change

__all__ = ["FilesSource"]


class FilesSource:
    """See `warden.state.sources.source.Source`.

    Args:
        name: In logs and metrics.
        root: What it owns in OPA's data.
        reader: Reads the files.
        entries: The key below which the guard counts.
        depth: Of a piece of the document.
        interval: Seconds between two polls.
    """

    kind = "files"

    def __init__(
        self,
        name: str,
        root: Sequence[str],
        reader: FileReader,
        *,
        entries: str | None = None,
        depth: int = 2,
        interval: float = 1.0,
    ) -> None:
        self.name, self.root, self.meta = name, tuple(root), (*root, "meta")
        self.entries, self.depth = entries, depth
        self.observed: datetime | None = None
        self.details: Mapping[str, Any] = {}
        self._reader, self._interval = reader, interval
        self._closed = threading.Event()
        self._taken: Files = {}  # the files as they were read
        self._seen: Files = {}  # the files at the last poll
        self._keys: set[str] = set()
        self._stated: datetime | None = None
        self._due = 0.0

    def load(self) -> dict[str, Any]:
        """Read all files, once they rest."""
        self._seen = self._list_files()
        while _measure_youngest(self._seen) < self._interval:
            if self._closed.wait(self._interval):
                raise SourceUnreachable(f"{self._reader.path}: closed before it was read")
            before, self._seen = self._seen, self._list_files()
            if self._seen == before:
                break
        return self._read()

    def poll(self, timeout: float) -> list[Change]:
        """Look at the files when that is due, and read them where they have changed and rest."""
        left = self._due - time.monotonic()
        if left > timeout or self._closed.wait(max(0.0, left)):
            self._closed.wait(timeout)
            return []
        begun, before = datetime.now(UTC), self._seen
        self._seen = self._list_files()
        if self._seen == self._taken:
            self.observed = self._stated or begun
            return []
        if self._seen != before:
            return []
        old = self._keys
        document = self._read()
        gone = [Change((key,), REMOVED) for key in sorted(old - document.keys())]
        return gone + [Change((key,), value) for key, value in document.items()]

    def close(self) -> None:
        """Let a waiting `poll` return."""
        self._closed.set()

    def _list_files(self) -> Files:
        self._due = time.monotonic() + self._interval
        try:
            return self._reader.list_files()
        except InputError as error:
            raise SourceUnreachable(str(error)) from error

    def _read(self) -> dict[str, Any]:
        """Read the files that were last seen."""
        begun = datetime.now(UTC)
        try:
            contents = self._reader.read(self._seen)
        except InputError as error:
            raise SourceUnreachable(str(error)) from error
        if self._list_files() != self._seen:
            raise SourceUnreachable(f"{self._reader.path}: was written while it was read")
        self._taken, self._keys = self._seen, set(contents.document)
        self.details = {"path": str(self._reader.path), **contents.details}
        self._stated = contents.observed
        self.observed = contents.observed or begun
        return contents.document


def _measure_youngest(files: Files) -> float:
    """Seconds since the last write, as far as clocks agree."""
    return min((abs(time.time() - modified / 1e9) for modified, _, _ in files.values()), default=float("inf"))
