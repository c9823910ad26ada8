"""The replicator's configuration: a YAML file that names an OPA, and the sources that it is to hold."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from warden.base.errors import ConfigurationError
from warden.base.files.config_model import ConfigModel, Text, build_validation_error, read_model
from warden.policy.opa.connection_config import OpaConnectionConfig
from warden.state.config_map_policies.entry import PoliciesEntry
from warden.state.replicate.loss_guard import LossGuard
from warden.state.sources.entry import SourceEntry
from warden.state.sources.files.entry import FilesEntry
from warden.state.sources.kafka.entry import KafkaEntry
from warden.state.sources.kubernetes.entry import KubernetesEntry
from warden.state.sources.labels.entry import LabelEntry
from warden.state.sources.source import Source

__all__ = ["ReplicatedSource", "ReplicationSettings", "ReplicatorConfig", "read_config"]


class ReplicationSettings(SourceEntry):
    """How a source is replicated: keys of an entry beside those of its kind.

    Args:
        interval: Seconds between two signs of life in OPA (``meta.observedAt``), at the least.
        compare: Seconds between two comparisons of the replica with the source; 0 for never.
        max_age: Seconds after which an unseen source makes the replicator not ready.
        lease: Seconds without a sign of life after which another replicator's replica is taken over.
        guard: Which losses are held back.
    """

    compare: Annotated[float, Field(ge=0)] = 300.0
    max_age: float = Field(default_factory=lambda values: max(30.0, 5 * values["interval"]))
    lease: float = Field(default_factory=lambda values: max(15.0, 5 * values["interval"]))
    guard: LossGuard = LossGuard()

    @field_validator("max_age", "lease")
    @classmethod
    def _check_long_enough(cls, value: float, info: ValidationInfo) -> float:
        least = info.data.get("interval", 0.0) * (2 if info.field_name == "lease" else 1)
        if value < least:
            raise build_validation_error(
                f"{value:g} is not valid: write a number of at least {least:g}, which interval calls for"
            )
        return value


class _Entry(ReplicationSettings):
    """An entry of the file; no two may have places within each other in OPA's data."""

    @model_validator(mode="after")
    def _check_distinct(self, info: ValidationInfo) -> Self:
        root: tuple[str, ...] = getattr(self, "root", ())
        name = f"data.{'.'.join(root)}"
        for claimed in info.context.claims if info.context else ():
            shorter, longer = sorted((root, claimed), key=len)
            if longer[: len(shorter)] == shorter:
                raise build_validation_error(f"{name} belongs to another entry already: give each a place of its own")
        if info.context:
            info.context.claims[root] = self
        return self


class _Cluster(KafkaEntry, _Entry):
    pass


class _Kubernetes(KubernetesEntry, _Entry):
    pass


class _Files(FilesEntry, _Entry):
    pass


class _File(ConfigModel):
    opa: OpaConnectionConfig = OpaConnectionConfig()
    owners: LabelEntry | None = None
    clusters: tuple[_Cluster, ...] = ()
    kubernetes: tuple[_Kubernetes, ...] = ()
    files: tuple[_Files, ...] = ()
    policies: PoliciesEntry | None = None
    registration: Text | None = None

    @model_validator(mode="after")
    def _check_registration(self) -> Self:
        if self.registration is not None and self.policies is None:
            raise build_validation_error("registration belongs to policies: write that section too, or leave it out")
        return self


@dataclass(frozen=True)
class ReplicatedSource:
    """One source, and how it is replicated."""

    source: Source
    settings: ReplicationSettings


@dataclass(frozen=True)
class ReplicatorConfig:
    """A whole configuration file; ``registration`` is the MutatingWebhookConfiguration that policies close."""

    opa: OpaConnectionConfig
    replicated: tuple[ReplicatedSource, ...]
    policies: PoliciesEntry | None = None
    registration: str | None = None


def read_config(path: Path) -> ReplicatorConfig:
    """Read a configuration file.

    Raises:
        ConfigurationError: One line for each mistake.
    """
    file = read_model(path, _File, "YAML file with what to replicate")
    replicated = (
        *(ReplicatedSource(entry.build_source(file.owners), entry) for entry in file.clusters),
        *(ReplicatedSource(entry.build_source(file.opa.build_client), entry) for entry in file.kubernetes),
        *(ReplicatedSource(entry.build_source(file.opa.build_client), entry) for entry in file.files),
    )
    if not replicated and file.policies is None:
        raise ConfigurationError(f"{path}:1: nothing to replicate: write clusters:, kubernetes:, files: or policies:")
    return ReplicatorConfig(file.opa, replicated, file.policies, file.registration)
