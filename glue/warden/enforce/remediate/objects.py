"""The objects as they are stored, and those of them that a decision is due about. Pure."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

__all__ = ["Key", "KubernetesObject", "WatchedObjects", "get_namespace"]

Key = tuple[str, ...]
"""The plural of an object's type, its namespace where it has one, and its name."""
KubernetesObject = dict[str, Any]
"""An object as the API server has it."""


def get_namespace(key: Key) -> str:
    """Return the namespace of an object, "" for one without."""
    return key[1] if len(key) > 2 else ""


class WatchedObjects:
    """All objects that are watched.

    Args:
        except_namespaces: Namespaces whose objects are left alone.
    """

    def __init__(self, except_namespaces: Collection[str] = ()) -> None:
        self._except = frozenset(except_namespaces)
        self._objects: dict[Key, KubernetesObject] = {}
        self._due: dict[Key, None] = {}  # in order

    def __len__(self) -> int:
        return len(self._objects)

    def __getitem__(self, key: Key) -> KubernetesObject:
        return self._objects[key]

    def __contains__(self, key: Key) -> bool:
        return key in self._objects

    def __iter__(self) -> Iterator[Key]:
        return iter(self._objects)

    @property
    def due(self) -> int:
        """How many objects a decision is due about."""
        return len(self._due)

    def load(self, objects: Iterable[tuple[Key, KubernetesObject]]) -> None:
        """Take a whole list; a decision is due about those that are new or of another version."""
        before, self._objects = self._objects, {key: obj for key, obj in objects if self._is_included(key)}
        self._due = {key: None for key in self._due if key in self._objects}
        self.mark_due(key for key, obj in self._objects.items() if _get_version(before.get(key)) != _get_version(obj))

    def follow(self, came: Mapping[Key, KubernetesObject | None]) -> None:
        """Take what a watch brought, None for what is gone; a version that is here already is nothing new."""
        for key, obj in came.items():
            if obj is None:
                self.forget(key)
            elif self._is_included(key) and _is_newer(obj, self._objects.get(key)):
                self._objects[key] = obj
                self._due[key] = None

    def replace(self, key: Key, obj: KubernetesObject) -> None:
        """Take an object as a patch of ours has left it: no decision is due, and its coming back is no change."""
        self._objects[key] = obj
        self._due.pop(key, None)

    def forget(self, key: Key) -> None:
        """Take an object for gone."""
        self._objects.pop(key, None)
        self._due.pop(key, None)

    def mark_due(self, keys: Iterable[Key]) -> None:
        """Note that a decision is due about some objects."""
        self._due |= {key: None for key in keys if key in self._objects}

    def mark_all_due(self) -> None:
        """Note that a decision is due about every object."""
        self.mark_due(list(self._objects))

    def is_due(self, key: Key) -> bool:
        """Whether a decision is due about an object."""
        return key in self._due

    def iter_due(self, is_wanted: Callable[[str], bool]) -> Iterator[Key]:
        """Yield the objects to decide about whose namespace is wanted."""
        return (key for key in self._due if is_wanted(get_namespace(key)))

    def peek_due(self, count: int, is_wanted: Callable[[str], bool] = lambda _: True) -> dict[Key, KubernetesObject]:
        """Return the next objects to decide about, of namespaces that are wanted; due until `mark_decided`."""
        return {key: self._objects[key] for key in islice(self.iter_due(is_wanted), count)}

    def put_last(self, key: Key) -> None:
        """Let all others come first."""
        if key in self._due:
            self._due[key] = self._due.pop(key)

    def mark_decided(self, keys: Iterable[Key]) -> None:
        """Note that a decision was made about some objects."""
        for key in keys:
            self._due.pop(key, None)

    def _is_included(self, key: Key) -> bool:
        return len(key) < 3 or key[1] not in self._except  # of a plural, a namespace and a name


def _get_version(obj: KubernetesObject | None) -> tuple[Any, Any] | None:
    return (obj["metadata"].get("uid"), obj["metadata"].get("resourceVersion")) if obj else None


def _is_newer(obj: KubernetesObject, known: KubernetesObject | None) -> bool:
    """Whether an object is not the one that is known, nor an earlier version of it that a watch brings late."""
    if known is None or obj["metadata"].get("uid") != known["metadata"].get("uid"):
        return True
    new, old = str(obj["metadata"].get("resourceVersion")), str(known["metadata"].get("resourceVersion"))
    return int(new) > int(old) if new.isdecimal() and old.isdecimal() else new != old
