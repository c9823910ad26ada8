"""Snapshots of Kafka estates: directories of cluster states."""

__all__: list[str] = []
