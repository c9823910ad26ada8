"""Plan of a scan, settled before Spark starts: partitions, name of the run, shared inputs."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from warden.analyse.scan.audits import OPERATIONS, list_audited_kinds
from warden.analyse.scan.batches import BatchLimits
from warden.analyse.scan.evaluate import ScanJob
from warden.analyse.scan.policy_version import PolicyVersion
from warden.analyse.scan.shared_input import SharedInput, build_shared_input, iter_shared_names, list_audited_brokers
from warden.analyse.scan.snapshot_states import SnapshotStates
from warden.analyse.scan.table_place import TablePlace
from warden.base.errors import ConfigurationError, InputError
from warden.base.files.address import Address, Place
from warden.state.snapshot.layout import SnapshotPartition, list_partitions, select_latest_partitions

__all__ = ["PreparedScan", "ScanPlan", "ScannedPartition", "choose_concurrency", "prepare"]

_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def choose_concurrency(chosen: int | None, *, elsewhere: bool) -> int:
    """Return how many requests each task has under way: the chosen number, else what suits where OPA is.

    Args:
        chosen: What somebody chose; None for no choice.
        elsewhere: Whether OPA may be on another host: it has nothing to do while an answer is on its way.
    """
    if chosen is not None:
        return chosen
    return 2 if elsewhere else 1


@dataclass(frozen=True)
class ScanPlan:
    """What the caller of a scan chooses.

    Args:
        snapshot: The snapshot directory.
        out: Directory for the results of runs; each run has a directory of its own in it.
        day: The day to evaluate; None for each cluster's newest.
        days: The first and the last day of a history, in place of ``day``.
        now: The time of the decisions, UTC. None for the clock, and in a history for the time at which each state was
            observed. Waivers and dates of enforcement depend on it.
        run_id: Name of the run; None for one made from the time, the policy's revision and what is evaluated.
        sample: Share of the resources to evaluate, above 0 and up to 1; the same ones each time.
        where: A condition of Spark SQL on the columns of topics; brokers are left out then.
        cache: Where decisions are remembered; None for ``out/.decisions``, or for nowhere if runs go to an address.
        remember: Whether decisions are remembered, and remembered ones are used.
        cut: Whether audits of topics are cut into parts, where the policy allows it.
        format: How Spark writes the tables: parquet, json, csv, orc, or what else the session has.
        limits: How much goes into one request.
        in_flight: Requests under way at once, for each Spark task. One keeps an OPA on the same host busy, which has a
            task for each core beside it; one that is further away takes more.
        snapshot_address: Where the snapshot is that ``snapshot`` has a copy of, and where Spark reads it; None where it
            is that directory.
        out_address: Where runs go whose copies ``out`` gets; None where they go there alone.
        tables: Where the tables of a lakehouse are that the run is added to; None for none.
    """

    snapshot: Path
    out: Path
    day: date | None = None
    days: tuple[date, date] | None = None
    now: datetime | None = None
    run_id: str | None = None
    sample: float = 1.0
    where: str | None = None
    cache: Place | None = None
    remember: bool = True
    cut: bool = True
    format: str = "parquet"
    limits: BatchLimits = field(default_factory=BatchLimits)
    in_flight: int = 1
    snapshot_address: Address | None = None
    out_address: Address | None = None
    tables: TablePlace | None = None

    def __post_init__(self) -> None:
        if self.run_id is not None and (not _RUN_ID.fullmatch(self.run_id) or self.run_id == "latest"):
            raise ConfigurationError(
                f"run id {self.run_id!r} cannot name a directory: use letters, digits, '.', '_' and '-'"
            )
        if self.in_flight < 1:
            raise ConfigurationError(f"{self.in_flight} requests in flight evaluate nothing: use 1 or more")
        if not 0 < self.sample <= 1:
            raise ConfigurationError(f"a sample of {self.sample:g} is not a share: give one above 0 and up to 1")
        if self.days and self.days[0] > self.days[1]:
            raise ConfigurationError(
                f"a history from {self.days[0]} to {self.days[1]} ends before it begins: "
                "give --from-day one that is not after --to-day"
            )

    @property
    def is_whole_estate(self) -> bool:
        """Whether every resource is evaluated."""
        return self.sample == 1 and self.where is None

    @property
    def cache_place(self) -> Place | None:
        """Where decisions are remembered; None for nowhere."""
        return self.cache or (None if self.out_address else self.out / ".decisions")

    @property
    def source(self) -> Place:
        """Where the snapshot is."""
        return self.snapshot_address or self.snapshot

    def select_partitions(self) -> list[SnapshotPartition]:
        """Return what is evaluated.

        Raises:
            InputError: As `warden.state.snapshot.layout.list_partitions`, or nothing is of that day or those days.
        """
        if self.days is None:
            chosen = select_latest_partitions(self.snapshot, self.day)
        else:
            first, last = self.days
            chosen = [partition for partition in list_partitions(self.snapshot) if first <= partition.day <= last]
            if not chosen:
                raise InputError(f"{self.snapshot}: the snapshot holds no cluster from {first} to {last}")
        return [replace(partition, address=self.snapshot_address) for partition in chosen]


@dataclass(frozen=True)
class ScannedPartition:
    """One cluster on one day, as it is evaluated.

    Args:
        partition: Where its rows are.
        now: The time of the decisions, UTC.
        topic_input: What the inputs of topics share.
        other_inputs: Kind → what the inputs about it share, of what is audited besides topics.
        clusters: Partitions whose topics of the same name are looked up; none where decisions do not depend on them.
        names: (name in metrics, topics) where several topics have one; see
            `warden.analyse.scan.shared_input.iter_shared_names`.
        unreadable_brokers: Number of brokers that the source could not read.
        has_labels: Whether the source knows labels.
        expected_topics: Number of topics that the source counted; None where it does not say.
        state_sha256: Of the bytes of the state that the other fields are from.
    """

    partition: SnapshotPartition
    now: datetime
    topic_input: SharedInput
    other_inputs: Mapping[str, SharedInput]
    clusters: Sequence[SnapshotPartition]
    names: Sequence[tuple[str, list[str]]]
    unreadable_brokers: int
    has_labels: bool
    expected_topics: int | None
    state_sha256: str


@dataclass(frozen=True)
class PreparedScan:
    """A plan that has been looked into: everything that Spark needs.

    Args:
        plan: What the caller chose.
        policy: The policy that decides.
        job: What is the same for all tasks.
        scanned: One for each cluster and day.
        now: The time of the run, UTC.
        size: Bytes of topic rows.
    """

    plan: ScanPlan
    policy: PolicyVersion
    job: ScanJob
    scanned: Sequence[ScannedPartition]
    now: datetime
    size: int

    @property
    def audit_part_plan(self) -> Mapping[str, Any] | None:
        """How audits of topics are cut into parts; None where they are evaluated whole."""
        return self.policy.audit_part_plan if self.plan.cut else None

    @property
    def partitions(self) -> list[SnapshotPartition]:
        """The partitions of the snapshot that are evaluated."""
        return [scan.partition for scan in self.scanned]

    @property
    def days(self) -> int:
        """How many days are evaluated."""
        return len({partition.day for partition in self.partitions})

    @property
    def newest_partitions(self) -> list[SnapshotPartition]:
        """Of each cluster the newest day."""
        return list({partition.cluster: partition for partition in self.partitions}.values())


def prepare(plan: ScanPlan, policy: PolicyVersion) -> PreparedScan:
    """Look into the snapshot and settle the run.

    Args:
        plan: What the caller chose.
        policy: The policy that OPA serves.

    Raises:
        InputError: The snapshot is missing, damaged, or holds nothing to evaluate.
    """
    now = (plan.now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
    chosen = plan.select_partitions()
    size = sum(partition.find_topics_file().stat().st_size for partition in chosen)
    together = any(policy.dependencies[operation].reads_other_clusters for operation in OPERATIONS.values())
    states = SnapshotStates(chosen, history=plan.days is not None, together=together)
    by_day = sorted(chosen, key=lambda partition: partition.day)
    prepared = {partition: _build_scanned(partition, plan, policy, now, states) for partition in by_day}
    scanned = [prepared[partition] for partition in chosen]
    job = ScanJob(
        run_id=plan.run_id or _build_run_id(now, policy.revision, plan, chosen),
        revision=policy.revision,
        shared_inputs={
            common.id: common.text for scan in scanned for common in (scan.topic_input, *scan.other_inputs.values())
        },
        limits=plan.limits,
        in_flight=plan.in_flight,
    )
    return PreparedScan(plan, policy, job, scanned, now, size)


def _build_scanned(
    partition: SnapshotPartition, plan: ScanPlan, policy: PolicyVersion, now: datetime, states: SnapshotStates
) -> ScannedPartition:
    stored = states.read_stored(partition)
    state = stored.state
    at = now if plan.days is None or plan.now else _read_observed(state, partition)
    _, unreadable = list_audited_brokers(state)
    meta = state.get("meta") or {}

    def build_shared(operation: str) -> SharedInput:
        depends = policy.dependencies[operation]
        return build_shared_input(
            operation,
            partition.cluster,
            states.read_state(partition, topics=depends.reads_all_topics),
            depends,
            now=at,
            window=policy.compute_validity_window(operation, at),
            clusters=states.read_cluster_states(partition, topics=depends.reads_topics_elsewhere)
            if depends.reads_other_clusters
            else None,
        )

    return ScannedPartition(
        partition=partition,
        now=at,
        topic_input=build_shared(OPERATIONS["topic"]),
        other_inputs={kind: build_shared(OPERATIONS[kind]) for kind in list_audited_kinds(state)},
        clusters=states.select_visible(partition)
        if policy.dependencies[OPERATIONS["topic"]].reads_topic_by_name
        else [],
        names=list(iter_shared_names(state)),
        unreadable_brokers=unreadable,
        has_labels=meta.get("labels") is not False,
        expected_topics=stored.expected_topics,
        state_sha256=stored.sha256,
    )


def _read_observed(state: Mapping[str, Any], partition: SnapshotPartition) -> datetime:
    """When the state was observed, else the end of its day."""
    try:
        return datetime.fromisoformat(state["meta"]["observedAt"]).astimezone(UTC).replace(microsecond=0)
    except (KeyError, TypeError, ValueError):
        return datetime(partition.day.year, partition.day.month, partition.day.day, 23, 59, 59, tzinfo=UTC)


def _build_run_id(now: datetime, revision: str, plan: ScanPlan, chosen: Sequence[SnapshotPartition]) -> str:
    """The same for the same time, policy and resources; a second later it is another run."""
    parts = [f"{part.address or part.directory.resolve()}/{part.cluster}/{part.day}" for part in chosen]
    digest = hashlib.sha256("\n".join([revision, f"{plan.sample} {plan.where}", *parts]).encode()).hexdigest()
    return f"{now:%Y%m%dT%H%M%SZ}-{digest[:8]}"
