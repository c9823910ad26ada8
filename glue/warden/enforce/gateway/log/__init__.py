"""The gateway's log and traces, and what is read from the log."""
