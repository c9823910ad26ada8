"""What another release of Kafka makes of clusters as they are."""
