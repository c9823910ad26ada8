"""The interface of a source: load everything once, then report what changed.

A source is one class, a model of its entry in the configuration file, and a line of `warden.state.replicate.config`.
The machinery (`warden.state.replicate.reader`,
`warden.state.replicate.writer`) does the rest: it narrows changes to the smallest patch, writes, guards, retries and
reports.

How a source is used
- It is made while the configuration is read, so its constructor connects to nothing and reads no secret.
- One thread calls `load` and `poll`, never two at a time; `close` may come from another thread at any moment, and makes
  a waiting `poll` return early. After `close` nothing else is called.
- After any exception, and now and then to compare, `load` is called again: it starts from nothing, connection included.
- Any exception that is not a `WardenError` is taken for a defect of the source: logged with its trace, then reloaded.

Where a replica's `meta` stands
``meta`` (revision, observedAt, counts, checksum, writer) is written by the machinery at `Source.meta`. Usually that is
``root + ("meta",)``, and then the source may not use the key "meta". Where the keys below the root are names that
anybody may choose, as under ``("kubernetes", "clusters")``, name a place beside it: ``("kubernetes", "meta",
"clusters")``. Root and meta are always written in one transaction. No two sources may own places within each other.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

__all__ = ["REMOVED", "Change", "ResumableSource", "Source"]


class _Removed(Enum):
    REMOVED = "removed"

    def __repr__(self) -> str:
        return "REMOVED"


REMOVED: Final = _Removed.REMOVED
"""The value of a `Change` that takes something away."""


class Change(NamedTuple):
    """One change below a source's root.

    Args:
        path: Keys from the root down, as they are, without any quoting; never empty. What is between the root and
            the last key is made where it is missing.
        value: The whole new value at that place, JSON-like; or `REMOVED`, which may name what is not there. It may be
            coarse: only what differs from the replica is written. It is kept: a source must not change it afterwards,
            and mappings that a later change's path leads through are changed in place.
    """

    path: tuple[str, ...]
    value: Any


class Source(Protocol):
    """Something that is replicated into OPA.

    Attributes:
        name: In logs and metrics; unique within its kind.
        kind: ``kafka``, ``kubernetes``, ``files``: what ``meta.source`` says, and a label of the metrics.
        root: The place it owns in OPA's data: ``("clusters", "prod-eu")``.
        meta: Where its meta stands, see this module's docstring.
        observed: The moment (UTC) at which what `load` or `poll` last returned was begun to be read: whatever happened
            before is in. A source that watches moves it while its connection is known to be alive, also when
            nothing happened. None before the first load.
        details: What else the source knows for ``meta``: ``labels``, ``clusterId``, ``missing`` (sorted sentences),
            ``unknown`` (the parts that its rights do not let it know, or not all of them; no wait confirms a loss of
            `entries` that are among them), ….
            Keys of the machinery's own (see `warden.state.replicate.meta`) are overwritten.
        entries: The key of the document below which the guard counts, such as ``topics``; None to count its own keys.
        depth: How many keys lead from the root to what the checksum takes as one piece: 2 for ``topics`` → ``orders``.
            A change costs the hashing of the pieces that it touches, so namespaced objects want 3.
    """

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def root(self) -> tuple[str, ...]: ...
    @property
    def meta(self) -> tuple[str, ...]: ...
    @property
    def observed(self) -> datetime | None: ...
    @property
    def details(self) -> Mapping[str, Any]: ...
    @property
    def entries(self) -> str | None: ...
    @property
    def depth(self) -> int: ...

    def load(self) -> dict[str, Any]:
        """Return the whole document below the root, without meta, from a consistent full read.

        Raises:
            WardenError: It is away, refuses, or does not tell.
        """

    def poll(self, timeout: float) -> list[Change]:
        """Return what changed since the last `load` or `poll`, in order, waiting at most ``timeout`` seconds.

        A source that polls keeps its own pace: it waits until its next poll is due, or the time is up. It returns as
        soon as there is something to return.

        Raises:
            SourceStale: Only a new `load` helps.
            WardenError: As `load`.
        """

    def close(self) -> None:
        """Let go of everything; a waiting `poll` returns."""


@runtime_checkable
class ResumableSource(Protocol):
    """A source that can go on from what an earlier run left in OPA."""

    def resume(self, meta: Mapping[str, Any], entries: Mapping[str, Any] | None) -> None:
        """Called before the first `load` where OPA has a replica already.

        Args:
            meta: The meta of that replica.
            entries: Its part that `Source.entries` names; None where it has none.
        """

    def follow(self, meta: Mapping[str, Any]) -> None:
        """Called, again and again and from another thread, where another replicator writes the replica.

        Args:
            meta: The meta that it has written last.
        """
