"""A ReplicaSet of the tests, as an API server shows it."""

__all__ = ["KEY", "replica_set"]

KEY = ("replicasets", "shop", "web")


def replica_set(version="7", uid="u1", **annotations):
    """Return the object, in this version."""
    metadata = {"name": "web", "namespace": "shop", "uid": uid, "resourceVersion": version, "annotations": annotations}
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata}
