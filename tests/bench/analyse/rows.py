"""What is measured with: the embedded estate, as the scan sends it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fixtures.operations import dependencies
from warden.analyse.scan.batches import Batch, BatchLimits, Row, iter_batches, join_request_body
from warden.analyse.scan.evaluate import ScanJob
from warden.analyse.scan.shared_input import build_shared_input
from warden.demo.estate import OBSERVED_AT, iter_estate

__all__ = ["Rows", "load", "write"]


@dataclass(frozen=True)
class Rows:
    """Rows of the estate, and what they share.

    Args:
        rows: In the order of the clusters.
        shared_inputs: Id → JSON text of what inputs share.
    """

    rows: list[Row]
    shared_inputs: dict[str, str]

    def job(self, revision: str, limits: BatchLimits, in_flight: int) -> ScanJob:
        """Return the job that evaluates them."""
        return ScanJob("bench", revision, self.shared_inputs, limits, in_flight)

    def batch(self, size: int) -> bytes:
        """Return a request body with ``size`` rows of the largest cluster."""
        return next(self.bodies(size))

    def bodies(self, size: int) -> Iterator[bytes]:
        """Yield request bodies with all rows, up to ``size`` of one cluster in each."""
        return map(self._body, iter_batches(self.rows, BatchLimits(size, 1 << 30)))

    def singles(self, count: int) -> list[dict[str, Any]]:
        """Return ``count`` whole decision inputs, from all clusters, as a caller without batches writes them."""
        step = max(1, len(self.rows) // count)
        return [self._single(row) for row in self.rows[::step][:count]]

    def _body(self, batch: Batch) -> bytes:
        return join_request_body(batch, self.shared_inputs[batch.common])

    def _single(self, row: Row) -> dict[str, Any]:
        common, item = json.loads(self.shared_inputs[row.common]), json.loads(row.item)
        return {**common, **item, "clusterState": {**common["clusterState"], **item["clusterState"]}}


def load(topics: int) -> Rows:
    """Make an estate of ``topics`` topics into rows."""
    rows: list[Row] = []
    shared_inputs: dict[str, str] = {}
    depends = dependencies()["AuditTopic"]
    for cluster, state in iter_estate(topics):
        common = build_shared_input("AuditTopic", cluster, state, depends, now=OBSERVED_AT)
        shared_inputs[common.id] = common.text
        for name, topic in state["topics"].items():
            item = {"request": {"topic": name}, "clusterState": {"topics": {name: topic}}}
            rows.append(Row(common.id, name, json.dumps(item, separators=(",", ":"))))
    return Rows(rows, shared_inputs)


def write(path: Path, body: bytes) -> Path:
    """Write the input document of a request body, as `opa bench --input` wants it."""
    path.write_text(json.dumps(json.loads(body)["input"]), encoding="utf-8")
    return path
