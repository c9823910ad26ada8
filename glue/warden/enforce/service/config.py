"""The service's configuration: a YAML file that names an OPA, the clusters, and who may ask."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Protocol, Self

from pydantic import Field, ValidationInfo, model_validator

from warden.base.errors import ConfigurationError
from warden.base.files.config_errors import Expected
from warden.base.files.config_model import ConfigModel, SecretReference, build_validation_error, read_model
from warden.base.http.calls import build_bearer_header
from warden.base.tls.listener import ListenerTls, MappingRules
from warden.policy.failover.settings import FailoverSettings
from warden.state.sources.kafka.entry import KafkaCluster

__all__ = [
    "Caller",
    "CallerLimitSettings",
    "Principal",
    "ServedCluster",
    "ServiceConfig",
    "ServiceOpa",
    "read_config",
    "read_tokens",
]

Principal = Annotated[str, Field(pattern=r"^[A-Za-z]+:.+\Z"), Expected("a principal such as User:alice")]
"""A principal as Kafka writes it."""


class ServiceOpa(FailoverSettings):
    """How OPA is reached, and how long a caller may wait for it.

    Args:
        timeout: Seconds that one decision may take.
    """

    timeout: Annotated[float, Field(ge=0.1)] = 5.0


class Caller(ConfigModel):
    """Somebody who may ask.

    Args:
        token: The bearer token that proves it.
        principal: Who that is, as Kafka writes it: ``User:alice``.
    """

    token: SecretReference
    principal: Principal


class ServedCluster(KafkaCluster):
    """A cluster whose client configs are served.

    Args:
        store: Where they are: ``topic:NAME`` of the cluster, or ``sqlite:PATH``.
        state_interval: Seconds from one poll of the cluster's ACLs to the next.
    """

    store: Annotated[str, Field(pattern=r"^(topic|sqlite):.+\Z"), Expected("topic:NAME or sqlite:PATH")] = (
        "topic:warden-client-configs"
    )
    state_interval: Annotated[float, Field(ge=0.1)] = 10.0

    @model_validator(mode="after")
    def _check_distinct(self, info: ValidationInfo) -> Self:
        if info.context and info.context.claims.setdefault(("cluster", self.name), self) is not self:
            raise build_validation_error(f"cluster {self.name} is named twice: give each its own name")
        return self


class CallerLimitSettings(ConfigModel):
    """Limits of one caller.

    Args:
        body_bytes: Largest request body, in bytes.
        requests_per_second: How many requests a principal may make, a second of them at once.
        wait_seconds: How long a request may wait for a change.
    """

    body_bytes: Annotated[int, Field(ge=1024)] = 1024 * 1024
    requests_per_second: Annotated[float, Field(gt=0)] = 50.0
    wait_seconds: Annotated[float, Field(ge=0)] = 60.0


class ServiceConfig(ConfigModel):
    """A whole configuration file.

    Args:
        opa: The OPA that decides, or several.
        callers: Who may ask, by tokens.
        tls: What is listened with; with its ``client_ca_file`` certificates log in too. None for plain HTTP.
        principal_mapping_rules: Which principals these certificates are, as brokers' ``ssl.principal.mapping.rules``.
        limits: Limits of each of them.
        clusters: The clusters.
    """

    opa: ServiceOpa = ServiceOpa()
    callers: Annotated[tuple[Caller, ...], Expected("a list of {token: …, principal: …}")] = ()
    tls: ListenerTls | None = None
    principal_mapping_rules: MappingRules = "DEFAULT"
    limits: CallerLimitSettings = CallerLimitSettings()
    clusters: Annotated[tuple[ServedCluster, ...], Field(min_length=1), Expected("a list of clusters")]

    @model_validator(mode="after")
    def _check_callers(self) -> Self:
        if not self.callers and (self.tls is None or self.tls.client_ca_file is None):
            raise build_validation_error("nobody may ask: list callers with their tokens, or give tls a clientCaFile")
        return self

    def read_tokens(self) -> dict[str, str]:
        """Return the principal of each token, as `read_tokens` does."""
        return read_tokens(self.callers)


class _TokenHolder(Protocol):
    """Who may be known by a token."""

    @property
    def principal(self) -> str: ...

    @property
    def token(self) -> SecretReference | None: ...


def read_tokens(callers: Iterable[_TokenHolder]) -> dict[str, str]:
    """Return the principal of each token, as the files have them now.

    Args:
        callers: Those who have one, among others.

    Raises:
        ConfigurationError: A token cannot be read or sent, or two callers have the same.
    """
    tokens: dict[str, str] = {}
    for caller in callers:
        if caller.token is None:
            continue
        token = caller.token.read()
        build_bearer_header(token, f"the token of caller {caller.principal}")
        owner = tokens.setdefault(token, caller.principal)
        if owner != caller.principal:
            raise ConfigurationError(f"callers {owner} and {caller.principal} have the same token: give each its own")
    return tokens


def read_config(path: Path) -> ServiceConfig:
    """Read a configuration file.

    Raises:
        ConfigurationError: One line for each mistake.
    """
    return read_model(path, ServiceConfig, "YAML file with the service's clusters and callers")
