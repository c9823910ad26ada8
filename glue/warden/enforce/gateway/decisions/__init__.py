"""Requests that wait for decisions, and the batches in which OPA decides."""
