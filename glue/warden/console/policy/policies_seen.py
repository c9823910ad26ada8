"""Revisions in force: which OPA decides by which, where, and how old its state of each cluster is."""

from collections.abc import Mapping
from typing import Any, Final

from warden.base.errors import OpaError
from warden.console.gate import Viewer
from warden.console.policy.engine import PolicyOpa
from warden.console.store.decision_store import DecisionStore
from warden.console.store.stored import format_time

__all__ = ["check_opas", "list_cluster_states", "list_revisions"]

_NEWEST: Final = 10_000  # decisions that are looked at
_REVISIONS: Final = f"""
SELECT opa, point, revision, count(*), max(at) FROM
  (SELECT opa, point, revision, at, cluster FROM decisions ORDER BY at DESC, seq DESC LIMIT {_NEWEST}) newest
WHERE opa <> '' AND revision <> '' GROUP BY opa, point, revision ORDER BY max(at) DESC LIMIT 200
"""  # noqa: S608 - of constants
_AGES: Final = f"""
SELECT cluster, at, state_age, point FROM
  (SELECT cluster, at, state_age, point FROM decisions ORDER BY at DESC, seq DESC LIMIT {_NEWEST}) newest
WHERE cluster <> '' AND state_age IS NOT NULL ORDER BY at DESC
"""  # noqa: S608 - of constants


def check_opas(opa: PolicyOpa) -> list[dict[str, Any]]:
    """Return each OPA that is configured with its revision, or with why it does not tell it."""
    rows = []
    for url in opa.addresses:
        try:
            rows.append({"opa": url, "revision": opa.build_client(url).read_revision(), "problem": None})
        except OpaError as error:
            rows.append({"opa": url, "revision": None, "problem": str(error)})
    return rows


def list_revisions(store: DecisionStore) -> list[dict[str, Any]]:
    """Return by which revision each OPA has decided lately, for which enforcement point: of the newest decisions.

    Raises:
        StoreError: The store does not answer.
    """
    names = ("opa", "point", "revision", "decisions")
    rows = store.read(_REVISIONS, ())
    return [dict(zip(names, row, strict=False)) | {"last": format_time(row[-1], "seconds")} for row in rows]


def list_cluster_states(store: DecisionStore, viewer: Viewer) -> list[Mapping[str, Any]]:
    """Return how old the state of each cluster was when it was last decided with: of the newest decisions.

    Raises:
        StoreError: The store does not answer.
    """
    newest: dict[str, Mapping[str, Any]] = {}
    for cluster, at, age, point in store.read(_AGES, ()):
        if viewer.may_see_cluster(cluster):
            when = format_time(at, "seconds")
            newest.setdefault(cluster, {"cluster": cluster, "age": age, "at": when, "point": point})
    return sorted(newest.values(), key=lambda row: -row["age"])
