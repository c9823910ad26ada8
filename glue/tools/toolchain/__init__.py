"""Programs that developers and continuous integration need: OPA built with Go, Regal."""
