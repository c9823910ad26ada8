"""Checks of configuration files before Kafka reads them: findings with their lines."""
