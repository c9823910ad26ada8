"""The replicator's metrics, in Prometheus' text format, made from the statuses at each request."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from prometheus_client.core import GaugeMetricFamily, Metric

from warden.base.telemetry.metrics import encode_collected_metrics, iter_counters
from warden.state.replicate.status import SourceStatus

__all__ = ["render_metrics"]

_PREFIX = "warden_replicator_"
_LABELS = ("kind", "source")
# name → (what it counts, name of its own label)
_COUNTERS = {
    "writes": ("Writes that OPA took: whole swaps, and patches.", "write"),
    "bytes": ("Bytes of these writes.", "write"),
    "operations": ("JSON Patch operations written.", None),
    "loads": ("Whole loads of the source, requested or to compare.", "why"),
    "reloads": ("Times that a replica had to be loaded and written anew.", "why"),
    "errors": ("Failures of the source, of OPA, or of the replicator itself.", "where"),
    "checks": ("Looks at the marker in OPA.", None),
    "comparisons": ("Comparisons of OPA's replica with the source that were completed.", None),
    "drift": ("Operations that a comparison found and that no change had brought.", None),
    "repairs": ("Times that OPA's replica was not what had been written.", None),
    "held": ("Times that a loss was held back.", None),
}


def render_metrics(statuses: Sequence[SourceStatus]) -> bytes:
    """Return all metrics, with those of this process (CPU, memory, open files)."""
    return encode_collected_metrics(lambda: _collect(statuses))


def _collect(statuses: Sequence[SourceStatus]) -> Iterator[Metric]:
    now = datetime.now(UTC)
    age = _build_gauge("age_seconds", "Age of the state that OPA holds.")
    lag = _build_gauge("lag_seconds", "From the look at the source to OPA's having its result, last time.")
    ready = _build_gauge("ready", "Whether the source is replicated and fresh enough.")
    leads = _build_gauge("leads", "Whether this replicator writes the replica.")
    held = _build_gauge("held_back", "Whether a loss is held back now.")
    bundle = _build_gauge("older_bundle", "Whether OPA's bundle is older than one seen before, or may be.")
    entries = GaugeMetricFamily(f"{_PREFIX}entries", "Entries of each part of the replica.", labels=(*_LABELS, "part"))
    for status in statuses:
        labels = (status.kind, status.name)
        for gauge, value in ((age, status.compute_age(now)), (lag, status.lag)):
            if value is not None:
                gauge.add_metric(labels, value)
        ready.add_metric(labels, status.find_problem(now) is None)
        leads.add_metric(labels, status.loaded and status.leader is None)
        held.add_metric(labels, status.held is not None)
        bundle.add_metric(labels, status.bundle_error is not None)
        for part, count in status.entries.items():
            entries.add_metric((*labels, part), count)
    yield from (age, lag, ready, leads, held, bundle, entries)
    counted = [((status.kind, status.name), status.counts) for status in statuses]
    yield from iter_counters(_PREFIX, _COUNTERS, counted, _LABELS)


def _build_gauge(name: str, text: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(_PREFIX + name, text, labels=_LABELS)
