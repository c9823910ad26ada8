"""Batches of rows, joined into request bodies. Inputs stay text: nothing is parsed here."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from warden.policy.opa.item_size import MAX_ITEM_BYTES

__all__ = ["DECISIONS", "NAMES", "Batch", "BatchLimits", "Row", "iter_batches", "join_request_body"]

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
    """

    common: str
    key: str
    item: str
    path: str = DECISIONS


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
    """Rows with the same common part and entry point, which travel in one request."""

    common: str
    rows: Sequence[Row]
    path: str = DECISIONS

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
    """
    held: list[Row] = []
    keys: set[str] = set()
    size = 0
    for row in rows:
        most = limits.names if row.path == NAMES else limits.rows
        full = len(held) >= most or size + len(row.item) > limits.bytes
        differs = held and (row.common != held[0].common or row.path != held[0].path)
        if held and (full or differs or (row.key in keys and row.path != NAMES)):
            yield Batch(held[0].common, held, held[0].path)
            held, keys, size = [], set(), 0
        held.append(row)
        keys.add(row.key)
        size += len(row.item)
    if held:
        yield Batch(held[0].common, held, held[0].path)


def join_request_body(batch: Batch, common: str) -> bytes:
    """Return the request body for ``POST /v1/data/<path of the batch>``, joined from texts."""
    if batch.path == NAMES:
        topics = ",".join(item[1:-1] for item in batch.items)
        return f'{{"input":{{"common":{common},"topics":{{{topics}}}}}}}'.encode()
    items = ",".join(f"{json.dumps(row.key)}:{row.item}" for row in batch.rows)
    return f'{{"input":{{"common":{common},"items":{{{items}}}}}}}'.encode()
