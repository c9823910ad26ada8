"""All that the results of a scan depend on but the policy, as one hash."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from warden.analyse.scan.plan import PreparedScan, ScannedPartition

__all__ = ["hash_inputs"]


def hash_inputs(prepared: PreparedScan) -> str:
    """Return a hash that two runs of one policy have in common only where they evaluate the same.

    Args:
        prepared: The run; its topics are read as bytes, some gigabytes a second, and its states have their hashes.
    """
    plan = prepared.plan
    chosen = [plan.sample, plan.where, prepared.audit_part_plan is not None]
    text = json.dumps([chosen, *[list(_iter_values(scan)) for scan in prepared.scanned]])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _iter_values(scan: ScannedPartition) -> Iterator[Any]:
    partition = scan.partition
    yield from (partition.cluster, partition.day.isoformat(), partition.format, scan.topic_input.id, scan.state_sha256)
    yield {kind: common.id for kind, common in scan.other_inputs.items()}
    for path in sorted(partition.build_path("topics").iterdir()):
        with path.open("rb") as file:
            yield path.name, hashlib.file_digest(file, "sha256").hexdigest()
