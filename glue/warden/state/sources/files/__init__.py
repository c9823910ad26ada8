"""Cluster state from files."""
