"""Metrics and log lines about several OPAs, by address, of which there are as many as are configured."""

import logging
from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge

from warden.policy.failover.ranking import OpaRanking
from warden.policy.failover.settings import FailoverSettings

__all__ = ["FailoverReporter", "build_ranking"]


class FailoverReporter:
    """As of `warden.policy.failover.ranking.RankingReporter`.

    Args:
        log: Where it is said.
        registry: Where it is counted.
        program: How names of metrics begin: ``warden_gateway``.
        urls: The OPAs.
        clusters: Clusters that are reported apart.
    """

    def __init__(
        self,
        log: logging.Logger,
        registry: CollectorRegistry,
        program: str,
        urls: Sequence[str],
        clusters: Sequence[str],
    ) -> None:
        self._log, self._urls = log, tuple(urls)
        self._clusters = frozenset(clusters)
        self._healthy = Gauge(
            f"{program}_opa_healthy",
            "Whether an OPA is believed to decide.",
            ("opa",),
            registry=registry,
            multiprocess_mode="livemin",
        )
        self._current = Gauge(
            f"{program}_opa_current",
            "Whether an OPA has decided last, of several workers how many of them it did.",
            ("cluster", "opa"),
            registry=registry,
            multiprocess_mode="livesum",
        )
        self._decisions = Counter(
            f"{program}_opa_calls", "Calls that an OPA has answered.", ("cluster", "opa"), registry=registry
        )
        self._failovers = Counter(
            f"{program}_opa_failovers",
            "Calls that went on to the next OPA, by the one that gave no answer.",
            ("opa",),
            registry=registry,
        )
        for url in urls:
            self._healthy.labels(url).set(1)
            self._failovers.labels(url)

    def report_health(self, url: str, problem: str | None, revision: str | None) -> None:
        """As of `RankingReporter`."""
        self._healthy.labels(url).set(0 if problem else 1)
        if problem:
            self._log.warning("an OPA is passed over", extra={"opa": url, "reason": problem})
        else:
            self._log.info("an OPA is used again", extra={"opa": url, "revision": revision})

    def report_revisions(self, revisions: dict[str, str | None]) -> None:
        """As of `RankingReporter`."""
        self._log.info("revisions of OPAs", extra={"revisions": revisions})

    def report_failover(self, url: str, problem: str) -> None:
        """As of `RankingReporter`."""
        self._failovers.labels(url).inc()
        self._log.warning("the next OPA is called", extra={"opa": url, "reason": problem})

    def report_decider(self, url: str, cluster: str, revision: str | None, *, is_other: bool) -> None:
        """As of `RankingReporter`."""
        if self._clusters and cluster not in self._clusters:
            return
        self._decisions.labels(cluster, url).inc()
        if is_other:
            for address in self._urls:
                self._current.labels(cluster, address).set(1 if address == url else 0)
            self._log.info("an OPA decides", extra={"cluster": cluster, "opa": url, "revision": revision})


def build_ranking(
    settings: FailoverSettings, clusters: Sequence[str], log: logging.Logger, registry: CollectorRegistry, program: str
) -> OpaRanking | None:
    """Return what is known of several OPAs, at first nothing; None where there is one.

    Args:
        settings: How they are reached.
        clusters: The clusters of which they have state.
        log, registry, program: As of `FailoverReporter`.
    """
    urls = settings.addresses
    if len(urls) == 1:
        return None
    report = FailoverReporter(log, registry, program, urls, clusters)
    return OpaRanking(urls, clusters, settings.behind_seconds, report)
