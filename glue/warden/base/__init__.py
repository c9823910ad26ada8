"""Infrastructure that knows neither Kafka nor OPA: files, TLS, processes, pinned tools."""
