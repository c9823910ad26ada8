"""Patches of rules, written into the files that declare what breaks them."""
