"""Warden: the policy system for Apache Kafka estates."""

__version__ = "0.1.0"

__all__ = ["__version__"]
