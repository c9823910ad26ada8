"""Requests about delegation tokens (KIP-48): whose they are, and for how long; never what is secret of them."""

from typing import Any

from warden.policy.adapter.structs import Struct, read_code, read_structs, read_text, read_text_or_null

__all__ = ["read_expiry", "read_new_token", "read_renewal"]


def read_new_token(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the token of CreateDelegationToken; its owner is the caller where none is given (KIP-373)."""
    owner = None
    if read_text_or_null(request, "ownerPrincipalName"):
        owner = f"{read_text(request, 'ownerPrincipalType')}:{read_text(request, 'ownerPrincipalName')}"
    renewers = [
        f"{read_text(one, 'principalType')}:{read_text(one, 'principalName')}"
        for one in read_structs(request, "renewers")
    ]
    lifetime = read_code(request, "maxLifetimeMs")
    return owner or "", {"owner": owner, "renewers": renewers, "maxLifetimeMs": lifetime}


def read_renewal(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the period of RenewDelegationToken."""
    return "", {"renewPeriodMs": read_code(request, "renewPeriodMs")}


def read_expiry(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the period of ExpireDelegationToken."""
    return "", {"expiryTimePeriodMs": read_code(request, "expiryTimePeriodMs")}
