"""One client's connection: its bytes to and from the broker, and what it waits for."""
