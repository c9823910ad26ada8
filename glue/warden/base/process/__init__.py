"""What every program needs to run: child processes, signals, progress, and the directory of a run."""
