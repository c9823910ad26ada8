"""Evaluation of an iterator of rows by OPA: several batches in flight, decisions in the order of the rows."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from warden.analyse.scan.batches import Batch, BatchLimits, Row, iter_batches, join_request_body
from warden.analyse.scan.decision_rows import build_error_row, iter_decision_rows
from warden.base.errors import OpaError, OpaEvaluationError, OpaInputTooLarge, OpaRefused, OpaUnauthorized, ScanError
from warden.policy.opa.item_size import check_item_size

__all__ = ["ScanJob", "evaluate", "evaluate_batches"]

Answer = TypeVar("Answer")

_UNDEFINED = "undefined_document"  # the bundle is not loaded: no half of the batch would fare better


@dataclass(frozen=True)
class ScanJob:
    """What is the same for all partitions of a scan.

    Args:
        run_id: Name of the run.
        revision: The bundle revision that the run is about.
        shared_inputs: Id → JSON text of what inputs share; see `warden.analyse.scan.shared_input`.
        limits: How much goes into one request.
        in_flight: Requests under way at once, for each partition.
    """

    run_id: str
    revision: str
    shared_inputs: Mapping[str, str]
    limits: BatchLimits = field(default_factory=BatchLimits)
    in_flight: int = 2


def evaluate(rows: Iterable[Row], job: ScanJob, post: Callable[[str, bytes], bytes]) -> Iterator[list[dict[str, Any]]]:
    """Yield the decisions on ``rows``, one list for each batch, in order; no row is ever left out.

    A row that OPA fails on becomes an ERROR with OPA's reason, and its neighbours keep their decisions. Where rows are
    decided together (`Row.request`) all of them become one.

    Args:
        rows: Rows, those with the same common part together.
        job: What is the same for all partitions.
        post: Sends a request body to a path of the Data API and returns the body of the answer.

    Raises:
        ScanError: A row's shared input is missing, or an answer cannot be used.
        OpaError: OPA cannot be reached, or refuses this caller: nothing is decided by half a scan.
    """

    def decide(batch: Batch) -> list[dict[str, Any]]:
        if batch.common not in job.shared_inputs:
            raise ScanError(
                f"the snapshot lacks the state of the cluster that the input {batch.rows[0].key} is of: take it again"
            )
        answer = post(batch.path, join_request_body(batch, job.shared_inputs[batch.common]))
        return list(iter_decision_rows(batch, answer, revision=job.revision))

    return evaluate_batches(rows, decide, build_error_row, job.limits, job.in_flight)


def evaluate_batches(
    rows: Iterable[Row],
    send: Callable[[Batch], list[Answer]],
    fail: Callable[[Row, str], Answer],
    limits: BatchLimits,
    in_flight: int,
) -> Iterator[list[Answer]]:
    """Yield the answers about rows, one list for each batch, in order, with several batches under way.

    A batch that OPA fails on is halved until the row that makes it fail stands alone (one bad row in 500 costs about 18
    more requests).

    Args:
        rows: Rows, those with the same common part together.
        send: Has a batch evaluated, and returns an answer for each of its rows; called in other threads.
        fail: Returns the answer for a row that cannot be evaluated, with the reason, or raises an error; as `send`.
        limits: How much goes into one request.
        in_flight: Requests under way at once.

    Raises:
        OpaError: OPA cannot be reached, or refuses this caller.
    """

    def evaluate_batch(batch: Batch) -> list[Answer]:
        try:
            if (problem := next(filter(None, (_check_size(row, limits) for row in batch.rows)), None)) is None:
                return send(batch)
        except (OpaEvaluationError, OpaInputTooLarge, OpaRefused) as error:
            if isinstance(error, OpaUnauthorized) or error.code == _UNDEFINED:
                raise
            problem = _format_reason(error)
        if batch.is_whole or len(batch.rows) == 1:
            return [fail(row, problem) for row in batch.rows]
        return [answer for half in batch.split() for answer in evaluate_batch(half)]

    waiting: deque[Future[list[Answer]]] = deque()
    batches = iter_batches(rows, limits)
    with ThreadPoolExecutor(max_workers=in_flight, thread_name_prefix="evaluate") as pool:
        try:
            waiting.extend(pool.submit(evaluate_batch, batch) for batch in islice(batches, in_flight))
            while waiting:
                done = waiting.popleft().result()
                waiting.extend(pool.submit(evaluate_batch, batch) for batch in islice(batches, 1))
                yield done
        finally:
            for future in waiting:
                future.cancel()


def _check_size(row: Row, limits: BatchLimits) -> str | None:
    if len(row.item) <= limits.item_bytes // 4:  # characters have up to four bytes
        return None
    return check_item_size("its decision input", len(row.item.encode()), limits.item_bytes)


def _format_reason(error: OpaError) -> str:
    return str(error) if error.code is None or error.code in str(error) else f"{error.code}: {error}"
