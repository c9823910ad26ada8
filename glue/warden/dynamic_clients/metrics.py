"""Metrics for Prometheus about what clients make of their dynamic configs."""

from collections.abc import Iterator, Mapping

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from warden.dynamic_clients.client_swap import ReplaceableClient

__all__ = ["ClientMetrics"]

_TEXTS = {
    "answers": "Answers of the service to a client.",
    "failures": "Requests of a client that the service did not answer.",
    "changes": "Changes of what a client accepts or ignores.",
}


class ClientMetrics(Collector):
    """Prometheus metrics of dynamic clients: ``REGISTRY.register(ClientMetrics({"ledger": producer}))``.

    Args:
        clients: The clients by the name that the label ``client`` is to have.
    """

    def __init__(self, clients: Mapping[str, ReplaceableClient]) -> None:
        self._clients = dict(clients)

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        """Return what there is now."""
        for count, text in _TEXTS.items():
            counter = CounterMetricFamily(f"warden_client_config_{count}", text, labels=["client"])
            for name, client in self._clients.items():
                counter.add_metric([name], client.counts[count])
            yield counter
        accepted = GaugeMetricFamily(
            "warden_client_config", "1 for each config that a client takes.", labels=["client", "key", "value"]
        )
        ignored = GaugeMetricFamily(
            "warden_client_config_ignored", "1 for each config that a client ignores.", labels=["client", "key"]
        )
        for name, client in self._clients.items():
            taken = client.dynamic_configs
            for key, value in sorted(taken.configs.items()):
                accepted.add_metric([name, key, value], 1)
            for key in sorted(taken.ignored):
                ignored.add_metric([name, key], 1)
        yield accepted
        yield ignored
