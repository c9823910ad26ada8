"""What a scan is going to judge, settled before Spark starts: the partitions, the run's name and the shared inputs."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

from warden.errors import ConfigurationError, InputError
from warden.scan.batches import Limits, common_text
from warden.scan.evaluate import Job
from warden.snapshot.layout import Partition, latest_partitions
from warden.snapshot.store import read_shared

__all__ = ["Plan", "Prepared", "prepare"]

_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True)
class Plan:
    """What the caller of a scan chooses.

    Args:
        snapshot: The snapshot directory.
        out: Directory for the results of runs; each run has a directory of its own in it.
        day: The day to judge; None for each cluster's newest.
        now: The time to judge at, UTC; None for the clock. Waivers and dates of enforcement depend on it.
        run_id: Name of the run; None for one made from the time, the policy's revision and what is judged.
        limits: How much goes into one request.
        in_flight: Requests under way at once, for each Spark task.
    """

    snapshot: Path
    out: Path
    day: date | None = None
    now: datetime | None = None
    run_id: str | None = None
    limits: Limits = field(default_factory=Limits)
    in_flight: int = 2

    def __post_init__(self) -> None:
        if self.run_id is not None and (not _RUN_ID.fullmatch(self.run_id) or self.run_id == "latest"):
            raise ConfigurationError(
                f"run id {self.run_id!r} cannot name a directory: use letters, digits, '.', '_' and '-'"
            )
        if self.in_flight < 1:
            raise ConfigurationError(f"{self.in_flight} requests in flight judge nothing: use 1 or more")


@dataclass(frozen=True)
class Prepared:
    """A plan that has been looked into: everything that Spark needs.

    Args:
        job: What is the same for all partitions.
        partitions: One for each cluster.
        now: The time to judge at, UTC.
        size: Bytes of topic rows.
        topics: Number of topics that the clusters' own meta or totals state; 0 where they do not.
    """

    job: Job
    partitions: Sequence[Partition]
    now: datetime
    size: int
    topics: int


def prepare(plan: Plan, revision: str) -> Prepared:
    """Look into the snapshot and settle the run.

    Args:
        plan: What the caller chose.
        revision: The bundle revision that OPA serves.

    Raises:
        InputError: The snapshot is missing, damaged, or holds nothing to judge.
    """
    partitions = latest_partitions(plan.snapshot, plan.day)
    now = (plan.now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
    states = {part.cluster: read_shared(part) for part in partitions}
    for part in partitions:
        if not part.file("topics").is_file():
            raise InputError(f"{part.file('topics')}: missing, although the snapshot lists the cluster")
    size = sum(part.file("topics").stat().st_size for part in partitions)
    job = Job(
        run_id=plan.run_id or _run_id(now, revision, partitions),
        revision=revision,
        commons={cluster: common_text(cluster, state, now=now) for cluster, state in states.items()},
        limits=plan.limits,
        in_flight=plan.in_flight,
    )
    counts = [state.get("meta", {}).get("topics") for state in states.values()]
    return Prepared(job, partitions, now, size, sum(count for count in counts if isinstance(count, int)))


def _run_id(now: datetime, revision: str, partitions: Sequence[Partition]) -> str:
    """The same for the same time, policy and clusters; a second later it is another run."""
    judged = [f"{part.directory.resolve()}/{part.cluster}/{part.day}" for part in partitions]
    digest = hashlib.sha256("\n".join([revision, *judged]).encode()).hexdigest()
    return f"{now:%Y%m%dT%H%M%SZ}-{digest[:8]}"
