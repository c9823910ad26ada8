"""Spark jobs: read rows, evaluate them, write tables. Logic that needs no Spark is in `warden.scan`."""

__all__: list[str] = []
