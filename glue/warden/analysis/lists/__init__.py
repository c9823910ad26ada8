"""Checking files of configuration before Kafka reads them: values with their lines, and what speaks against them."""
