"""Spark data sources of Warden."""
