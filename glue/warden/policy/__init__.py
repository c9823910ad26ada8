"""Ask OPA: the contract, the bundle, the client, and Kafka requests as decision inputs."""
