"""Cutting rows into batches and joining batches into request bodies. Inputs stay text: nothing is parsed here."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

__all__ = ["SHARED", "Batch", "Limits", "Row", "common_text", "cut", "request_body"]

# The part of a cluster's state that every topic of the cluster is judged against. It is sent once for a batch.
SHARED = ("clusterSize", "brokers", "defaults", "totals", "meta")


class Row(NamedTuple):
    """One resource to judge.

    Args:
        cluster: Name of its cluster.
        key: Name of the resource, unique in its cluster.
        owner: The owner that its labels name, or None.
        item: Its own part of the decision input, as JSON text.
    """

    cluster: str
    key: str
    owner: str | None
    item: str


@dataclass(frozen=True)
class Limits:
    """How much goes into one request.

    OPA evaluates a request on one core, so several middling ones beat a huge one; from about 250 rows on the cost of
    a request itself no longer shows.

    Args:
        rows: Most rows in a request.
        bytes: A request is closed when its items reach this many characters of JSON.
    """

    rows: int = 500
    bytes: int = 512 * 1024


@dataclass(frozen=True)
class Batch:
    """Rows of one cluster that travel in one request."""

    cluster: str
    rows: Sequence[Row]

    def halves(self) -> tuple["Batch", "Batch"]:
        """Split a batch of two rows or more."""
        middle = len(self.rows) // 2
        return Batch(self.cluster, self.rows[:middle]), Batch(self.cluster, self.rows[middle:])


def cut(rows: Iterable[Row], limits: Limits = Limits()) -> Iterator[Batch]:
    """Cut rows into batches: at a cluster's end, by size, by count, and before a key that the batch already has.

    A row that alone is larger than the limit travels alone: its size is OPA's to accept or refuse.
    """
    held: list[Row] = []
    keys: set[str] = set()
    size = 0
    for row in rows:
        full = len(held) >= limits.rows or size + len(row.item) > limits.bytes
        if held and (full or row.cluster != held[0].cluster or row.key in keys):
            yield Batch(held[0].cluster, held)
            held, keys, size = [], set(), 0
        held.append(row)
        keys.add(row.key)
        size += len(row.item)
    if held:
        yield Batch(held[0].cluster, held)


def common_text(cluster: str, state: Mapping[str, Any], *, now: datetime, point: str = "scan") -> str:
    """Return the JSON text of ``common``: what all decision inputs of one cluster's audit share.

    Args:
        cluster: Name of the cluster.
        state: The cluster state; only the fields in `SHARED` are sent.
        now: The time to judge at, UTC.
        point: Enforcement point, as in the contract.
    """
    common = {
        "operation": "AuditTopic",
        "cluster": cluster,
        "point": point,
        "now": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "clusterState": {field: state[field] for field in SHARED if field in state},
    }
    return json.dumps(common, separators=(",", ":"), sort_keys=True)


def request_body(batch: Batch, common: str) -> bytes:
    """Return the request body for ``POST /v1/data/kafka/decisions``, joined from texts."""
    items = ",".join(f"{json.dumps(row.key)}:{row.item}" for row in batch.rows)
    return f'{{"input":{{"common":{common},"items":{{{items}}}}}}}'.encode()
