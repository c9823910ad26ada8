"""The webhook's configuration: which OPA document decides, in the form of the placement design or in our own."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, field_validator, model_validator

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import (
    ConfigModel,
    ConfigPath,
    Text,
    build_validation_error,
    read_model,
    require_one,
)
from warden.base.files.file_version import read_file_version
from warden.base.http.calls import is_http_address
from warden.policy.failover.settings import FailoverSettings
from warden.policy.opa.item_size import MAX_ITEM_BYTES
from warden.policy.opa.retry import RetryPolicy
from warden.policy.opa.revision_floor import RevisionFloor
from warden.state.config_map_policies.entry import PolicySource

__all__ = ["DOCUMENT", "ApiServerEntry", "WebhookConfig", "WebhookResource", "read_config"]

DOCUMENT: Final = "/v1/data/io/k8s/federation/admission"
"""Of Warden's OPA, what decides about an object."""
_ATTEMPTS: Final = 3  # until OPA has said how many
_WHAT: Final = "YAML or JSON file that names an OPA"
_EXAMPLE: Final = "https://opa.example.com:8181/v1/data/io/k8s/federation/annotations"


class WebhookResource(ConfigModel):
    """Objects that the API server sends to the webhook.

    Args:
        group: API group; empty for the core.
        version: API version.
        resource: Plural, as in paths.
    """

    group: str = ""
    version: Text = "v1"
    resource: Annotated[
        str, Field(pattern=r"^[a-z][a-z0-9.-]*\Z"), Expected("a plural as in deployments; * is refused")
    ]


_KINDS: Final = (
    WebhookResource(group="apps", resource="deployments"),
    WebhookResource(group="apps", resource="replicasets"),
)


class ApiServerEntry(PolicySource):
    """The API server that the webhook itself reads and writes.

    Args:
        registration: Name of our MutatingWebhookConfiguration.
    """

    registration: Text = "warden-placement"


@dataclass(frozen=True)
class WebhookConfig:
    """A whole configuration.

    Args:
        url: Of the OPA document to evaluate; the object is its input.
        token: Reads the token that is sent, as it is now; None where OPA needs none. It may raise ConfigurationError.
        ca_file: PEM file of certificates to trust; None for the system's.
        client_certificate: PEM files of certificate and key, where OPA asks for them.
        timeout: Seconds that one decision may take, with all attempts.
        retries: How often and how patiently OPA is tried.
        kinds: What the API server is to send.
        kubernetes: Where events go; None for nowhere.
        from_config_maps: Whether objects are admitted as they are while there is no ConfigMap with policies.
        floor: What refuses the answers of older bundles; None where any bundle is believed.
        own_attempts: Whether the file says how often OPA is tried; else KFK-PLC-003 does, once it is known.
        max_item_bytes: JSON that an object may have; a larger one is not sent to OPA.
        several: How several OPAs are reached, of which ``url`` is the first's; None for one.
    """

    url: str
    token: Callable[[], str] | None
    ca_file: Path | None
    client_certificate: tuple[Path, Path] | None
    timeout: float
    retries: RetryPolicy
    kinds: tuple[WebhookResource, ...]
    kubernetes: ApiServerEntry | None = None
    from_config_maps: bool = False
    floor: RevisionFloor | None = None
    own_attempts: bool = False
    max_item_bytes: int = MAX_ITEM_BYTES
    several: FailoverSettings | None = None


class _Opa(FailoverSettings):
    """As the replicator's, and how long the API server waits.

    Args:
        certificate_file, key_file: PEM files with which to log in to OPA; both or neither.
        timeout: Seconds for all attempts together; less where the API server waits less.
        attempts: At most so many requests for one decision; None for as many as KFK-PLC-003 has.
        pause: Longest first pause between two attempts, in seconds; it doubles.
    """

    certificate_file: ConfigPath | None = None
    key_file: ConfigPath | None = None
    timeout: Annotated[float, Field(ge=0.1)] = 8.0
    attempts: Annotated[int | None, Field(ge=1)] = None
    pause: Annotated[float, Field(ge=0)] = 0.1

    @model_validator(mode="after")
    def _check_pair(self) -> "_Opa":
        if (self.certificate_file is None) != (self.key_file is None):
            raise build_validation_error("certificateFile and keyFile belong together: write both or neither")
        return self


class _SchedulingPolicy(ConfigModel):
    """The placement design's own form.

    Args:
        url: Of the document to evaluate; the design writes it in typographic quotation marks, which are no part of it.
        token: The static token.
    """

    url: Annotated[str, Expected(_EXAMPLE)]
    token: Text

    @field_validator("url")
    @classmethod
    def _parse_url(cls, value: str) -> str:
        url = value.strip("“”")
        if not is_http_address(url) or "/data/" not in url:
            raise build_validation_error(f"this is not the URL of a document in OPA: write one such as {_EXAMPLE}")
        return url


class _File(ConfigModel):
    scheduling_policy: Annotated[_SchedulingPolicy | None, Field(alias="EnforceSchedulingPolicy")] = None
    opa: _Opa | None = None
    kinds: Annotated[tuple[WebhookResource, ...], Field(min_length=1), Expected("a list of kinds")] = _KINDS
    policies_from: Annotated[Literal["bundle", "configMaps"], Expected("bundle or configMaps")] = "bundle"
    kubernetes: ApiServerEntry | None = None

    @model_validator(mode="before")
    @classmethod
    def _check_one_form(cls, value: Any) -> Any:
        return require_one(cls, value, "EnforceSchedulingPolicy", "opa")


def read_config(path: Path) -> WebhookConfig:
    """Read a configuration file.

    Raises:
        ConfigurationError: One line for each mistake.
    """
    file = read_model(path, _File, _WHAT)
    from_config_maps = file.policies_from == "configMaps"
    kubernetes = file.kubernetes or (ApiServerEntry() if from_config_maps else None)
    if file.scheduling_policy is not None:
        token, url = _build_token_reader(path), file.scheduling_policy.url
        return WebhookConfig(
            url, token, None, None, 8.0, RetryPolicy(_ATTEMPTS), file.kinds, kubernetes, from_config_maps
        )
    opa = file.opa or _Opa()
    certificate = (opa.certificate_file, opa.key_file) if opa.certificate_file and opa.key_file else None
    return WebhookConfig(
        opa.addresses[0] + DOCUMENT,
        opa.token.read if opa.token else None,
        opa.ca_file,
        certificate,
        opa.timeout,
        RetryPolicy(opa.attempts or _ATTEMPTS, opa.pause),
        file.kinds,
        kubernetes,
        from_config_maps,
        opa.build_floor(),
        own_attempts=opa.attempts is not None,
        max_item_bytes=opa.max_item_bytes,
        several=opa if len(opa.addresses) > 1 else None,
    )


def _build_token_reader(path: Path) -> Callable[[], str]:
    """Read the token of the design's form, again where the file has changed."""
    cached: tuple[Any, str] | None = None

    def read() -> str:
        nonlocal cached
        version = read_file_version(path)
        if cached is None or version != cached[0]:
            policy = read_model(path, _File, _WHAT).scheduling_policy
            if policy is not None:
                cached = (version, policy.token)
        return cached[1] if cached else ""

    return read
