"""An entry of the configuration file that describes a Kubernetes API server to replicate."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import ConfigModel, ConfigPath, Text
from warden.policy.opa.client import OpaClient
from warden.state.sources.entry import SourceEntry

if TYPE_CHECKING:
    from warden.state.sources.kubernetes.live import ObjectSelector
    from warden.state.sources.kubernetes.source import KubernetesSource

__all__ = ["KubernetesEntry", "ResourceEntry"]

_GROUP_VERSION = r"^([a-z0-9.-]+/)?[a-z0-9]+\Z"


class ResourceEntry(ConfigModel):
    """Objects of one type; see `warden.state.sources.kubernetes.live.ObjectSelector`."""

    api_version: Annotated[str, Field(pattern=_GROUP_VERSION), Expected("v1, or a group and a version")]
    kind: Annotated[str, Field(pattern=r"^[A-Za-z0-9]+\Z"), Expected("a kind, such as ConfigMap")]
    namespace: str = ""
    label_selector: str = ""
    field_selector: str = ""
    key: Annotated[str, Field(alias="as", pattern=r"^[A-Za-z0-9.-]+\Z"), Expected("a name under data.kubernetes")] = ""

    def build_selector(self) -> "ObjectSelector":
        """Return what the source takes."""
        from warden.state.sources.kubernetes.live import ObjectSelector

        return ObjectSelector(
            api_version=self.api_version,
            kind=self.kind,
            namespace=self.namespace,
            label_selector=self.label_selector,
            field_selector=self.field_selector,
            key=self.key,
        )


class KubernetesEntry(SourceEntry):
    """An API server, and the objects of it to replicate.

    Args:
        name: In logs and metrics.
        kubeconfig: How to log in; None for the service account of the pod.
        context: The context of the kubeconfig; None for its current one.
        resources: Which objects.
        probe: Seconds of silence after which the API server is tried.
        cluster_index: Whether objects that are clusters get an index.
    """

    name: Text = "kubernetes"
    kubeconfig: ConfigPath | None = None
    context: str | None = None
    resources: Annotated[
        tuple[ResourceEntry, ...],
        Field(min_length=1),
        Expected("a list of types, such as {apiVersion: v1, kind: ConfigMap}"),
    ]
    probe: Annotated[float, Field(ge=0.5)] = 5.0
    cluster_index: bool = True

    @property
    def root(self) -> tuple[str, ...]:
        """The place that the objects have in OPA's data."""
        return ("kubernetes",)

    def build_source(self, client: Callable[[], OpaClient]) -> "KubernetesSource":
        """Return the source.

        Args:
            client: Connects to the OPA that makes the index of clusters.
        """
        from warden.state.sources.kubernetes.access import read_pod_access
        from warden.state.sources.kubernetes.cluster_index import build_index, read_cluster_types
        from warden.state.sources.kubernetes.kubeconfig import read_kubeconfig
        from warden.state.sources.kubernetes.source import KubernetesSource
        from warden.state.sources.kubernetes.watching import WatchTimings

        return KubernetesSource(
            self.name,
            partial(read_kubeconfig, self.kubeconfig, self.context or None) if self.kubeconfig else read_pod_access,
            [resource.build_selector() for resource in self.resources],
            clusters=read_cluster_types(),
            index=partial(build_index, client) if self.cluster_index else None,
            timings=WatchTimings(probe=self.probe, patience=4 * self.probe),
        )
