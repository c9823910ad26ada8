"""Dynamic client configs (KIP-649): where they are stored, and the service in front of them."""
