"""Schemas of Kafka's messages that kafka-python has no classes of, made by `tools.gateway`."""
