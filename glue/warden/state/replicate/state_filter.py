"""Filter of a cluster's state: the parts that the loaded rules read."""

from warden.base.errors import OpaRefused, OpaUndefined
from warden.policy.opa.client import OpaClient

__all__ = ["CONTRACT", "read_required_parts"]

CONTRACT = frozenset(
    {
        "acls",
        "brokers",
        "catalog",
        "clientConfigs",
        "clusterSize",
        "consumers",
        "defaults",
        "deletions",
        "features",
        "groups",
        "labelPatterns",
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
"""Every part that docs/reference/contract.md names, but for ``meta``, which is always there."""


def read_required_parts(client: OpaClient) -> frozenset[str] | None:
    """Return the parts of ``data.clusters[<cluster>]`` that OPA's rules read; None for all of them.

    For a bundle that does not say so (an older one): all that the contract names.

    Raises:
        OpaError: OPA does not answer.
    """
    try:
        answer = client.evaluate("kafka/required_state", {})
    except (OpaUndefined, OpaRefused):
        return CONTRACT
    return None if answer["all"] else frozenset(answer["parts"])
