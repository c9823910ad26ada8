"""Child processes and threads that end with their owner."""
