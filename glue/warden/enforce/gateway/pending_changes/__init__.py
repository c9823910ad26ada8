"""Changes that were let through and the replica does not show yet."""
