"""What another policy would change, as text, tables and a page."""
