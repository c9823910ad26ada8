"""The policies of ConfigMaps as one bundle, which OPA takes as a whole or not at all. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from warden.policy.bundle.unsigned import pack_files
from warden.state.config_map_policies.entry import choose_group
from warden.state.config_map_policies.policy_set import ObjectKey, PolicyText

__all__ = ["PolicyBundle", "list_closed_namespaces", "pack_policies"]

# OPA refuses it beside a bundle that has a site's own rules.
_ROOTS: Final = ["site/configmaps", "site/loaded", "site/placement", "site/tenants"]


@dataclass(frozen=True)
class PolicyBundle:
    """What OPA fetches.

    Args:
        revision: Hash of what is in it.
        content: The file.
    """

    revision: str
    content: bytes


def list_closed_namespaces(
    scopes: Mapping[str, str],
    newest: Mapping[str, Mapping[ObjectKey, PolicyText] | None],
    in_force: Mapping[ObjectKey, PolicyText],
) -> dict[str, list[str]]:
    """Return about what nothing can be decided, the fleet (``*``) or a namespace, with the ConfigMaps to mend.

    There are ConfigMaps about it, and no text of any is in force; or its namespace cannot be read, which has none.

    Args:
        scopes: By namespace what its policies may be about.
        newest: By namespace what ConfigMaps say; None where that is not known.
        in_force: What of them is in force.
    """
    closed: dict[str, list[str]] = {}
    for scope in sorted({choose_group(*pair) for pair in scopes.items()}):
        namespaces = [name for name, about in scopes.items() if choose_group(name, about) == scope]
        places = sorted(place for name in namespaces for place in newest[name] or {})
        unknown = [name for name in namespaces if newest[name] is None]
        if unknown or (places and not any(place in in_force for place in places)):
            closed[scope] = unknown or ["/".join(place) for place in places]
    return closed


def pack_policies(
    in_force: Mapping[ObjectKey, PolicyText], scopes: Mapping[str, str], closed: Mapping[str, list[str]]
) -> PolicyBundle:
    """Return the bundle of what is in force.

    Args:
        in_force: The texts.
        scopes: By namespace what its policies may be about.
        closed: As of `list_closed_namespaces`.
    """
    modules = {id: source for text in in_force.values() for id, source in sorted(text.modules.items())}
    data: dict[str, dict[str, Any]] = {}
    for (namespace, name), text in sorted(in_force.items()):
        if text.data:
            data.setdefault(namespace, {})[name] = text.data
    loaded: dict[str, Any] = {
        "policies": {id: _hash(source) for id, source in sorted(modules.items())},
        "data": _hash(json.dumps(data, sort_keys=True)),
        "namespaces": dict(scopes),
        "closed": dict(closed),
    }
    loaded["revision"] = revision = _hash(json.dumps(loaded, sort_keys=True))
    manifest = {"revision": revision, "roots": _ROOTS, "rego_version": 1}
    files = {
        ".manifest": json.dumps(manifest),
        "data.json": json.dumps({"site": {"configmaps": data, "loaded": loaded}}, allow_nan=False),
        **modules,
    }
    return PolicyBundle(revision, pack_files({name: text.encode() for name, text in files.items()}, compresslevel=1))


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:32]
