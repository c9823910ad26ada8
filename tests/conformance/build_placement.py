"""Make the suite of placement: ``python -m tests.conformance.build_placement`` writes ``placement.jsonl``.

What a case expects is worked out here, from the few facts of ``clusters.json``; tests hold OPA and every enforcement
point of placement to it.
"""

import json
from collections.abc import Iterator
from itertools import cycle, product
from typing import Any

from tests.conformance.run import CLUSTERS, PLACEMENT

__all__ = ["made"]

_POLICY = "policy.federation.alpha.kubernetes.io"
_KINDS = {"Deployment": "deployment-preferences", "ReplicaSet": "replica-set-preferences"}
_IN_EU = {None: False, "true": True}
_LEVELS = {None: 0, "2": 2, "3": 3, "4": 4}
_WISHES = {
    "nothing": [],
    "one that fits the most": ["paris-3"],
    "one outside": ["denver-3"],
    "one inside and one outside": ["denver-3", "paris-3"],
    "one that nobody knows": ["atlantis"],
    "any": ["*"],
}
_UNREADABLE = (("perhaps", None, "nothing"), (None, "high", "nothing"), (None, None, "what cannot be read"))


def made() -> Iterator[dict[str, Any]]:
    """Yield each demand with each wish, of both kinds in turn."""
    clusters = json.loads(CLUSTERS.read_text(encoding="utf-8"))
    kinds = cycle(_KINDS)
    combinations = [*product(_IN_EU, _LEVELS, _WISHES), *_UNREADABLE]
    for number, combination in enumerate(combinations, 1):
        kind, (jurisdiction, level, wish) = next(kinds), combination
        denied = {"allowed": False, "clusters": None}
        demands = {"eu-jurisdiction-required": jurisdiction, "pci-compliance-level": level}
        annotations = {f"{_POLICY}/{name}": value for name, value in demands.items() if value is not None}
        if wish != "nothing":
            annotations[f"federation.kubernetes.io/{_KINDS[kind]}"] = _text(_WISHES.get(wish))
        stated = ", ".join(f"{name} {value}" for name, value in demands.items() if value is not None) or "no demands"
        metadata = {"name": "shop", "namespace": "web", "annotations": annotations}
        yield {
            "id": f"P-{number:03}",
            "title": f"{kind}: {stated}, and wishes {wish}",
            "input": {"apiVersion": "apps/v1", "kind": kind, "metadata": metadata, "spec": {"replicas": 4}},
            "expected": denied if combination in _UNREADABLE else _expected(clusters, *combination),
        }


def _text(names: list[str] | None) -> str:
    return "{" if names is None else json.dumps({"clusters": {name: {"weight": 1} for name in names}})


def _expected(clusters: dict[str, Any], jurisdiction: str | None, level: str | None, wish: str) -> dict[str, Any]:
    """A wish for what does not fit is denied, and "*" is all that fits.

    Without a demand nothing is said about a wish but that its clusters must be there.
    """
    wished, demanded = _WISHES[wish], jurisdiction or level
    fits = sorted(
        name
        for name, cluster in clusters.items()
        if int(cluster["metadata"]["annotations"]["pci-compliance-level"]) >= _LEVELS[level]
        and (not _IN_EU[jurisdiction] or cluster["status"]["region"].startswith("europe-"))
    )
    if not demanded and set(wished) <= {"*", *clusters}:
        return {"allowed": True, "clusters": sorted(wished) or None}
    named = fits if wished in ([], ["*"]) else sorted(wished)
    allowed = named != [] and set(named) <= set(fits)
    return {"allowed": allowed, "clusters": named if allowed else None}


def main() -> None:
    """Write the cases."""
    with PLACEMENT.open("w", encoding="utf-8") as file:
        for case in made():
            file.write(json.dumps(case) + "\n")


if __name__ == "__main__":
    main()
