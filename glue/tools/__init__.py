"""What only developers run: catalogues from Kafka's jars, pages of rules and profiles, Go, Regal; not in the wheel."""
