"""What programs that run on tell of themselves: logs, metrics, traces."""
