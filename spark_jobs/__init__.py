"""Spark jobs: arguments, read, evaluate, write. Logic that needs no Spark is in `warden.scan`."""

__all__: list[str] = []
