"""Batches of rows, joined into request bodies. Inputs stay text: nothing is parsed here."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from warden.policy.opa.item_size import MAX_ITEM_BYTES

__all__ = ["DECISIONS", "NAMES", "Batch", "BatchLimits", "Row", "iter_batches", "join_items", "join_request_body"]

# The entry points that inputs go to: one decision for each, or many names at once.
DECISIONS = "kafka/decisions"
NAMES = "kafka/audit_parts/names"


class Row(NamedTuple):
    """One distinct input to evaluate.

    Args:
        common: Id of what it shares with others; see `warden.analyse.scan.shared_input.SharedInput`.
        key: Hash of the whole input, unique in a scan; OPA answers under it.
        item: Its own part of the decision input, as JSON text; ``{name: internal}`` for `NAMES`.
        path: The entry point that it goes to.
        request: Id of the request whose items are decided together; empty where the row is decided for itself.
        members: What such a request says besides (``order``, ``requests``, ``changes``), JSON text of an object.
    """

    common: str
    key: str
    item: str
    path: str = DECISIONS
    request: str = ""
    members: str = "{}"


@dataclass(frozen=True)
class BatchLimits:
    """How much goes into one request.

    OPA evaluates a request on one core, so several middling ones beat a huge one; from about 250 rows on the cost of
    a request itself no longer shows.

    Args:
        rows: Most decisions in a request.
        bytes: A request is closed when its items reach this many characters of JSON.
        names: Most names in a request to `NAMES`, each of which is a tenth of a decision's work.
        item_bytes: A row with a larger item is not sent, and not evaluated.
    """

    rows: int = 500
    bytes: int = 512 * 1024
    names: int = 2000
    item_bytes: int = MAX_ITEM_BYTES


@dataclass(frozen=True)
class Batch:
    """Rows with the same common part and entry point, which travel in one request.

    Args:
        common: Id of what they share.
        rows: At least one.
        path: The entry point.
        is_whole: Whether they are decided together, and cannot be split.
        members: As of `Row`.
    """

    common: str
    rows: Sequence[Row]
    path: str = DECISIONS
    is_whole: bool = False
    members: str = "{}"

    @property
    def items(self) -> list[str]:
        """The items, each once: the same name may be part of several inputs."""
        return list(dict.fromkeys(row.item for row in self.rows))

    def split(self) -> tuple["Batch", "Batch"]:
        """Split a batch of two rows or more."""
        middle = len(self.rows) // 2
        return replace(self, rows=self.rows[:middle]), replace(self, rows=self.rows[middle:])


def iter_batches(rows: Iterable[Row], limits: BatchLimits = BatchLimits()) -> Iterator[Batch]:
    """Cut rows into batches: where what they share changes, by size, by count, and before a key that the batch has.

    A row that alone is larger than the limit travels alone, as far as it travels at all (`BatchLimits.item_bytes`).
    Rows of one `Row.request` are one batch, whatever its size.
    """
    held: list[Row] = []
    items: dict[str, str] = {}
    size = 0
    for row in rows:
        most = limits.names if row.path == NAMES else limits.rows
        full = not row.request and (len(held) >= most or size + len(row.item) > limits.bytes)
        key = row.item.rpartition(":")[0] if row.path == NAMES else row.key
        clashes = key in items and (row.path != NAMES or items[key] != row.item)
        if held and (full or clashes or _list_shared(row) != _list_shared(held[0])):
            yield _build_batch(held)
            held, items, size = [], {}, 0
        held.append(row)
        items[key] = row.item
        size += len(row.item)
    if held:
        yield _build_batch(held)


def _list_shared(row: Row) -> tuple[str, ...]:
    return row.common, row.path, row.request, row.members


def _build_batch(rows: Sequence[Row]) -> Batch:
    first = rows[0]
    return Batch(first.common, rows, first.path, bool(first.request), first.members)


def join_request_body(batch: Batch, common: str) -> bytes:
    """Return the request body for ``POST /v1/data/<path of the batch>``, joined from texts."""
    if batch.path == NAMES:
        topics = ",".join(item[1:-1] for item in batch.items)
        return f'{{"input":{{"common":{common},"topics":{{{topics}}}}}}}'.encode()
    members = f",{batch.members[1:-1]}" if batch.is_whole else ""
    return f'{{"input":{{"common":{common},"items":{join_items(batch)}{members}}}}}'.encode()


def join_items(batch: Batch) -> str:
    """Return the object of a batch's items, each under its row's key, joined from texts."""
    return "{" + ",".join(f"{json.dumps(row.key)}:{row.item}" for row in batch.rows) + "}"
