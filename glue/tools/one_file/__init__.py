"""Warden as one executable file: a zip of packages, for each supported Python, and OPA."""
