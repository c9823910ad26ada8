"""Filter of a cluster's state: the parts that the loaded rules read."""

from warden.base.errors import OpaRefused, OpaUndefined
from warden.policy.contract.schemas import read_schema
from warden.policy.opa.client import OpaClient

__all__ = ["read_required_parts"]


def read_required_parts(client: OpaClient) -> frozenset[str] | None:
    """Return the parts of ``data.clusters[<cluster>]`` that OPA's rules read; None for all of them.

    For a bundle that does not say so (an older one): all that the contract names, but for ``meta``, which is always
    there.

    Raises:
        OpaError: OPA does not answer.
    """
    try:
        answer = client.evaluate("kafka/required_state", {})
    except (OpaUndefined, OpaRefused):
        return frozenset(read_schema("cluster-state")["properties"]) - {"meta"}
    return None if answer["all"] else frozenset(answer["parts"])
