"""Guarded requests: what of them is decided, looked up at the broker first, and answered."""
