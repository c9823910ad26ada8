"""Policies and data from the ConfigMaps of a Kubernetes API server, checked together and served to OPA."""
