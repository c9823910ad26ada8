"""State of clusters: read from its source, kept in OPA and in snapshots."""
