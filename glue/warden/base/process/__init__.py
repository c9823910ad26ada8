"""What every program needs to run: child processes, HTTP servers, probes, logs, metrics, traces."""
