"""Keys of a configuration file that say how an OPA is reached."""

import logging
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import ConfigModel, ConfigPath, SecretReference
from warden.base.http.calls import is_http_address
from warden.base.tls.reloading_context import load_client_context
from warden.policy.opa.client import OpaClient, RetryPolicy, Timeout
from warden.policy.opa.item_size import MAX_ITEM_BYTES
from warden.policy.opa.revision_floor import RevisionFloor

__all__ = ["OpaConnectionConfig", "OpaUrl"]

_LOG = logging.getLogger(__name__)
_URL = "http://127.0.0.1:8181"


def _check_address(url: str) -> str:
    if not is_http_address(url):
        raise ValueError
    return url


OpaUrl = Annotated[str, Field(pattern=r"^https?://[^/@\s]+/?\Z"), AfterValidator(_check_address), Expected(_URL)]
"""The address of an OPA: scheme, host and port."""


class OpaConnectionConfig(ConfigModel):
    """How OPA is reached.

    Args:
        url: Its address.
        token: The token to send; None where OPA needs none.
        ca_file: PEM file of certificates to trust; None for the system's.
        timeout: Seconds that one write may take.
        revision_file: Where the highest number of a bundle's revision is kept, so that older ones are refused; None
            to take any.
        max_item_bytes: JSON that the decision input about one resource may have; a larger one is not sent, and nothing
            is decided about it.
    """

    url: OpaUrl = _URL
    token: SecretReference | None = None
    ca_file: ConfigPath | None = None
    timeout: Annotated[float, Field(ge=0.1)] = 60.0
    revision_file: ConfigPath | None = None
    max_item_bytes: Annotated[int, Field(ge=1024)] = MAX_ITEM_BYTES

    def build_floor(self) -> RevisionFloor | None:
        """Return what refuses older bundles, None where any is taken.

        Raises:
            ConfigurationError: As of `RevisionFloor`.
        """
        return RevisionFloor(self.revision_file) if self.revision_file else None

    def build_client(self, floor: RevisionFloor | None = None, url: str | None = None) -> OpaClient:
        """Return a new client that sends each request once, and reads the token again after a refusal.

        Args:
            floor: What refuses older bundles, for a client that carries decisions out.
            url: The address; None for that of the settings.

        Raises:
            ConfigurationError: The token cannot be read, or the CA file cannot be loaded.
        """
        return OpaClient(url or self.url, **self.build_client_options(floor))

    def build_client_options(self, floor: RevisionFloor | None = None) -> dict[str, Any]:
        """Return the arguments of a client besides its address; as of `build_client`."""
        return {
            "token": self.token.read if self.token else None,
            "timeout": Timeout(connect=2.0, read=self.timeout, total=self.timeout),
            "retries": RetryPolicy(1),
            "max_item_bytes": self.max_item_bytes,
            "tls": load_client_context(self.ca_file, None, "opa.caFile", _LOG) if self.ca_file else None,
            "floor": floor,
        }
