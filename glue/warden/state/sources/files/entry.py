"""An entry of the configuration file that describes files to replicate."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidationInfo, field_validator, model_validator

from warden.base.files.config_model import ConfigPath, Text, build_validation_error, require_one
from warden.policy.opa.client import OpaClient
from warden.state.sources.entry import SourceEntry

if TYPE_CHECKING:
    from warden.state.sources.files.source import FilesSource

__all__ = ["FilesEntry"]


class FilesEntry(SourceEntry):
    """Files to replicate: exactly one of ``manifests``, ``state`` and ``snapshot``.

    Args:
        manifests: A file or directory of Kubernetes objects, or
        state: a file or directory with a cluster's state, or
        snapshot: a snapshot directory.
        cluster: The Kafka cluster whose state it is; not with ``manifests``.
        cluster_index: Whether manifests of clusters get an index; with ``manifests`` only.
        name: In logs and metrics; None for the cluster's, or ``manifests``.
    """

    manifests: ConfigPath | None = None
    state: ConfigPath | None = None
    snapshot: ConfigPath | None = None
    cluster: Annotated[Text | None, Field(validate_default=True)] = None
    cluster_index: bool = True
    name: Text | None = None

    @model_validator(mode="before")
    @classmethod
    def _check_one(cls, value: Any) -> Any:
        return require_one(cls, value, "manifests", "state", "snapshot")

    @field_validator("cluster")
    @classmethod
    def _check_cluster(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is None and (info.data.get("state") or info.data.get("snapshot")):
            raise build_validation_error("is missing: write the name of a Kafka cluster")
        if value is not None and info.data.get("manifests"):
            raise build_validation_error("is not allowed beside manifests: leave it out")
        return value

    @field_validator("cluster_index")
    @classmethod
    def _check_cluster_index(cls, value: bool, info: ValidationInfo) -> bool:
        if info.data.get("state") or info.data.get("snapshot"):
            raise build_validation_error("is not allowed beside state and snapshot: leave it out")
        return value

    @property
    def root(self) -> tuple[str, ...]:
        """The place that the files' content has in OPA's data."""
        return ("clusters", self.cluster) if self.cluster else ("kubernetes",)

    def build_source(self, client: Callable[[], OpaClient]) -> "FilesSource":
        """Return the source.

        Args:
            client: Connects to the OPA that makes the index of clusters.
        """
        from warden.state.sources.files.contents import ManifestFiles, SnapshotFiles, StateFiles
        from warden.state.sources.files.source import FilesSource
        from warden.state.sources.kubernetes.cluster_index import build_index

        if self.manifests is not None:
            index = partial(build_index, client) if self.cluster_index else None
            manifests = ManifestFiles(self.manifests, index)
            return FilesSource(self.name or "manifests", self.root, manifests, depth=3, interval=self.interval)
        cluster = self.cluster or ""
        reader = (
            StateFiles(self.state) if self.state else SnapshotFiles(self.snapshot, cluster) if self.snapshot else None
        )
        if reader is None:
            raise TypeError("an entry without files")
        return FilesSource(self.name or cluster, self.root, reader, entries="topics", interval=self.interval)
