"""The program `warden serve`: client configs of KIP-649, and decisions, over HTTP."""
