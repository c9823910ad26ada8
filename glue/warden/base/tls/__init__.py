"""TLS: contexts that follow their files, what is listened with, and the principals of certificates."""
