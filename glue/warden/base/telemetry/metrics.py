"""Prometheus metrics of a program that runs on: one registry each, with what the process takes of the machine."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from warden.base.telemetry.traces import find_trace_id

__all__ = ["build_registry", "encode_collected_metrics", "encode_metrics", "iter_counters", "observe"]


class _Collected(Collector):
    def __init__(self, collect: Callable[[], Iterable[Metric]]) -> None:
        self._collect = collect

    def collect(self) -> Iterable[Metric]:
        return self._collect()


def build_registry() -> CollectorRegistry:
    """Return a registry with the metrics of this process: its memory, processor time and open files."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    return registry


def encode_metrics(registry: CollectorRegistry, accept: str) -> tuple[bytes, str]:
    """Return a registry's metrics, and their media type.

    Args:
        registry: The registry.
        accept: What the reader takes, as in HTTP: OpenMetrics, which has exemplars, or else Prometheus' text format.
    """
    encode, media_type = choose_encoder(accept)
    return encode(registry), media_type


def observe(histogram: Histogram, seconds: float) -> None:
    """Observe a time, with the current trace as its exemplar where there is one.

    Args:
        histogram: Of times.
        seconds: The time.
    """
    trace = find_trace_id()
    histogram.observe(seconds, None if trace is None else {"trace_id": trace})


def encode_collected_metrics(collect: Callable[[], Iterable[Metric]]) -> bytes:
    """Return metrics that are made now, with those of this process, in Prometheus' text format."""
    registry = build_registry()
    registry.register(_Collected(collect))
    return generate_latest(registry)


def iter_counters(
    prefix: str,
    counters: Mapping[str, tuple[str, str | None]],
    counted: Iterable[tuple[Sequence[str], Counter[tuple[str, str]]]],
    labels: Sequence[str] = (),
) -> Iterator[Metric]:
    """Yield counters of events.

    Args:
        prefix: How their names begin.
        counters: Name → what it counts, and the name of its own label, if it has one.
        counted: Values of ``labels``, and the events since the start, by (name, value of the own label).
        labels: What all of them have.
    """
    whole = list(counted)
    for name, (text, own) in counters.items():
        family = CounterMetricFamily(prefix + name, text, labels=(*labels, *((own,) if own else ())))
        for values, events in whole:
            for (event, value), count in list(events.items()):
                if event == name:
                    family.add_metric((*values, *((value,) if own else ())), count)
        yield family
