"""Readers of documents that declare resources, a module for each family of forms."""
