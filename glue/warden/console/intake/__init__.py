"""Decisions on their way into the console: files that are followed, and uploads."""
