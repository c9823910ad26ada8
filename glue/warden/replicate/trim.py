"""Which parts of a cluster's state are kept: what the loaded rules read."""

from warden.errors import OpaRefused, OpaUndefined
from warden.opa.client import OpaClient

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
        "features",
        "groups",
        "managed",
        "namesByMetric",
        "quotas",
        "resourceConfigs",
        "staticClientConfigs",
        "topics",
        "totals",
        "users",
        "writes",
    }
)
"""Every part that docs/contract.md names, but for ``meta``, which is always there."""


def wanted_parts(client: OpaClient) -> frozenset[str] | None:
    """Ask OPA which parts of ``data.clusters[<cluster>]`` its rules read; None for all of them.

    A bundle that does not tell (an older one) is kept all that the contract names.

    Raises:
        OpaError: OPA cannot be asked.
    """
    try:
        answer = client.evaluate("kafka/state", {})
    except (OpaUndefined, OpaRefused):
        return CONTRACT
    return None if answer["all"] else frozenset(answer["parts"])
