"""The objects by which a target knows where others run: what is there, against what is to be. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from warden.enforce.remediate.objects import Key, KubernetesObject, WatchedObjects
from warden.enforce.remediate.remediation import Remediation
from warden.policy.bundle.catalog import read_catalog
from warden.state.sources.kubernetes.live import ObjectSelector

__all__ = ["CarrierIndex", "contains_all", "list_carriers"]

_ANNOTATION: Final = "annotation"


def list_carriers(target: str) -> tuple[ObjectSelector, ...]:
    """Return the types of a target's carriers, as the catalogue has it; nothing for annotations."""
    if target == _ANNOTATION:
        return ()
    rows = read_catalog("placement")["carriers"][target]
    return tuple(ObjectSelector(row["apiVersion"], row["kind"]) for row in rows)


class CarrierIndex:
    """All objects of a target's types, and which object each of ours is about."""

    def __init__(self) -> None:
        self._plurals: dict[str, str] = {}  # by kind
        self._objects = WatchedObjects()
        self._about: dict[Key, Key] = {}

    def load(self, plurals: Mapping[str, str], objects: Iterable[tuple[Key, KubernetesObject]]) -> set[Key]:
        """Take a whole list, and return about which objects a decision is due for it.

        Args:
            plurals: Of the target's types, by kind.
            objects: What is there, by key.
        """
        self._plurals = dict(plurals)
        before = set(self._objects)
        self._objects.load(objects)
        return self._take_due() | self._take_gone(before - set(self._objects))

    def follow(self, came: Mapping[Key, KubernetesObject | None]) -> set[Key]:
        """Take what a watch brought, and return about which objects a decision is due for it."""
        gone = {key for key, obj in came.items() if obj is None}
        self._objects.follow(came)
        return self._take_due() | self._take_gone(gone)

    def replace(self, key: Key, obj: KubernetesObject) -> None:
        """Take one as we have left it: its coming back is no change."""
        self._objects.replace(key, obj)

    def is_carrier(self, key: Key) -> bool:
        """Whether a key is of one of the target's types."""
        return key[0] in self._plurals.values()

    def compare(self, wanted: Remediation) -> Remediation:
        """Return a remediation with what is to be applied; with an error where somebody else has that name."""
        if wanted.manifest is None or wanted.errors:
            return wanted
        metadata = wanted.manifest["metadata"]
        names = (metadata.get("namespace"), metadata["name"])
        key = (self._plurals[wanted.manifest["kind"]], *(name for name in names if name))
        self._about[key] = wanted.key
        if key not in self._objects:
            return replace(wanted, patch=wanted.manifest, carrier=key)
        present = self._objects[key]
        if not contains_all(present["metadata"].get("labels") or {}, metadata["labels"]):
            error = f"{wanted.manifest['kind']} {'/'.join(key[1:])} is there and was not made here: it stays as it is"
            return replace(wanted, manifest=None, errors=(error,))
        if present["metadata"].get("deletionTimestamp") or contains_all(present, wanted.manifest):
            return wanted
        return replace(wanted, patch=wanted.manifest, carrier=key, present=present)

    def _take_due(self) -> set[Key]:
        due = list(self._objects.peek_due(self._objects.due))
        self._objects.mark_decided(due)
        return {self._about[key] for key in due if key in self._about}

    def _take_gone(self, gone: Iterable[Key]) -> set[Key]:
        """Forget what carriers that are gone were about: the decision that is due says anew which are to be."""
        return {self._about.pop(key) for key in gone if key in self._about}


def contains_all(stored: Any, sent: Any) -> bool:
    """Whether everything that was sent is stored; the API server may add what it has by default."""
    if isinstance(sent, Mapping):
        return isinstance(stored, Mapping) and all(
            name in stored and contains_all(stored[name], sent[name]) for name in sent
        )
    if isinstance(sent, list):
        return isinstance(stored, list) and len(stored) == len(sent) and all(map(contains_all, stored, sent))
    return bool(stored == sent)
