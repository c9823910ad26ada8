"""The objects by which a target knows where others run: what is there, against what is to be. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from warden.enforce.remediate.objects import Key, KubernetesObject, WatchedObjects
from warden.enforce.remediate.remediation import Remediation
from warden.policy.bundle.catalog import read_catalog
from warden.state.sources.kubernetes.live import ObjectSelector

__all__ = ["CarrierIndex", "is_same_spec", "list_carriers"]

_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})


def list_carriers(target: str) -> tuple[ObjectSelector, ...]:
    """Return the types of a target's carriers, as the catalogue has it; nothing for annotations."""
    rows = read_catalog("placement")["carriers"].get(target, ())
    return tuple(ObjectSelector(row["apiVersion"], row["kind"]) for row in rows)


class CarrierIndex:
    """All objects of a target's types, and which object each of ours is about."""

    def __init__(self) -> None:
        self._plurals: dict[str, str] = {}  # by kind
        self._objects = WatchedObjects()
        self._about: dict[Key, Key] = {}
        self._labels = read_catalog("placement")["carrierLabels"]
        self._owned: dict[str, Key] = {}  # by the uid of the object that owns it
        self._left: dict[Key, tuple[KubernetesObject, Any]] = {}  # what was applied, and the spec that came of it

    def load(self, plurals: Mapping[str, str], objects: Iterable[tuple[Key, KubernetesObject]]) -> set[Key]:
        """Take a whole list, and return about which objects a decision is due for it.

        Args:
            plurals: Of the target's types, by kind.
            objects: What is there, by key.
        """
        self._plurals = dict(plurals)
        before = set(self._objects)
        self._objects.load(objects)
        self._note_owners(self._objects)
        return self._take_due() | self._take_gone(before - set(self._objects))

    def follow(self, came: Mapping[Key, KubernetesObject | None]) -> set[Key]:
        """Take what a watch brought, and return about which objects a decision is due for it."""
        gone = {key for key, obj in came.items() if obj is None}
        self._objects.follow(came)
        self._note_owners(came)
        return self._take_due() | self._take_gone(gone)

    def replace(self, key: Key, obj: KubernetesObject, manifest: KubernetesObject) -> None:
        """Take one as we have left it by applying a manifest: its coming back is no change."""
        self._objects.replace(key, obj)
        self._note_owners([key])
        self._left[key] = (manifest, obj.get("spec"))

    def find_carrier(self, obj: KubernetesObject) -> KubernetesObject | None:
        """Return what the target has for an object, as it is there; None where it has nothing of ours."""
        key = self._owned.get(str(obj["metadata"].get("uid")), ())
        return self._objects[key] if key in self._objects else None  # noqa: SIM401 - it has no get

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
        if not _has_labels(present, metadata["labels"]):
            error = f"{wanted.manifest['kind']} {'/'.join(key[1:])} is there and was not made here: it stays as it is"
            return replace(wanted, manifest=None, errors=(error,))
        if present["metadata"].get("deletionTimestamp") or self._is_kept(key, wanted.manifest):
            return wanted
        return replace(wanted, patch=wanted.manifest, carrier=key, present=present)

    def _is_kept(self, key: Key, manifest: KubernetesObject) -> bool:
        """Whether what is there is what a manifest says, or what has come of applying that very one."""
        present = self._objects[key]
        if present["metadata"].get("ownerReferences") != manifest["metadata"]["ownerReferences"]:
            return False
        return self._left.get(key) == (manifest, present.get("spec")) or is_same_spec(present, manifest)

    def _take_due(self) -> set[Key]:
        due = list(self._objects.peek_due(self._objects.due))
        self._objects.mark_decided(due)
        return {self._about[key] for key in due if key in self._about}

    def _take_gone(self, gone: Iterable[Key]) -> set[Key]:
        """Forget what carriers that are gone were about: the decision that is due says anew which are to be."""
        gone = set(gone)
        if gone:
            self._owned = {uid: key for uid, key in self._owned.items() if key not in gone}
        for key in gone:
            self._left.pop(key, None)
        return {self._about.pop(key) for key in gone if key in self._about}

    def _note_owners(self, keys: Iterable[Key]) -> None:
        """Note which objects own some carriers that have our labels."""
        for key in keys:
            if key in self._objects and _has_labels(self._objects[key], self._labels):
                owners = self._objects[key]["metadata"].get("ownerReferences") or ()
                self._owned |= {str(owner.get("uid")): key for owner in owners}


def is_same_spec(stored: KubernetesObject, sent: KubernetesObject) -> bool:
    """Whether the spec of a stored carrier is the one that was sent, but for what a target has by default.

    The catalogue has these defaults; what is empty is as good as missing.
    """
    row = {"apiVersion": sent["apiVersion"], "kind": sent["kind"]}
    carriers = [one for rows in read_catalog("placement")["carriers"].values() for one in rows]
    defaults: Mapping[str, Any] = next((one.get("defaults", {}) for one in carriers if row.items() <= one.items()), {})
    return _is_same(stored.get("spec"), sent.get("spec"), defaults)


def _is_same(stored: Any, sent: Any, defaults: Any) -> bool:
    if stored in _EMPTY and sent in _EMPTY:
        return True
    if isinstance(sent, list):
        pairs = zip(stored, sent, strict=True) if isinstance(stored, list) and len(stored) == len(sent) else None
        return pairs is not None and all(_is_same(one, other, defaults) for one, other in pairs)
    if isinstance(stored, Mapping) and isinstance(sent, Mapping | None):
        sent, below = sent or {}, defaults if isinstance(defaults, Mapping) else {}
        return all(_is_same(stored.get(name), sent.get(name), below.get(name)) for name in stored.keys() | sent.keys())
    return bool(stored == (defaults if sent is None else sent))


def _has_labels(obj: KubernetesObject, labels: Mapping[str, str]) -> bool:
    return labels.items() <= (obj["metadata"].get("labels") or {}).items()
