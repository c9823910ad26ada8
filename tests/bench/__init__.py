"""Measurements, never assertions: `python -m tests.bench`, or `make bench`."""
