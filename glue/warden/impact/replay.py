"""Both bundles asked about the same rows, one partition at a time: plain functions over iterators, without Spark."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, tee
from typing import Any, NamedTuple

from warden.impact.compare import UNCHANGED, compare
from warden.scan.batches import Limits, Row
from warden.scan.evaluate import Job, judge
from warden.scan.verdicts import ALLOW

__all__ = ["Asked", "Replay", "replayed"]


class Asked(NamedTuple):
    """One input to judge twice.

    Args:
        source: ``decisions`` or ``snapshot``.
        id: The decision's id in its log; the topic's name for a snapshot.
        operation: The input's operation.
        cluster: The input's cluster.
        resource: Name of what it is about.
        owner: Its owner; the principal where no owner is known; None where neither is.
        shared: What the inputs of its batch share: JSON text, or a key of `Replay.commons`.
        key: Unique among the rows with the same ``shared``.
        item: Its own part of the decision input, JSON text.
        recorded: Whether it was allowed when it was recorded; None where that is not known.
    """

    source: str
    id: str
    operation: str
    cluster: str
    resource: str
    owner: str | None
    shared: str
    key: str
    item: str
    recorded: bool | None


class _Commons(Mapping[str, str]):
    """Id → JSON text; what is JSON text already stands for itself."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self._known = known

    def __getitem__(self, key: str) -> str:
        return self._known.get(key, key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


@dataclass(frozen=True)
class Replay:
    """What is the same for all partitions.

    Args:
        baseline, candidate: The revisions of the two bundles.
        commons: What the inputs of a snapshot's cluster share, by its id (`warden.scan.commons.Common`).
        limits: How much goes into one request.
        in_flight: Requests under way at once, to each OPA, for each partition.
    """

    baseline: str
    candidate: str
    commons: Mapping[str, str]
    limits: Limits = field(default_factory=Limits)
    in_flight: int = 2


def replayed(
    rows: Iterable[Asked],
    replay: Replay,
    ask_baseline: Callable[[bytes], bytes],
    ask_candidate: Callable[[bytes], bytes],
) -> Iterator[dict[str, Any]]:
    """Yield what changed about each row, in order; no row is ever left out.

    Args:
        rows: Inputs, those of one batch together.
        replay: What is the same for all partitions.
        ask_baseline, ask_candidate: Send a request body to ``kafka/decisions`` of one OPA, return the answer's body.

    Raises:
        ScanError: An answer cannot be used.
        OpaError: OPA cannot be reached, or refuses this caller.
    """
    one, other, kept = tee(rows, 3)
    judged = (
        chain.from_iterable(judge(map(_row, each), _job(replay, revision), _always(ask)))
        for each, revision, ask in (
            (one, replay.baseline, ask_baseline),
            (other, replay.candidate, ask_candidate),
        )
    )
    for asked, before, after in zip(kept, *judged, strict=True):
        change = compare(before, after)
        known = {name: getattr(asked, name) for name in ("source", "id", "operation", "cluster", "resource", "owner")}
        same = None if asked.recorded is None else asked.recorded is (before["status"] == ALLOW)
        told = change.kind != UNCHANGED
        shared = asked.shared if asked.shared not in replay.commons else None
        yield {
            **known,
            "reproduced": same,
            "baseline": before["status"],
            "candidate": after["status"],
            **change.row(),
            "shared": shared if told else None,
            "item": asked.item if told else None,
        }


def _always(ask: Callable[[bytes], bytes]) -> Callable[[str, bytes], bytes]:
    return lambda _path, body: ask(body)


def _row(asked: Asked) -> Row:
    return Row(asked.shared, asked.key, asked.item)


def _job(replay: Replay, revision: str) -> Job:
    return Job("impact", revision, _Commons(replay.commons), replay.limits, replay.in_flight)
