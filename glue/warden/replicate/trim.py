"""Which parts of a cluster's state are kept: what the loaded rules read."""

__all__ = ["CONTRACT", "wanted_parts"]

CONTRACT = frozenset(
    {
        "acls",
        "brokers",
        "clientConfigs",
        "clusterSize",
        "consumers",
        "defaults",
        "deletions",
        "groups",
        "managed",
        "namesByMetric",
        "quotas",
        "staticClientConfigs",
        "topics",
        "totals",
        "users",
        "writes",
    }
)
"""Every part that docs/contract.md names, but for ``meta``, which is always there."""


def wanted_parts() -> frozenset[str]:
    """Return the parts of ``data.clusters[<cluster>]`` that are kept."""
    return CONTRACT
