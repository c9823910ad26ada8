"""Enforcement points: each obtains facts, asks OPA, and carries the decision out."""
