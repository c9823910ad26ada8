"""Kafka's protocol on the wire: frames, messages, and what is replaced in responses."""
