"""The scan: rows to decisions to tables."""
