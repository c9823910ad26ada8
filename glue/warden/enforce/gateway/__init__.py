"""A gateway for Kafka's protocol: clients as they are, with each change decided by the policy first."""
