"""Upgrade checks: what another release of Kafka would make of clusters as they are."""
