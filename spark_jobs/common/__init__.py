"""Spark sessions, shipped modules, schemas and errors that all jobs share."""
