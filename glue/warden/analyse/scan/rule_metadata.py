"""Metadata of the rules that an OPA decides by, and the frameworks of controls that these name."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from warden.base.errors import OpaEvaluationError, OpaRefused, OpaUndefined
from warden.policy.bundle.site_controls import merge_frameworks

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["read_rules", "read_rules_and_frameworks"]


def read_rules(client: "OpaClient") -> dict[str, Any]:
    """Return the metadata of the rules by id; empty where the bundle has no catalogue of rules.

    A site's own are among them as far as the OPA shows ``data.site`` and the rules have METADATA with an id.
    """
    return _read_rules(client, _read_site(client))


def read_rules_and_frameworks(client: "OpaClient") -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what `read_rules` returns, and the frameworks by name, Warden's with the site's laid over them.

    Frameworks are in the form of ``bundle/catalog/controls``; without the site's where the OPA does not show
    ``data.site``, and without Warden's where its bundle is an older Warden's.
    """
    site = _read_site(client)
    return _read_rules(client, site), _read_frameworks(client, site)


def _read_rules(client: "OpaClient", site: Mapping[str, Any]) -> dict[str, Any]:
    own = site.get("metadata", {})
    try:
        rules: Any = client.evaluate("catalog/rules", {})
    except OpaUndefined:
        return dict(own)
    listed = rules.values() if isinstance(rules, dict) else rules
    return {**own, **{rule["id"]: rule for rule in listed if isinstance(rule, dict) and "id" in rule}}


def _read_frameworks(client: "OpaClient", site: Mapping[str, Any]) -> dict[str, Any]:
    own = site.get("controls", {})
    try:
        shipped: dict[str, Any] = client.evaluate("catalog/controls", {})
    except (OpaRefused, OpaUndefined):  # an older Warden's policy refuses a path that it does not know
        shipped = {}
    return merge_frameworks(shipped, own if isinstance(own, dict) and _is_table(own) else {})


def _is_table(data: Any) -> bool:
    """Whether a site's data is of the form: an OPA may have it from a bundle in which nobody checked it."""
    frameworks = [framework.get("controls") if isinstance(framework, dict) else None for framework in data.values()]
    return all(isinstance(table, dict) and all(isinstance(row, dict) for row in table.values()) for table in frameworks)


def _read_site(client: "OpaClient") -> dict[str, Any]:
    try:
        data: dict[str, Any] = client.get_data(["site"])
    except (OpaEvaluationError, OpaRefused, OpaUndefined):  # what a rule of it does without an input is not known
        return {}
    return data
