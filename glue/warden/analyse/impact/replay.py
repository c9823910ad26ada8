"""Replay of inputs under two bundles, one partition at a time: functions over iterators, without Spark."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice, tee
from typing import Any, NamedTuple

from warden.analyse.impact.compare import NOT_EVALUATED, UNCHANGED, DecisionChange, compare
from warden.analyse.impact.next_change import add_next_change, build_noop_change, needs_next_change
from warden.analyse.scan.batches import BatchLimits, Row
from warden.analyse.scan.decision_rows import ALLOW
from warden.analyse.scan.evaluate import ScanJob, evaluate

__all__ = ["ReplayInput", "ReplayJob", "replay_inputs"]


_AT_ONCE = 500  # changes in memory


class ReplayInput(NamedTuple):
    """One input to evaluate twice.

    Args:
        source: ``decisions`` or ``snapshot``.
        id: The decision's id in its log; the topic's name for a snapshot.
        operation: The input's operation.
        cluster: The input's cluster.
        resource: Name of what it is about.
        owner: Its owner; the principal where no owner is known; None where neither is.
        shared: What the inputs of its batch share: JSON text, or a key of `ReplayJob.shared_inputs`.
        key: Unique among the rows with the same ``shared``.
        item: Its own part of the decision input, JSON text.
        recorded: Whether it was allowed when it was recorded; None where that is not known.
        request, members: As of `warden.analyse.scan.batches.Row`, of an item that was decided together with others.
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
    request: str = ""
    members: str = "{}"


class _SharedInputs(Mapping[str, str]):
    """Id → JSON text; what is JSON text already stands for itself."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def __getitem__(self, key: str) -> str:
        return self._texts.get(key, key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


@dataclass(frozen=True)
class ReplayJob:
    """What is the same for all partitions.

    Args:
        baseline, candidate: The revisions of the two bundles.
        shared_inputs: Shared inputs of a snapshot's clusters, by their id (`warden.analyse.scan.shared_input`).
        limits: How much goes into one request.
        in_flight: Requests under way at once, to each OPA, for each partition.
    """

    baseline: str
    candidate: str
    shared_inputs: Mapping[str, str]
    limits: BatchLimits = field(default_factory=BatchLimits)
    in_flight: int = 2


def replay_inputs(
    rows: Iterable[ReplayInput],
    replay: ReplayJob,
    post_baseline: Callable[[bytes], bytes],
    post_candidate: Callable[[bytes], bytes],
) -> Iterator[dict[str, Any]]:
    """Yield what changed about each row, in order; no row is ever left out.

    Args:
        rows: Inputs, those of one batch together.
        replay: What is the same for all partitions.
        post_baseline, post_candidate: Send a request body to ``kafka/decisions`` of one OPA, return the answer's body.

    Raises:
        ScanError: An answer cannot be used.
        OpaError: OPA cannot be reached, or refuses this caller.
    """
    baseline_rows, candidate_rows, kept = tee(rows, 3)
    evaluated = (
        chain.from_iterable(evaluate(map(_build_row, inputs), _build_job(replay, revision), _ignore_path(post)))
        for inputs, revision, post in (
            (baseline_rows, replay.baseline, post_baseline),
            (candidate_rows, replay.candidate, post_candidate),
        )
    )
    compared = zip(kept, *evaluated, strict=True)
    changes = (_Change(item, before, after, compare(before, after)) for item, before, after in compared)
    for item, before, after, change in _add_later(changes, replay, _ignore_path(post_candidate)):
        fields = {name: getattr(item, name) for name in ("source", "id", "operation", "cluster", "resource", "owner")}
        same = None if item.recorded is None else item.recorded is (before["status"] == ALLOW)
        differs = change.kind not in {UNCHANGED, NOT_EVALUATED}
        shared = item.shared if item.shared not in replay.shared_inputs else None
        yield {
            **fields,
            "reproduced": same,
            "baseline": before["status"],
            "candidate": after["status"],
            **change.to_document(),
            "shared": shared if differs else None,
            "item": item.item if differs else None,
        }


class _Change(NamedTuple):
    item: ReplayInput
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    change: DecisionChange


def _add_later(changes: Iterator[_Change], replay: ReplayJob, post: Callable[[str, bytes], bytes]) -> Iterator[_Change]:
    """Yield changes with what becomes of those that turn non-compliant, some at a time."""
    while some := list(islice(changes, _AT_ONCE)):
        turned = [change.item for change in some if needs_next_change(change.item.operation, change.change)]
        rows = (Row(item.shared, item.key, build_noop_change(item.operation, item.item)) for item in turned)
        later = chain.from_iterable(evaluate(rows, _build_job(replay, replay.candidate), post) if turned else ())
        for change in some:
            turns = needs_next_change(change.item.operation, change.change)
            yield change._replace(change=add_next_change(change.change, next(later))) if turns else change


def _ignore_path(post: Callable[[bytes], bytes]) -> Callable[[str, bytes], bytes]:
    return lambda _path, body: post(body)


def _build_row(item: ReplayInput) -> Row:
    return Row(item.shared, item.key, item.item, request=item.request, members=item.members)


def _build_job(replay: ReplayJob, revision: str) -> ScanJob:
    return ScanJob("impact", revision, _SharedInputs(replay.shared_inputs), replay.limits, replay.in_flight)
