"""Traffic that passes: requests that are not held, and what is replaced in the broker's responses."""

from collections.abc import Callable
from functools import partial
from typing import Final

from warden.enforce.gateway.wire.addresses import HostPort, has_addresses, with_addresses
from warden.enforce.gateway.wire.frames import Raw, RequestHeader
from warden.enforce.gateway.wire.response_queue import Mend
from warden.enforce.gateway.wire.responses import trim_versions

__all__ = ["SASL", "build_response_rewrite", "is_passthrough", "rewrite_addresses"]

SASL: Final = frozenset({"SaslHandshake", "SaslAuthenticate"})
"""Names of the APIs of logins."""


def is_passthrough(head: RequestHeader) -> bool:
    """Return whether a request goes on as its bytes come, without a look at more than its head."""
    return head.api.handling == "pass" and head.api.name not in SASL and head.api.name != "Metadata"


def build_response_rewrite(head: RequestHeader, locate: Callable[[int], HostPort]) -> Mend | None:
    """Return what is done to the response to a request; None where its bytes go by.

    Args:
        head: The head of the request.
        locate: Returns where clients reach a broker, by its id.
    """
    if head.api.name == "ApiVersions":
        return partial(trim_versions, head)
    if has_addresses(head.api.key, head.version):
        return partial(rewrite_addresses, head, locate)
    return None


def rewrite_addresses(head: RequestHeader, locate: Callable[[int], HostPort], raw: Raw) -> Raw:
    """Return a response with the addresses by which clients reach brokers."""
    return with_addresses(head.api.key, head.version, raw, locate)
