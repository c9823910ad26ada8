"""Known vulnerabilities of what Warden consists of: OSV-Scanner, held to having seen all of it."""
