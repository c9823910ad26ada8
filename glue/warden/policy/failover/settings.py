"""Keys of a configuration file that say how one OPA is reached, or several."""

from typing import Annotated, Any

from pydantic import Field, model_validator

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import build_validation_error
from warden.policy.opa.client import OpaClient
from warden.policy.opa.connection_config import OpaConnectionConfig, OpaUrl
from warden.policy.opa.revision_floor import RevisionFloor

__all__ = ["FailoverSettings"]


class FailoverSettings(OpaConnectionConfig):
    """As `OpaConnectionConfig`, of one OPA or of several with the same token, certificates and bundle.

    Args:
        urls: Their addresses, the preferred one first, in place of ``url``.
        behind_seconds: An OPA whose state of a cluster is older than another's by more than this is passed over.
    """

    urls: Annotated[
        tuple[OpaUrl, ...], Field(min_length=1), Expected("a list of addresses such as http://127.0.0.1:8181")
    ] = ()
    behind_seconds: Annotated[float, Field(ge=1), Expected("a number of seconds, at least 1")] = 15.0

    @model_validator(mode="before")
    @classmethod
    def _check_one_of_both(cls, value: Any) -> Any:
        if isinstance(value, dict) and value.get("url") is not None and value.get("urls") is not None:
            raise build_validation_error("write one of url, for one OPA, and urls, for several")
        return value

    @model_validator(mode="after")
    def _check_distinct(self) -> "FailoverSettings":
        if len({url.rstrip("/") for url in self.urls}) < len(self.urls):
            raise build_validation_error("urls names an OPA twice: give each its own address")
        return self

    @property
    def addresses(self) -> tuple[str, ...]:
        """The address of each OPA, without a slash at its end; the preferred one first."""
        return tuple(url.rstrip("/") for url in self.urls or (self.url,))

    def build_client(self, floor: RevisionFloor | None = None, url: str | None = None) -> OpaClient:
        """As `OpaConnectionConfig.build_client`; without an address it is the preferred one's."""
        return super().build_client(floor, url or self.addresses[0])
