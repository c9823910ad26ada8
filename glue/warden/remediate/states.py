"""What remediations rest on besides the objects: OPA's bundles, and what is known of clusters."""

from typing import Any, Final

from warden.errors import OpaUndefined
from warden.opa.client import OpaClient

__all__ = ["States"]

_ENTRY: Final = "io/k8s/federation/cluster_states"


class States:
    """Notices that policy or clusters have changed.

    Args:
        client: A client of the OPA that decides.
    """

    def __init__(self, client: OpaClient) -> None:
        self._client = client
        self._revisions: dict[str, str] | None = None
        self._revision: str | None = None
        self._clusters: dict[str, Any] = {}

    def look(self) -> bool:
        """Return whether decisions may be others than at the last look; True at the first.

        A cluster whose object changes in what no rule reads, such as its last sign of life, changes nothing.

        Raises:
            OpaError: OPA is away, or has no such document. What was seen last stands.
        """
        revisions = self._client.revisions()
        answer = self._client.evaluate(_ENTRY, {"revision": self._revision} if self._revisions else {})
        if not isinstance(answer, dict):
            raise OpaUndefined(f"{_ENTRY} is {type(answer).__name__}, not an object: check OPA's bundle")
        clusters = answer.get("clusters", self._clusters)
        changed = self._revisions != revisions or clusters != self._clusters
        self._revisions, self._revision, self._clusters = revisions, answer.get("revision"), clusters
        return changed
