"""Snapshots, runs and caches of a scan at an address such as ``s3a://``."""
