"""State that remediations depend on besides the objects: bundles, policies of ConfigMaps, and clusters."""

import json
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from warden.base.errors import OpaUndefined
from warden.policy.opa.client import OpaClient

__all__ = ["StateChanges", "StateWatch"]

_STATES: Final = "io/k8s/federation/cluster_states"
_TOUCHED: Final = "io/k8s/federation/touched"


@dataclass(frozen=True)
class StateChanges:
    """What has changed between two polls.

    Args:
        everything: Whether any decision may be another one.
        replica: Whether anything at all under data.kubernetes may have changed.
        clusters: By name what a cluster was ``before`` and is ``after``, None where there is none.
    """

    everything: bool = False
    replica: bool = False
    clusters: dict[str, dict[str, Any]] = field(default_factory=dict)


class StateWatch:
    """Notices that policy or clusters have changed.

    Args:
        client: A client of the OPA that decides.
    """

    def __init__(self, client: OpaClient) -> None:
        self._client = client
        self._revisions: dict[str, str] | None = None
        self._policies: Any = None
        self._revision: str | None = None
        self._clusters: dict[str, Any] = {}

    def poll(self) -> StateChanges:
        """Return what has changed since the last poll; everything at the first.

        A cluster whose object changes in what no rule reads, such as its last sign of life, has not changed.

        Raises:
            OpaError: OPA is away, or has no such document. What was seen last stands.
        """
        revisions = self._client.read_revisions()
        answer = self._client.evaluate(_STATES, {"revision": self._revision} if self._revisions else {})
        if not isinstance(answer, dict) or not isinstance(answer.get("clusters", {}), dict):
            raise OpaUndefined(f"{_STATES} cannot be read: check OPA's bundle")
        before, after = self._clusters, answer.get("clusters", self._clusters)
        policies = (revisions, answer.get("policies"))
        changes = StateChanges(
            everything=policies != (self._revisions, self._policies) or bool(before) != bool(after),
            replica=answer.get("revision") is None or answer["revision"] != self._revision,
            clusters={
                name: {"before": before.get(name), "after": after.get(name)}
                for name in before.keys() | after.keys()
                if before.get(name) != after.get(name)
            },
        )
        (self._revisions, self._policies), self._revision, self._clusters = policies, answer.get("revision"), after
        return changes

    def select_touched(self, changes: StateChanges, needs: Collection[str]) -> set[str]:
        """Return those of the needs that changed clusters have come to meet, or meet no more.

        Args:
            changes: Of clusters.
            needs: Of remediations, in JSON.

        Raises:
            OpaError: OPA is away, or has no such document.
        """
        items = {text: json.loads(text) for text in needs}
        answer = self._client.evaluate(_TOUCHED, {"changed": changes.clusters, "items": items})
        if not isinstance(answer, list):
            raise OpaUndefined(f"{_TOUCHED} cannot be read: check OPA's bundle")
        return {str(text) for text in answer}
