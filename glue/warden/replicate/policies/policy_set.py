"""The policies and data in ConfigMaps, as one set: what goes to OPA, and what is wrong with keys. Pure."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from warden.errors import InputError
from warden.files.yaml_files import read_each_document

__all__ = ["Place", "PolicySet", "policy_id", "read_set"]

Place = tuple[str, str]
"""Namespace and name of a ConfigMap."""

_ROOT: Final = "configmaps"
_DATA: Final = (".json", ".yaml")
# Kubernetes puts it into every namespace by itself: it says nothing of policies.
_FOREIGN: Final = frozenset({"kube-root-ca.crt"})


@dataclass(frozen=True)
class PolicySet:
    """What ConfigMaps say together.

    Args:
        modules: Rego by policy id.
        data: Documents by namespace, name and key without its ending, as they go to ``data.site.configmaps``.
        problems: Sentences by ConfigMap; where there is any, nothing of the set may be loaded.
        places: All ConfigMaps.
    """

    modules: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)
    problems: Mapping[Place, tuple[str, ...]] = field(default_factory=dict)
    places: frozenset[Place] = frozenset()

    def marker(self) -> dict[str, Any]:
        """Return what ``data.site.loaded`` says once OPA has all of it: hashes of policies by id, and of the data."""
        policies = {id: _hash(source) for id, source in sorted(self.modules.items())}
        return {"complete": True, "policies": policies, "data": _hash(json.dumps(self.data, sort_keys=True))}

    def part(self, place: Place) -> Any:
        """Return what one ConfigMap contributes, to compare."""
        namespace, name = place
        start = policy_id(place, "")
        modules = {id: source for id, source in self.modules.items() if id.startswith(start)}
        return modules, self.data.get(namespace, {}).get(name)


def policy_id(place: Place, key: str) -> str:
    """Return the id that OPA has a policy under."""
    return f"{_ROOT}/{place[0]}/{place[1]}/{key}"


def read_set(config_maps: Iterable[Mapping[str, Any]]) -> PolicySet:
    """Return what ConfigMaps say together; Rego is not looked at yet."""
    modules: dict[str, str] = {}
    data: dict[str, Any] = {}
    problems: dict[Place, tuple[str, ...]] = {}
    places = set()
    for thing in config_maps:
        place = (str(thing["metadata"]["namespace"]), str(thing["metadata"]["name"]))
        if place[1] in _FOREIGN:
            continue
        places.add(place)
        sentences = [f"{key}: binaryData is not read: write it under data" for key in thing.get("binaryData") or {}]
        for key, text in sorted((thing.get("data") or {}).items()):
            stem, dot, ending = key.rpartition(".")
            if f"{dot}{ending}" == ".rego":
                modules[policy_id(place, key)] = text
            elif f"{dot}{ending}" not in _DATA:
                sentences.append(f"{key}: ends in none of .rego, .json and .yaml: rename it, or keep it elsewhere")
            elif stem in (below := data.setdefault(place[0], {}).setdefault(place[1], {})):
                sentences.append(f"{key}: another key is {stem} too: rename one")
            else:
                try:
                    below[stem] = _document(key, text)
                except InputError as error:
                    sentences.append(str(error))
        if sentences:
            problems[place] = tuple(sentences)
    return PolicySet(modules, data, problems, frozenset(places))


def _document(key: str, text: str) -> Any:
    if key.endswith(".json"):
        try:
            return json.loads(text, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            raise InputError(f"{key}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
        except RecursionError as error:
            raise InputError(f"{key}: nested too deeply") from error
    documents = list(read_each_document(text.encode(), Path(key)))
    if len(documents) != 1:
        raise InputError(f"{key}: {len(documents)} documents: write one")
    if isinstance(documents[0], Exception):
        raise documents[0]
    return documents[0].value


def _no_constant(name: str) -> Any:
    raise json.JSONDecodeError(f"{name} is no number of JSON", name, 0)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
