"""Decisions as the console keeps them, in SQLite or PostgreSQL, and how they are found."""
