"""Reads and writes of one replica in OPA, in one transaction with its meta or marked by it as incomplete."""

import json
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

from warden.base.errors import OpaUndefined
from warden.policy.opa.client import OpaClient
from warden.policy.opa.item_size import MAX_PART_BYTES, measure_json
from warden.state.replicate.parts import is_small, iter_parts
from warden.state.replicate.patch import Operation, format_pointer, iter_operations, nest

__all__ = ["Target"]


class Target:
    """The part of OPA's data that one source owns.

    `patch` is fenced: it changes nothing unless the replica is still the one that this writer swapped in. OPA has no
    operation "test", but "replace" of what is not there undoes the whole patch: so the writer's name is replaced first.

    What is larger than OPA reads in one request is written in parts. From the first to the last of them the meta says
    ``loading``, and policies take nothing of the cluster for known.

    Args:
        client: A client of OPA, with the replicator's token.
        root: Where the document stands.
        meta: Where its meta stands: below the root, or beside it.
        writer: This replicator's name, unlike any other's.
        most: Bytes of JSON in one request.
    """

    def __init__(
        self, client: OpaClient, root: Sequence[str], meta: Sequence[str], writer: str, most: int = MAX_PART_BYTES
    ) -> None:
        self._most = most
        self._client, self._root, self._meta, self._writer = client, tuple(root), tuple(meta), writer
        self._base = _find_common_prefix(self._root, self._meta)
        self._written: dict[str, Any] = {}

    def read_meta(self) -> dict[str, Any] | None:
        """Return the meta of the replica, None where there is none.

        Raises:
            OpaError: OPA does not answer.
        """
        meta = self.read_part(self._meta[len(self._base) :], self._base)
        return meta if isinstance(meta, dict) else None

    def read_part(self, path: Sequence[str], base: Sequence[str] | None = None) -> Any:
        """Return what is at a path below the root, None where there is nothing.

        Raises:
            OpaError: OPA does not answer.
        """
        try:
            return self._client.get_data((*(self._root if base is None else base), *path))
        except OpaUndefined:
            return None

    def read_entries(self, part: str | None) -> dict[str, Any] | None:
        """Return the entries of a part of the replica, by name; None where it has no such part.

        Raises:
            OpaError: OPA does not answer.
        """
        entries = None if part is None else self.read_part((part,))
        return entries if isinstance(entries, dict) else None

    def swap(self, document: Mapping[str, Any], meta: Mapping[str, Any]) -> int:
        """Replace the replica and its meta, and return the number of bytes sent.

        By one write where that is small enough. Otherwise a whole replica that OPA has goes on deciding until it is
        patched to the new one; where there is none, the new one is loaded in parts.

        Raises:
            OpaError: OPA did not take it; the old replica may still be there, or the new one already, or parts of it.
        """
        if measure_json(document) <= self._most:
            return self._put(document, self._sign_meta(meta))
        before = self._claim()
        if before is not None:
            # The meta stands in both, so that no operation replaces all that there is, and it too.
            same = {key: before[key] for key in self._meta[len(self._root) :][:1] if self._base == self._root}
            return self.patch(list(iter_operations((), before, {**document, **same})), meta)
        sent = self._put({}, {**self._sign_meta(meta), "loading": True})
        return sent + self.patch(
            [{"op": "add", "path": format_pointer((key,)), "value": part} for key, part in document.items()], meta
        )

    def patch(self, changes: Sequence[Operation], meta: Mapping[str, Any]) -> int:
        """Change the replica and its meta, and return the number of bytes sent.

        Args:
            changes: Operations whose paths begin at the root.
            meta: The whole new meta; what differs from the last one is written.

        Raises:
            OpaUndefined: The replica is not the one that was written last: OPA was restarted, or somebody else writes.
            OpaError: OPA did not take it, or did and could not say so.
        """
        signed = self._sign_meta(meta)
        prefix = self._format_pointer(self._root)
        of_root = [{**change, "path": prefix + change["path"]} for change in changes]
        sent = 0
        if "loading" in self._written or not is_small(of_root, self._most):
            if "loading" not in self._written:
                sent += self._write_behind_fence([], {**self._written, "loading": True}, meta)
            for part in iter_parts(of_root, self._most):
                sent += self._write_behind_fence(part, self._written, meta)
            of_root = []
        return sent + self._write_behind_fence(of_root, signed, meta)

    def owns(self, meta: Mapping[str, Any] | None) -> bool:
        """Return whether a replica with this meta is the one that was written last."""
        return meta is not None and meta.get("writer") == self._written.get("writer", "") and bool(self._written)

    def release(self) -> None:
        """Take this writer's name off the replica, so that another writer may go on at once.

        Raises:
            OpaError: OPA did not take it.
        """
        path = self._format_pointer((*self._meta, "writer", self._writer))
        self._client.patch_data(self._base, [{"op": "remove", "path": path}])

    def _put(self, document: Mapping[str, Any], signed: dict[str, Any]) -> int:
        """Replace the replica and its meta by one write."""
        if self._base == self._root:
            sent = self._client.put_data(self._root, {**document, **nest(self._meta[len(self._root) :], signed)})
        else:
            self._create_missing_mappings()
            sent = self._client.patch_data(
                self._base,
                [
                    {"op": "add", "path": self._format_pointer(self._root), "value": document},
                    {"op": "add", "path": self._format_pointer(self._meta), "value": signed},
                ],
            )
        self._written = signed
        return sent

    def _write_behind_fence(self, changes: Sequence[Operation], signed: dict[str, Any], meta: Mapping[str, Any]) -> int:
        """Make changes and write a meta, unless the replica is another writer's."""
        above = self._meta[len(self._base) :]
        fence = {
            "op": "replace",
            "path": self._format_pointer((*self._meta, "writer", self._writer)),
            "value": meta["revision"],
        }
        operations_of_meta = iter_operations(above, {**self._written, "writer": {}}, {**signed, "writer": {}})
        sent = self._client.patch_data(self._base, [fence, *changes, *operations_of_meta])
        self._written = signed
        return sent

    def _claim(self) -> dict[str, Any] | None:
        """Return the replica that OPA has, and be its writer from now on; None where there is no whole one."""
        meta = self.read_meta()
        if not meta or "loading" in meta or not isinstance(meta.get("writer"), dict):
            return None
        writer = {self._writer: meta.get("revision")}
        try:
            self._client.patch_data(
                self._base, [{"op": "replace", "path": self._format_pointer((*self._meta, "writer")), "value": writer}]
            )
        except OpaUndefined:
            return None
        # Nobody else changes it from here on: a patch of the writer before is undone.
        document, written = self.read_part(()), self.read_meta()
        if not isinstance(document, dict) or written is None or written.get("writer") != writer:
            return None
        self._written = written
        return document

    def _sign_meta(self, meta: Mapping[str, Any]) -> dict[str, Any]:
        whole: dict[str, Any] = json.loads(json.dumps({**meta, "writer": {self._writer: meta["revision"]}}))
        return whole

    def _create_missing_mappings(self) -> None:
        """A patch makes no mappings on its way; a PUT does, and leaves what is beside it alone."""
        for path in (self._root, self._meta):
            if self.read_part(path[len(self._base) :], self._base) is None:
                self._client.put_data(path, {})

    def _format_pointer(self, path: Sequence[str]) -> str:
        return format_pointer(path[len(self._base) :])


def _find_common_prefix(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    same = takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    return tuple(piece for piece, _ in same)
