"""Contents of one ConfigMap: policies, data, and faults of its keys. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

import yaml

from warden.base.errors import InputError
from warden.base.files.json_files import parse_json
from warden.base.files.yaml_files import iter_yaml_documents
from warden.base.files.yaml_loader import StrictLoader, UnfitYaml

__all__ = ["LAST_GOOD", "ObjectKey", "PolicyText", "build_policy_id", "get_object_key", "is_policy", "read_text"]

ObjectKey = tuple[str, str]
"""Namespace and name of a ConfigMap."""
LAST_GOOD: Final = "warden.io/last-good"
"""Label of a ConfigMap that keeps another's last good text; its value is the uid of the other."""

_ROOT: Final = "configmaps"
_DATA: Final = (".json", ".yaml")
_MAX_BYTES: Final = 4 << 20  # of JSON, about: no less than 1 MiB of YAML without aliases, which is all a ConfigMap has
# Kubernetes puts it into every namespace by itself: it says nothing of policies.
_FOREIGN: Final = frozenset({"kube-root-ca.crt"})


@dataclass(frozen=True)
class PolicyText:
    """What one ConfigMap says.

    Args:
        place: Of the ConfigMap.
        uid: Of the ConfigMap: another of the same name is another one.
        keys: Its data as it is.
        modules: Rego by policy id.
        data: Documents by key without its ending.
        problems: What is wrong with its keys; where there is any, nothing of it may be loaded.
    """

    place: ObjectKey
    uid: str
    keys: Mapping[str, str] = field(default_factory=dict)
    modules: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """Hash of its data, and of what is wrong with it."""
        text = json.dumps([self.keys, self.problems], sort_keys=True)
        return sha256(text.encode()).hexdigest()[:32]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PolicyText) and (self.place, self.uid, self.digest) == (
            other.place,
            other.uid,
            other.digest,
        )

    def __hash__(self) -> int:
        return hash((self.place, self.uid, self.digest))


def build_policy_id(place: ObjectKey, key: str) -> str:
    """Return the path of a policy in the bundle, by which OPA names it."""
    return f"{_ROOT}/{place[0]}/{place[1]}/{key}"


def get_object_key(config_map: Mapping[str, Any]) -> ObjectKey:
    """Return namespace and name of a ConfigMap."""
    return str(config_map["metadata"]["namespace"]), str(config_map["metadata"]["name"])


def is_policy(config_map: Mapping[str, Any]) -> bool:
    """Whether a ConfigMap in a namespace of policies is one with policies: not Kubernetes' own, and not a kept text."""
    metadata = config_map["metadata"]
    return metadata["name"] not in _FOREIGN and LAST_GOOD not in (metadata.get("labels") or {})


def read_text(config_map: Mapping[str, Any], place: ObjectKey | None = None, uid: str | None = None) -> PolicyText:
    """Return what a ConfigMap says; Rego is not looked at yet.

    Args:
        config_map: The ConfigMap.
        place, uid: Of the ConfigMap whose text it keeps; its own where none is given.
    """
    place = place or get_object_key(config_map)
    uid = uid if uid is not None else str(config_map["metadata"].get("uid", ""))
    keys: Mapping[str, str] = config_map.get("data") or {}
    modules: dict[str, str] = {}
    data: dict[str, Any] = {}
    loader = _build_loader()
    problems = [f"{key}: binaryData is not read: write it under data" for key in config_map.get("binaryData") or {}]
    for key, text in sorted(keys.items()):
        stem, dot, ending = key.rpartition(".")
        if key.startswith("."):
            problems.append(f"{key}: begins with a dot: name it as in rules.rego or days.yaml")
        elif f"{dot}{ending}" == ".rego":
            modules[build_policy_id(place, key)] = text
        elif f"{dot}{ending}" not in _DATA:
            problems.append(f"{key}: ends in none of .rego, .json and .yaml: rename it, or keep it elsewhere")
        elif stem in data:
            problems.append(f"{key}: another key is {stem} too: rename one")
        else:
            try:
                data[stem] = _parse_document(key, text, loader)
            except InputError as error:
                problems.append(str(error))
    return PolicyText(place, uid, keys, modules, data, tuple(problems))


def _parse_document(key: str, text: str, loader: type[StrictLoader]) -> Any:
    if key.endswith(".json"):
        return parse_json(text.encode(), key, "the data of policies")
    documents = list(islice(iter_yaml_documents(text.encode(), Path(key), loader=loader), 2))
    if len(documents) != 1:
        raise InputError(f"{key}: {'several documents' if documents else 'no document'}: write one")
    if isinstance(documents[0], Exception):
        raise documents[0]
    return documents[0].value


def _build_loader() -> type[StrictLoader]:
    """A loader of all YAML of one ConfigMap, which measures it before it makes values of it."""
    left = _MAX_BYTES

    class Loader(StrictLoader):
        def compose_document(self) -> yaml.Node:
            nonlocal left
            node: yaml.Node = super().compose_document()
            left -= _measure(node, {})
            if left < 0:
                sentence = (
                    f"with its aliases written out the YAML of this ConfigMap is more than {_MAX_BYTES >> 20} MiB of "
                    "JSON: name less by aliases"
                )
                raise UnfitYaml(None, None, sentence, node.start_mark)
            return node

    return Loader


def _measure(node: yaml.Node, measured: dict[yaml.Node, int]) -> int:
    """About how many bytes a node is as JSON with its aliases written out, each node looked at once."""
    size = measured.get(node)
    if size is None:
        if isinstance(node, yaml.ScalarNode):
            size = len(json.dumps(node.value)) + len(", ")
        else:
            pairs = isinstance(node, yaml.MappingNode)
            below = [child for pair in node.value for child in pair] if pairs else node.value
            size = len("{}, ") + sum(_measure(child, measured) for child in below)
        measured[node] = size
    return size
