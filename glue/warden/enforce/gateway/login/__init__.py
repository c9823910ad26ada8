"""Logins: whose a client's connection is, and how the gateway logs in at brokers."""
