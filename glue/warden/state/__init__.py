"""What is known of clusters: read from their source, kept in OPA and in snapshots."""
