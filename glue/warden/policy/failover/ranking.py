"""The order in which several OPAs are called, from checks and from calls. No I/O."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from warden.policy.failover.join_reasons import join_reasons

__all__ = ["OpaCheckResult", "OpaRanking", "RankingReporter"]

_UNKNOWN: Final = object()


@dataclass(frozen=True)
class OpaCheckResult:
    """What a check has found.

    Args:
        problem: Why the OPA does not decide; None where it does.
        kind: The name of the error's class, where the problem is one.
        ages: Seconds since its state was observed, by cluster; None where it has none.
        revision: Of its bundle; None where that is not known.
    """

    problem: str | None = None
    kind: str = ""
    ages: dict[str, float | None] = field(default_factory=dict)
    revision: str | None = None


class RankingReporter(Protocol):
    """Hears what changes; called from any thread."""

    def report_health(self, url: str, problem: str | None, revision: str | None) -> None:
        """Tell that an OPA is passed over from now on, or is used again."""

    def report_revisions(self, revisions: dict[str, str | None]) -> None:
        """Tell that the revisions of OPAs, by address, are others than they were."""

    def report_failover(self, url: str, problem: str) -> None:
        """Tell that an OPA gave no answer that can be used, so that the next one was called."""

    def report_decider(self, url: str, cluster: str, revision: str | None, *, is_other: bool) -> None:
        """Tell which OPA has decided, and whether it is another one than before."""


@dataclass
class _KnownOpa:
    """What is known of one OPA.

    Args:
        problem: Why it is believed to decide nothing; None where it decides, or nobody has looked yet.
        kind: As of `OpaCheckResult`.
        observed: When its state was observed, by cluster and by the clock; None where it has none.
        revision: Of its bundle.
    """

    problem: str | None = None
    kind: str = ""
    observed: dict[str, float | None] = field(default_factory=dict)
    revision: str | None = None


class OpaRanking:
    """The OPAs in the order in which they are to be called; safe to share between threads.

    The first of those that decide comes first. One that has no state of a cluster, or an older one than another by more
    than some seconds, comes behind the others; one that does not decide comes last.

    Args:
        urls: Their addresses, the preferred one first.
        clusters: The clusters of which they have state.
        behind: Seconds by which a state may be older than another's.
        reporter: Hears what changes.
        clock: Returns seconds.

    Attributes:
        wake: Called with the address of an OPA that has failed and should be looked at.
    """

    def __init__(
        self,
        urls: Sequence[str],
        clusters: Sequence[str],
        behind: float,
        reporter: RankingReporter,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.urls, self.clusters = tuple(urls), tuple(clusters)
        self.wake: Callable[[str], None] = lambda _: None
        self._behind, self._reporter, self._clock = behind, reporter, clock
        self._known = {url: _KnownOpa() for url in urls}
        self._deciders: dict[str, str] = {}
        self._revisions: dict[str, str | None] = {}
        self._shown: set[str] = set()
        self._lock = threading.RLock()

    def rank_urls(self, cluster: str) -> list[str]:
        """Return all addresses in the order in which they are to be called about a cluster."""
        with self._lock:
            grades = [self._grade(url, cluster) for url in self.urls]
        return [url for _, url in sorted(zip(grades, self.urls, strict=True), key=lambda pair: pair[0])]

    def may_have_state(self, url: str, cluster: str) -> bool:
        """Return whether an OPA may have a state of a cluster.

        So may each once any has had one: what is known is from an OPA's last check, and an answer is newer.
        """
        opa = self._known[url]
        return cluster in self._shown or (opa.problem is None and opa.observed.get(cluster, 0.0) is not None)

    def record_check(self, url: str, findings: OpaCheckResult) -> None:
        """Record what a check has found."""
        with self._lock:
            opa, now = self._known[url], self._clock()
            turns = (opa.problem is None) is not (findings.problem is None)
            opa.problem, opa.kind = findings.problem, findings.kind
            opa.observed |= {name: None if age is None else now - age for name, age in findings.ages.items()}
            self._shown |= {name for name, age in findings.ages.items() if age is not None}
            opa.revision = findings.revision or opa.revision
            if turns:
                self._reporter.report_health(url, findings.problem, opa.revision)
            revisions = {address: self._known[address].revision for address in self.urls}
            if revisions != self._revisions:
                self._revisions = revisions
                self._reporter.report_revisions(revisions)

    def record_failure(self, url: str, problem: str, kind: str) -> None:
        """Record that an OPA gave no answer to a request: it is passed over until a check has it decide again."""
        with self._lock:
            opa = self._known[url]
            turns, opa.problem, opa.kind = opa.problem is None, problem, kind
            if turns:
                self._reporter.report_health(url, problem, opa.revision)
        if turns:
            self.wake(url)

    def request_check(self, url: str) -> None:
        """Have an OPA checked that refused a request: whether it refuses all."""
        if self._known[url].problem is None:
            self.wake(url)

    def record_state_age(self, url: str, cluster: str, age: float | None) -> None:
        """Record how old the state was by which an OPA has answered; None where it had none."""
        with self._lock:
            self._known[url].observed[cluster] = None if age is None else self._clock() - age
            if age is not None:
                self._shown.add(cluster)

    def record_decider(self, url: str, cluster: str) -> None:
        """Record that an OPA has decided."""
        with self._lock:
            is_other = self._deciders.get(cluster) != url
            self._deciders[cluster] = url
            self._reporter.report_decider(url, cluster, self._known[url].revision, is_other=is_other)

    def report_failover(self, url: str, problem: str) -> None:
        """Tell the reporter that the next OPA is called in place of one."""
        self._reporter.report_failover(url, problem)

    def find_oldest(self, cluster: str, age: float) -> float:
        """Return the age of the oldest state of a cluster among the OPAs that are used; at least that of one answer."""
        with self._lock:
            now = self._clock()
            states = [self._known[url].observed.get(cluster) for url in self.urls if self._grade(url, cluster) == 0]
        return max([age, *(now - observed for observed in states if observed is not None)])

    def find_common_failure(self) -> tuple[str, frozenset[str]] | None:
        """Return why no OPA decides, and the kinds of errors; None where one does."""
        with self._lock:
            failed = [(opa.problem, opa.kind) for opa in self._known.values() if opa.problem is not None]
        if len(failed) < len(self.urls):
            return None
        return join_reasons(problem for problem, _ in failed), frozenset(kind for _, kind in failed)

    def list_clusters_without_state(self) -> list[str]:
        """Return the clusters of which no OPA that decides has a state."""
        with self._lock:
            well = [opa for opa in self._known.values() if opa.problem is None]
            return [name for name in self.clusters if all(opa.observed.get(name, 0.0) is None for opa in well)]

    def _grade(self, url: str, cluster: str) -> int:
        """Return 0 for an OPA that is used, 1 for one with less of a state than another, 2 for one that fails."""
        opa = self._known[url]
        if opa.problem is not None:
            return 2
        observed = opa.observed.get(cluster, _UNKNOWN)
        if observed is _UNKNOWN:
            return 0
        moments = [peer.observed.get(cluster) for peer in self._known.values() if peer.problem is None]
        newest = max((moment for moment in moments if moment is not None), default=None)
        if newest is None:
            return 0
        return 0 if isinstance(observed, float) and newest - observed <= self._behind else 1
