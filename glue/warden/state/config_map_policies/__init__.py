"""Policies in ConfigMaps, as replicator and webhook both read them."""
