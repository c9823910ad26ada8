"""The documents of the public contract as Python values."""
