"""Follow a live cluster: polls that cost little, and one document kept up to date."""
