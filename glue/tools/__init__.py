"""Programs that only developers run, not in the wheel: catalogues from Kafka's jars, pages, schemas, Go, Regal."""
