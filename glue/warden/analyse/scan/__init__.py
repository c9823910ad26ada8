"""Scan of resources by OPA, as plain functions over iterators: plan, batches, evaluation, decisions; no Spark."""

__all__: list[str] = []
