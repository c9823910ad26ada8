"""What a scan takes from earlier ones."""
