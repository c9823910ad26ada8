"""The scan: rows in, decisions, tables out."""
