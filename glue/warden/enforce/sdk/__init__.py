"""Decisions for Python programs: a client, an evaluator for Kafka requests, and an AdminClient that asks the policy."""
