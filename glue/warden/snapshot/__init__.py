"""Snapshots of Kafka estates: directories of cluster states, and the deterministic estate that ships with Warden."""

__all__: list[str] = []
