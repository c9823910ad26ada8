"""Contents of source files: Kubernetes manifests, a Kafka cluster's state, or a snapshot directory."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from warden.base.errors import InputError
from warden.state.snapshot.layout import FORMATS, SnapshotPartition, parse_day
from warden.state.sources.files.documents import Files, iter_documents, list_files, read_stamps
from warden.state.sources.kubernetes.cluster_index import CLUSTER_INDEX, ClusterIndex, read_cluster_types
from warden.state.sources.kubernetes.types import guess_plural

__all__ = ["FileReader", "ManifestFiles", "SnapshotFiles", "SourceContents", "StateFiles"]


@dataclass(frozen=True)
class SourceContents:
    """A document that was read from files.

    Args:
        document: As `warden.state.sources.source.Source.load` returns it.
        details: What else is known for its meta.
        observed: When it was true, where the files say so.
    """

    document: dict[str, Any]
    details: Mapping[str, Any] = field(default_factory=dict)
    observed: datetime | None = None


class FileReader(Protocol):
    """One way to read files; `InputError` says what is wrong with which file."""

    @property
    def path(self) -> Path: ...

    def list_files(self) -> Files:
        """Return the files, with what shows that they have changed."""

    def read(self, files: Files) -> SourceContents:
        """Return what the files hold."""


@dataclass(frozen=True)
class ManifestFiles:
    """Kubernetes objects, by plural, namespace where they have one, and name, as the API server would have them.

    Args:
        path: A file or directory.
        index: Makes the index of clusters; None where there is to be none.
    """

    path: Path
    index: Callable[[], ClusterIndex] | None = None

    def list_files(self) -> Files:
        """See `FileReader`."""
        return list_files(self.path)

    def read(self, files: Files) -> SourceContents:
        """See `FileReader`."""
        document: dict[str, Any] = {}
        files_by_keys: dict[tuple[str, ...], Path] = {}
        types: dict[str, tuple[str, bool, Path]] = {}
        clusters = read_cluster_types()
        for path, manifest in _iter_objects(files):
            api_version, kind, metadata = manifest["apiVersion"], manifest["kind"], manifest["metadata"]
            key, space = guess_plural(kind), metadata.get("namespace")
            keys = (key, space, metadata["name"]) if space else (key, metadata["name"])
            if keys in files_by_keys:
                raise InputError(f"{path}: {kind} {'/'.join(keys[1:])} is in {files_by_keys[keys]} too: keep one")
            group, namespaced, first = types.setdefault(key, (_parse_group(api_version), bool(space), path))
            if (group, namespaced) != (_parse_group(api_version), bool(space)):
                raise InputError(
                    f"{path}: {kind} {'/'.join(keys[1:])} is of another group than {key} in {first}, or only one of "
                    "them has a namespace: give the namespace, or keep one group"
                )
            if space and key in clusters:
                raise InputError(
                    f"{path}: {kind} {'/'.join(keys[1:])} is read as a cluster, which has no namespace: leave it out"
                )
            files_by_keys[keys] = path
            below = document.setdefault(key, {})
            (below.setdefault(space, {}) if space else below)[metadata["name"]] = manifest
        if self.index is not None and not document.keys().isdisjoint(clusters):
            document[CLUSTER_INDEX] = self.index().load(document)
        return SourceContents(document)


@dataclass(frozen=True)
class StateFiles:
    """A Kafka cluster's state as in the contract, in one document or in several with different parts of it.

    Args:
        path: A file or directory.
    """

    path: Path

    def list_files(self) -> Files:
        """See `FileReader`."""
        return list_files(self.path)

    def read(self, files: Files) -> SourceContents:
        """See `FileReader`."""
        state: dict[str, Any] = {}
        for path, document in iter_documents(files):
            if not isinstance(document, dict):
                raise InputError(f"{path}: not a mapping: write parts of a cluster's state, such as topics:")
            for key, part in document.items():
                old = state.get(key)
                if key in state and not (
                    isinstance(old, dict) and isinstance(part, dict) and old.keys().isdisjoint(part)
                ):
                    raise InputError(
                        f"{path}: {key} has names that another file or document gives it too: keep each in one"
                    )
                state[key] = {**old, **part} if isinstance(old, dict) else part
        return _build_contents(self.path, state)


@dataclass(frozen=True)
class SnapshotFiles:
    """The newest day of a Kafka cluster in a snapshot directory, see `warden.state.snapshot.layout`.

    Args:
        path: The snapshot directory.
        cluster: Name of the cluster.
    """

    path: Path
    cluster: str

    def list_files(self) -> Files:
        """See `FileReader`."""
        newest = self._find_newest_partition()
        return read_stamps([newest.build_file_path("clusters"), newest.build_file_path("topics")])

    def read(self, files: Files) -> SourceContents:
        """See `FileReader`."""
        from warden.state.snapshot.directory import read_partition

        return _build_contents(self.path, read_partition(self._find_newest_partition()))

    def _find_newest_partition(self) -> SnapshotPartition:
        for day in sorted((self.path / "clusters").glob("day=*"), reverse=True):
            for format in FORMATS:
                partition = SnapshotPartition(self.path, self.cluster, parse_day(day), format)
                if partition.build_file_path("clusters").is_file():
                    return partition
        raise InputError(f"{self.path}: holds no snapshot of cluster {self.cluster}: correct the path or the name")


def _iter_objects(files: Files) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path, document in iter_documents(files):
        items = document.get("items") if isinstance(document, dict) else None
        listed = items if isinstance(items, list) and str(document.get("kind")).endswith("List") else [document]
        for manifest in listed:
            metadata = manifest.get("metadata") if isinstance(manifest, dict) else None
            if not isinstance(metadata, dict) or not all(
                isinstance(value, str) and value
                for value in (manifest.get("apiVersion"), manifest.get("kind"), metadata.get("name"))
            ):
                raise InputError(
                    f"{path}: a document is no Kubernetes object: it has apiVersion, kind and metadata.name"
                )
            yield path, manifest


def _parse_group(api_version: str) -> str:
    return api_version.rpartition("/")[0]


def _build_contents(path: Path, state: dict[str, Any]) -> SourceContents:
    """The state's own meta tells how old it is; the rest of it goes on, but for where the state came from."""
    meta = state.pop("meta", None)
    meta = dict(meta) if isinstance(meta, dict) else {}
    meta.pop("source", None)
    stated = meta.pop("observedAt", None)
    if stated is None:
        return SourceContents(state, meta)
    try:
        observed = datetime.fromisoformat(stated)
    except (TypeError, ValueError):
        raise InputError(
            f"{path}: meta.observedAt {stated!r} is not a time: write one such as 2026-11-21T09:59:58Z, or leave it out"
        ) from None
    return SourceContents(state, meta, observed if observed.tzinfo else observed.replace(tzinfo=UTC))
