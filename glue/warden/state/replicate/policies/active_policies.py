"""Policies of all namespaces that are in force, and why the rest is not: each group of ConfigMaps by itself."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from warden.state.config_map_policies.entry import choose_group
from warden.state.config_map_policies.policy_set import ObjectKey, PolicyText, get_object_key, is_policy, read_text
from warden.state.replicate.policies.last_good import build_last_good_name, read_last_good
from warden.state.replicate.policies.resolve import Compile, Resolution, resolve

__all__ = ["ActivePolicies", "build_policy_status", "join_problems"]

_MAX_PROBLEMS: Final = 20
_MAX_CHARACTERS: Final = 400

Texts = Mapping[ObjectKey, PolicyText]
_Version = tuple[Any, ...]
ConfigMapsByNamespace = Mapping[str, Iterable[Mapping[str, Any]] | None]


@dataclass(frozen=True)
class _Contents:
    """What ConfigMaps say, and what is kept of them."""

    newest: Texts = field(default_factory=dict)
    kept: Texts = field(default_factory=dict)


@dataclass
class _Group:
    """ConfigMaps that may refer to each other: those about the fleet, or those of one namespace."""

    said: _Contents | None = None
    resolved: bool = False
    resolution: Resolution = field(default_factory=Resolution)


class ActivePolicies:
    """Decides which text of each ConfigMap is in force, and remembers it.

    Args:
        scopes: By namespace what its policies may be about.
        compile: Returns what is wrong with modules together, by ConfigMap.
    """

    def __init__(self, scopes: Mapping[str, str], compile: Compile) -> None:
        self._compile = compile
        self._group_of = {name: choose_group(name, about) for name, about in scopes.items()}
        self._seen: dict[_Version, _Contents] = {}
        self._groups = {group: _Group() for group in self._group_of.values()}

    def prepare(self, config_maps: ConfigMapsByNamespace) -> None:
        """Have what ConfigMaps say now compiled, and forget what comes of it: `update` is quick then.

        Args:
            config_maps: As of `update`.
        """
        for group, said in self._iter_changes(config_maps):
            self._resolve(group, said)

    def update(self, config_maps: ConfigMapsByNamespace) -> None:
        """Take up what ConfigMaps say now.

        Args:
            config_maps: By namespace the ConfigMaps; None where they are not known, so that what was in force stays.
        """
        for group, said in self._iter_changes(config_maps):
            group.resolution = self._resolve(group, said)
            group.said, group.resolved = said, True

    def request_resolution(self) -> None:
        """Have the next `update` decide anew also about what says the same as before."""
        for group in self._groups.values():
            group.resolved = False

    def _iter_changes(self, config_maps: ConfigMapsByNamespace) -> Iterator[tuple[_Group, _Contents]]:
        self._seen, before = {}, self._seen
        for name, group in self._groups.items():
            lists = [config_maps[namespace] for namespace, group_name in self._group_of.items() if group_name == name]
            maps = [list(listed) for listed in lists if listed is not None]
            said = self._read([config_map for listed in maps for config_map in listed], before)
            if len(maps) == len(lists) and not (group.resolved and said == group.said):
                yield group, said

    def _read(self, config_maps: list[Mapping[str, Any]], before: Mapping[_Version, _Contents]) -> _Contents:
        """Return what ConfigMaps say; each version of one is read once."""
        newest: dict[ObjectKey, PolicyText] = {}
        kept: dict[ObjectKey, PolicyText] = {}
        for config_map in config_maps:
            metadata = config_map["metadata"]
            version = (*get_object_key(config_map), metadata.get("uid"), metadata.get("resourceVersion"))
            said = before.get(version) if version[3] else None
            self._seen[version] = said = said or _read(config_map)
            newest |= said.newest
            kept |= said.kept
        return _Contents(newest, kept)

    def _resolve(self, group: _Group, said: _Contents) -> Resolution:
        newest, good = said.newest, dict(group.resolution.in_force)
        for place, text in said.kept.items():
            # After a restart; and what another replicator has in force already, so that all come to the same.
            if place not in good or text == newest.get(place):
                good[place] = text
        good = {place: text for place, text in good.items() if place in newest and newest[place].uid == text.uid}
        in_force = group.resolution.modules  # which stays, also where OPA is too slow now to say that it may

        def compile(modules: Mapping[str, str]) -> Mapping[ObjectKey, tuple[str, ...]]:
            return {} if modules == in_force else self._compile(modules)

        return resolve(newest, good, compile)

    @property
    def texts(self) -> Texts:
        """What is in force, of all ConfigMaps."""
        return {place: text for group in self._groups.values() for place, text in group.resolution.in_force.items()}

    @property
    def problems(self) -> Mapping[ObjectKey, tuple[str, ...]]:
        """Why the newest text of a ConfigMap is not in force."""
        return {place: why for group in self._groups.values() for place, why in group.resolution.problems.items()}

    @property
    def newest(self) -> dict[str, Texts | None]:
        """By namespace what ConfigMaps say; None where it is not known."""
        return {
            namespace: self._select_newest(namespace, self._groups[group])
            for namespace, group in self._group_of.items()
        }

    def _select_newest(self, namespace: str, group: _Group) -> Texts | None:
        if group.said is None:
            return None
        return {place: text for place, text in group.said.newest.items() if place[0] == namespace}


def _read(config_map: Mapping[str, Any]) -> _Contents:
    kept = read_last_good(config_map)
    if kept is not None:
        return _Contents(kept={} if kept.problems else {kept.place: kept})
    return _Contents({get_object_key(config_map): read_text(config_map)}) if is_policy(config_map) else _Contents()


def build_policy_status(
    place: ObjectKey, in_force: Texts, problems: Mapping[ObjectKey, tuple[str, ...]]
) -> dict[str, str]:
    """Return what a ConfigMap says of itself."""
    if place not in problems:
        return {"status": "ok"}
    last = in_force.get(place)
    kept = (
        f"its last good text, sha256 {last.digest}, kept in ConfigMap {build_last_good_name(place[1])}"
        if last
        else "nothing"
    )
    return {"status": "error", "error": join_problems(problems[place]), "inForce": kept}


def join_problems(sentences: Sequence[str]) -> str:
    """Return what is wrong as one text, which is short enough for an annotation and a line of a log."""
    shown = [
        sentence if len(sentence) <= _MAX_CHARACTERS else f"{sentence[:_MAX_CHARACTERS]}…"
        for sentence in sentences[:_MAX_PROBLEMS]
    ]
    left_out = len(sentences) - len(shown)
    return "; ".join([*shown, *([f"… and {left_out} more"] if left_out else [])])
