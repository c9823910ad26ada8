"""The remediator's metrics, in Prometheus' text format, made from its status at each request."""

from collections.abc import Iterator
from typing import Final

from prometheus_client.core import GaugeMetricFamily, Metric

from warden.base.telemetry.metrics import encode_collected_metrics, iter_counters
from warden.enforce.remediate.status import RemediatorStatus

__all__ = ["render_metrics"]

_PREFIX: Final = "warden_remediator_"
# name → (what it counts, name of its label)
_COUNTERS: Final = {
    "patches": ("Patches sent, by what has become of them.", "result"),
    "refusals": ("Times that an object was left as it is, or for another reason than before.", None),
    "stops": ("Times that more would have been patched in an hour than may be.", None),
    "errors": ("Failures of OPA, of the API server, or of a patch.", "where"),
    "lists": ("Times that all objects had to be listed anew.", "why"),
    "events": ("Events about objects: sent, failed, or dropped.", "result"),
}


def render_metrics(status: RemediatorStatus) -> bytes:
    """Return all metrics, with those of this process (CPU, memory, open files)."""
    return encode_collected_metrics(lambda: _collect(status))


def _collect(status: RemediatorStatus) -> Iterator[Metric]:
    for name, text, figure in (
        ("objects", "Objects that are watched.", status.objects),
        ("due", "Objects that a decision is due about.", status.due),
        ("pending", "Objects that are to be patched.", status.pending),
        ("refused", "Objects that policy or the API server refuses to have patched.", status.refused),
        ("late", "Namespaces about whose objects OPA does not decide in time, and is called again.", status.late),
        ("put_off", "Objects that could not be patched, and are tried again.", status.put_off),
        ("leads", "Whether this remediator patches.", status.leads),
        ("stopped", "Whether nothing is patched until a person says so.", status.held is not None),
        ("ready", "Whether all objects have been decided about, and nothing is in the way.", not status.problem),
    ):
        yield GaugeMetricFamily(_PREFIX + name, text, value=float(figure))
    yield from iter_counters(_PREFIX, _COUNTERS, [((), status.counts)])
