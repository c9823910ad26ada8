"""The gateway's log, metrics and traces, and what is read from the log."""
