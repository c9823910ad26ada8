"""Objects of manifests, and what the policy decides about each."""

import copy
import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from warden.base.errors import InputError
from warden.policy.contract.annotations import apply_response
from warden.policy.opa.client import OpaClient
from warden.state.sources.files.contents import ManifestFiles
from warden.state.sources.files.documents import iter_documents, list_files

__all__ = ["PlacedObject", "iter_objects", "place_objects", "read_clusters"]


@dataclass(frozen=True)
class PlacedObject:
    """An object and what was decided about it.

    Args:
        file: Where it stands.
        manifest: The object.
        decision: The neutral decision (``io/k8s/federation/placement``).
        admitted: The object as it would be stored; as it is where it is denied.
        errors: Why it is denied; none where it is allowed.
        warnings: Sentences to show.
    """

    file: Path
    manifest: dict[str, Any]
    decision: dict[str, Any]
    admitted: dict[str, Any]
    errors: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def name(self) -> str:
        """Kind, namespace and name, for people."""
        metadata = self.manifest.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        parts = [str(metadata[key]) for key in ("namespace", "name") if metadata.get(key)]
        return " ".join(part for part in (str(self.manifest.get("kind", "")), "/".join(parts)) if part)

    def format_diff(self) -> str:
        """Return what admission changes in the object, as a unified diff of YAML; empty where nothing does."""
        before, after = (_format_yaml(obj).splitlines(keepends=True) for obj in (self.manifest, self.admitted))
        return "".join(difflib.unified_diff(before, after, f"{self.file}: {self.name}", "admitted"))


def iter_objects(paths: Iterable[Path]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield every object of YAML and JSON files, or of those below directories, with its file; lists one by one.

    Raises:
        InputError: A file cannot be read, or holds what is not an object.
    """
    for path in paths:
        for file, document in iter_documents(list_files(path)):
            if not isinstance(document, dict):
                raise InputError(f"{file}: a document is not an object: write a Kubernetes manifest")
            listed = document.get("items") or () if document.get("kind") == "List" else None
            for manifest in listed if isinstance(listed, Sequence) else (document,):
                if not isinstance(manifest, dict):
                    raise InputError(f"{file}: an item of the List is not an object: write a Kubernetes manifest")
                if missing := [key for key in ("apiVersion", "kind", "metadata") if not manifest.get(key)]:
                    raise InputError(f"{file}: an object has no {' and '.join(missing)}: write a Kubernetes manifest")
                yield file, manifest


def read_clusters(path: Path) -> dict[str, Any]:
    """Return the cluster objects of manifests as a replicator would keep them in ``data.kubernetes``.

    Raises:
        InputError: They cannot be read, or are not manifests.
    """
    manifests = ManifestFiles(path)
    return manifests.read(manifests.list_files()).document


def place_objects(client: OpaClient, manifests: Iterable[tuple[Path, dict[str, Any]]]) -> Iterator[PlacedObject]:
    """Yield what is decided about each object, in order.

    Args:
        client: Of an OPA with Warden's bundle.
        manifests: Objects with their files, as of `iter_objects`.

    Raises:
        OpaError: OPA does not decide.
        InputError: Its response cannot be carried out.
    """
    for file, manifest in manifests:
        decision = client.evaluate("io/k8s/federation/placement", manifest)
        response = client.evaluate("io/k8s/federation/admission", manifest)
        errors, warnings = tuple(response.get("errors", ())), tuple(response.get("warnings", ()))
        yield PlacedObject(
            file, manifest, decision, manifest if errors else _admit(manifest, response), errors, warnings
        )


def _admit(manifest: dict[str, Any], response: Any) -> dict[str, Any]:
    after = copy.deepcopy(manifest)
    metadata = after["metadata"]
    annotations = apply_response(metadata.get("annotations"), response).values
    if annotations:
        metadata["annotations"] = annotations
    return after


def _format_yaml(manifest: dict[str, Any]) -> str:
    return str(yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True, width=10_000))
