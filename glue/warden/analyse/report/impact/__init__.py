"""Impact analysis as text, tables and a page."""
