"""Placement of manifests on disk: the decision that an API server's webhook would carry out."""
