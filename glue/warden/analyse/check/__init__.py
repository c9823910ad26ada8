"""Files in which people declare Kafka's resources, read into decision inputs, each with its file and line."""
