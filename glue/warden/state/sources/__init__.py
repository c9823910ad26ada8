"""Systems whose state can be read: Kafka clusters, Kubernetes API servers, files, and labels of topics."""

__all__: list[str] = []
