"""What goes by: requests that are not held, and what is replaced in responses of the broker's."""

from collections.abc import Callable
from functools import partial
from typing import Final

from warden.gateway.addresses import Address, has_addresses, with_addresses
from warden.gateway.frames import Head, Raw
from warden.gateway.response_queue import Mend
from warden.gateway.responses import trimmed_versions

__all__ = ["SASL", "goes_by", "mend", "readdressed"]

SASL: Final = frozenset({"SaslHandshake", "SaslAuthenticate"})
"""Names of the APIs of logins."""


def goes_by(head: Head) -> bool:
    """Return whether a request goes on as its bytes come, without a look at more than its head."""
    return head.api.handling == "pass" and head.api.name not in SASL and head.api.name != "Metadata"


def mend(head: Head, locate: Callable[[int], Address]) -> Mend | None:
    """Return what is done to the response to a request; None where its bytes go by.

    Args:
        head: The head of the request.
        locate: Returns where clients reach a broker, by its id.
    """
    if head.api.name == "ApiVersions":
        return partial(trimmed_versions, head)
    if has_addresses(head.api.key, head.version):
        return partial(readdressed, head, locate)
    return None


def readdressed(head: Head, locate: Callable[[int], Address], raw: Raw) -> Raw:
    """Return a response with the addresses by which clients reach brokers."""
    return with_addresses(head.api.key, head.version, raw, locate)
