"""Files as two commits of git have them, and what changes between."""
