"""Prometheus metrics of a program that runs on: one registry each, with what the process takes of the machine."""

from prometheus_client import CollectorRegistry
from prometheus_client.process_collector import ProcessCollector

__all__ = ["new_registry"]


def new_registry() -> CollectorRegistry:
    """Return a registry with the metrics of this process: its memory, processor time and open files."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    return registry
