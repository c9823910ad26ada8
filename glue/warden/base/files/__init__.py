"""Readers of configuration files that keep the line of each value: YAML, JSON, Java properties."""
