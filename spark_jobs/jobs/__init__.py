"""Programs for spark-submit: each is a command of `warden`."""
