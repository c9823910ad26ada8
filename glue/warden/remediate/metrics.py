"""The remediator's metrics, in Prometheus' text format, made from its status at each request."""

from collections.abc import Iterable
from typing import Final

from prometheus_client import generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from warden.process.metrics import new_registry
from warden.remediate.status import Status

__all__ = ["metrics_text"]

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


class _Status(Collector):
    def __init__(self, status: Status) -> None:
        self._status = status

    def collect(self) -> Iterable[Metric]:
        status = self._status
        for name, text, figure in (
            ("objects", "Objects that are watched.", status.objects),
            ("due", "Objects that a decision is due about.", status.due),
            ("pending", "Objects that are to be patched.", status.pending),
            ("refused", "Objects that policy or the API server refuses to have patched.", status.refused),
            ("leads", "Whether this remediator patches.", status.leads),
            ("stopped", "Whether nothing is patched until a person says so.", status.held is not None),
            ("ready", "Whether all objects have been decided about, and nothing is in the way.", not status.problem),
        ):
            yield GaugeMetricFamily(_PREFIX + name, text, value=float(figure))
        for name, (text, label) in _COUNTERS.items():
            family = CounterMetricFamily(_PREFIX + name, text, labels=(label,) if label else ())
            for (event, value), count in list(status.counts.items()):
                if event == name:
                    family.add_metric((value,) if label else (), count)
            yield family


def metrics_text(status: Status) -> bytes:
    """Return all metrics, with those of this process (CPU, memory, open files)."""
    registry = new_registry()
    registry.register(_Status(status))
    return generate_latest(registry)
