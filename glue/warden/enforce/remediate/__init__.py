"""The remediator: keeps stored Kubernetes objects where policy has them, after policy or clusters have changed."""

__all__: list[str] = []
