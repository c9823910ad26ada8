"""The remediator's configuration: a YAML file that names an OPA, an API server, and what may be changed how fast."""

from pathlib import Path
from typing import Annotated, Final, Literal, Self, get_args

from pydantic import Field, model_validator

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import ConfigModel, ConfigPath, Text, build_validation_error, read_model
from warden.enforce.webhook.registration import SYSTEM_NAMESPACES
from warden.policy.opa.connection_config import OpaConnectionConfig
from warden.state.sources.kubernetes.access import Access, read_pod_access
from warden.state.sources.kubernetes.entry import ResourceEntry
from warden.state.sources.kubernetes.kubeconfig import read_kubeconfig

__all__ = ["ApiServerSettings", "LeaseEntry", "PlacementTarget", "Rate", "RemediatorConfig", "Stop", "read_config"]

_KINDS: Final = tuple(ResourceEntry(api_version="apps/v1", kind=kind) for kind in ("Deployment", "ReplicaSet"))
_PAUSE: Final = Field(ge=0)

PlacementTarget = Literal["annotation", "karmada", "kubefleet", "ocm"]
"""The objects' own annotation, or a target whose carriers are in ``bundle/catalog/placement``."""


class ApiServerSettings(ConfigModel):
    """The API server.

    Args:
        kubeconfig: How to log in; None for the service account of the pod.
        context: The context of the kubeconfig; None for its current one.
        probe: Seconds of silence after which the API server is tried.
    """

    kubeconfig: ConfigPath | None = None
    context: str | None = None
    probe: Annotated[float, Field(ge=0.5)] = 5.0

    def read_access(self) -> Access:
        """Return how it is reached.

        Raises:
            ConfigurationError: The kubeconfig cannot be used, or there is none and this is not a pod.
        """
        return read_kubeconfig(self.kubeconfig, self.context or None) if self.kubeconfig else read_pod_access()


class Rate(ConfigModel):
    """How fast objects are patched.

    Args:
        per_second: Patches a second, in the long run.
        burst: Patches that may come at once after a rest.
    """

    per_second: Annotated[float, Field(gt=0)] = 1.0
    burst: Annotated[int, Field(ge=1)] = 10


class Stop(ConfigModel):
    """When nothing more is patched until a person says so.

    Args:
        share: The share of the objects that may be patched in an hour, from 0 to 1.
        at_least: So many may be patched in an hour, however few objects there are.
    """

    share: Annotated[float, Field(ge=0, le=1)] = 0.1
    at_least: Annotated[int, Field(ge=1)] = 5


class LeaseEntry(ConfigModel):
    """The Lease (coordination.k8s.io/v1) by which one of several remediators patches.

    Args:
        namespace: Its namespace.
        name: Its name.
        seconds: After so long without a sign of life another one takes over.
    """

    namespace: Text = "warden"
    name: Text = "warden-remediator"
    seconds: Annotated[int, Field(ge=3)] = 15


class RemediatorConfig(ConfigModel):
    """A whole configuration.

    Args:
        opa: The OPA that decides.
        kubernetes: The API server whose objects are watched and patched.
        resources: Which objects.
        target: What carries out where they run: their own annotation, or objects of a federation.
        except_namespaces: Namespaces that are left alone.
        batch: Objects that one request to OPA is about.
        debounce: Seconds without a further change after which OPA decides.
        resync: Seconds after which all objects are decided anew, whatever has changed.
        rate: How fast objects are patched.
        undo_rate: How fast patches are undone.
        stop: When nothing more is patched.
        lease: Which of several remediators patches.
        records: Directory for undo records, a file for each run.
    """

    opa: OpaConnectionConfig = OpaConnectionConfig(timeout=10.0)
    kubernetes: ApiServerSettings = ApiServerSettings()
    resources: Annotated[
        tuple[ResourceEntry, ...], Field(min_length=1), Expected("a list of types, such as {apiVersion: apps/v1, …}")
    ] = _KINDS
    target: Annotated[PlacementTarget, Expected(f"one of {', '.join(get_args(PlacementTarget))}")] = "annotation"
    except_namespaces: tuple[str, ...] = (*SYSTEM_NAMESPACES, "warden")
    batch: Annotated[int, Field(ge=1)] = 100
    debounce: Annotated[float, _PAUSE] = 1.0
    resync: Annotated[float, Field(ge=1)] = 600.0
    rate: Rate = Rate()
    undo_rate: Rate = Rate(per_second=25.0, burst=50)
    stop: Stop = Stop()
    lease: LeaseEntry = LeaseEntry()
    records: ConfigPath

    @model_validator(mode="after")
    def _check_unique_kinds(self) -> Self:
        kinds = [(entry.api_version, entry.kind) for entry in self.resources]
        for api_version, kind in kinds:
            if kinds.count((api_version, kind)) > 1:
                raise build_validation_error(f"resources: {kind} of {api_version} is named twice: name it once")
            others = [other for other, named in kinds if (named.lower(), other != api_version) == (kind.lower(), True)]
            if self.target != "annotation" and others:
                raise build_validation_error(
                    f"resources: {kind} is of {api_version} and of {others[0]}, and what a target has is named after "
                    "the kind: name one of them"
                )
        return self


def read_config(path: Path) -> RemediatorConfig:
    """Read a configuration file.

    Raises:
        ConfigurationError: One line for each mistake.
    """
    return read_model(path, RemediatorConfig, "YAML file with what to remediate")
