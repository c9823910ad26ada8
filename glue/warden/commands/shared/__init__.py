"""What several commands share: their options, their output, and the runs that they read."""
