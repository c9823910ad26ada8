"""The service: client configs of KIP-649, and decisions, over HTTP."""
