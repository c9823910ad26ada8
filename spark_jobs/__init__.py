"""Spark jobs: read rows, evaluate them, write tables. Logic that needs no Spark is in `warden.analyse.scan`."""

__all__: list[str] = []
