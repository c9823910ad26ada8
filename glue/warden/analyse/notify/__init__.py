"""Messages to people about a run: what is new for an owner, and which waivers end."""
