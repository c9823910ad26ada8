"""Programs of developers only, not in the wheel: lints, catalogues from Kafka's jars, pages, schemas, Go, Regal."""
