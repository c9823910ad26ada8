"""What an upgrade of Kafka would refuse or read otherwise of the values that a cluster stores (KIP-1161)."""
