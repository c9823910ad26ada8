"""The replicator's probes over HTTP: ``/healthz``, ``/readyz`` and ``/metrics``."""

from collections.abc import Callable, Sequence
from typing import Any

from warden.process.probes import ProbeServer
from warden.replicate.metrics import metrics_text
from warden.replicate.status import Status

__all__ = ["Probes"]


class Probes(ProbeServer):
    """``/healthz`` is 200 while every thread runs, ``/readyz`` while every source is replicated and fresh.

    Args:
        host: Address to listen on.
        port: Port; 0 for a free one.
        statuses: What to tell of.
        alive: Whether all threads run.

    Raises:
        ConfigurationError: The address cannot be had.
    """

    def __init__(self, host: str, port: int, statuses: Sequence[Status], alive: Callable[[], bool]) -> None:
        def ready() -> dict[str, Any]:
            sources = {f"{status.kind}/{status.name}": status.document() for status in statuses}
            return {"ready": all(source["ready"] for source in sources.values()), "sources": sources}

        super().__init__(host, port, ready=ready, metrics=lambda: metrics_text(statuses), alive=alive)
