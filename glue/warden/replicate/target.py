"""Reads and writes of one replica in OPA, always in one transaction with its meta."""

import json
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from warden.errors import OpaUndefined
from warden.opa.client import OpaClient
from warden.replicate.patch import Operation, operations, pointer

__all__ = ["Target"]


class Target:
    """The part of OPA's data that one source owns.

    `patch` is fenced: it changes nothing unless the replica is still the one that this writer swapped in. OPA has no
    operation "test", but "replace" of what is not there undoes the whole patch: so the writer's name is replaced first.

    Args:
        client: A client of OPA, with the replicator's token.
        root: Where the document stands.
        meta: Where its meta stands: below the root, or beside it.
        writer: This replicator's name, unlike any other's.
    """

    def __init__(self, client: OpaClient, root: Sequence[str], meta: Sequence[str], writer: str) -> None:
        self._client, self._root, self._meta, self._writer = client, tuple(root), tuple(meta), writer
        self._base = _common(self._root, self._meta)
        self._written: dict[str, Any] = {}

    def meta(self) -> dict[str, Any] | None:
        """Return the meta of the replica, None where there is none.

        Raises:
            OpaError: OPA does not answer.
        """
        meta = self.part(self._meta[len(self._base) :], self._base)
        return meta if isinstance(meta, dict) else None

    def part(self, path: Sequence[str], base: Sequence[str] | None = None) -> Any:
        """Return what is at a path below the root, None where there is nothing.

        Raises:
            OpaError: OPA does not answer.
        """
        try:
            return self._client.get_data((*(self._root if base is None else base), *path))
        except OpaUndefined:
            return None

    def swap(self, document: Mapping[str, Any], meta: Mapping[str, Any]) -> int:
        """Replace the replica and its meta by one write, and return the number of bytes sent.

        Raises:
            OpaError: OPA did not take it; the old replica may still be there, or the new one already.
        """
        signed = self._signed(meta)
        if self._base == self._root:
            sent = self._client.put_data(self._root, {**document, **_nested(self._meta[len(self._root) :], signed)})
        else:
            self._make_way()
            sent = self._client.patch_data(
                self._base,
                [
                    {"op": "add", "path": self._pointer(self._root), "value": document},
                    {"op": "add", "path": self._pointer(self._meta), "value": signed},
                ],
            )
        self._written = signed
        return sent

    def patch(self, changes: Sequence[Operation], meta: Mapping[str, Any]) -> int:
        """Change the replica and its meta by one write, and return the number of bytes sent.

        Args:
            changes: Operations whose paths begin at the root.
            meta: The whole new meta; what differs from the last one is written.

        Raises:
            OpaUndefined: The replica is not the one that was written last: OPA was restarted, or somebody else writes.
            OpaError: OPA did not take it, or did and could not say so.
        """
        signed = self._signed(meta)
        above, prefix = self._meta[len(self._base) :], self._pointer(self._root)
        fence = {
            "op": "replace",
            "path": self._pointer((*self._meta, "writer", self._writer)),
            "value": meta["revision"],
        }
        operations_of_meta = operations(above, {**self._written, "writer": {}}, {**signed, "writer": {}})
        sent = self._client.patch_data(
            self._base,
            [fence, *({**change, "path": prefix + change["path"]} for change in changes), *operations_of_meta],
        )
        self._written = signed
        return sent

    def owns(self, meta: Mapping[str, Any] | None) -> bool:
        """Return whether a replica with this meta is the one that was written last."""
        return meta is not None and meta.get("writer") == self._written.get("writer", "") and bool(self._written)

    def release(self) -> None:
        """Take this writer's name off the replica, so that another writer may go on at once.

        Raises:
            OpaError: OPA did not take it.
        """
        path = self._pointer((*self._meta, "writer", self._writer))
        self._client.patch_data(self._base, [{"op": "remove", "path": path}])

    def _signed(self, meta: Mapping[str, Any]) -> dict[str, Any]:
        whole: dict[str, Any] = json.loads(json.dumps({**meta, "writer": {self._writer: meta["revision"]}}))
        return whole

    def _make_way(self) -> None:
        """A patch makes no mappings on its way; a PUT does, and leaves what is beside it alone."""
        for path in (self._root, self._meta):
            if self.part(path[len(self._base) :], self._base) is None:
                self._client.put_data(path, {})

    def _pointer(self, path: Sequence[str]) -> str:
        return pointer(path[len(self._base) :])


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return tuple(piece for piece, _ in same)


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value
