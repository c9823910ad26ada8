"""Requests about delegation tokens (KIP-48): whose they are, and for how long; never what is secret of them."""

from typing import Any

from warden.policy.adapter.structs import Struct, parse_code, parse_structs, parse_text, parse_text_or_null

__all__ = ["parse_expiry", "parse_new_token", "parse_renewal"]


def parse_new_token(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the token of CreateDelegationToken; its owner is the caller where none is given (KIP-373)."""
    owner = None
    if parse_text_or_null(request, "ownerPrincipalName"):
        owner = f"{parse_text(request, 'ownerPrincipalType')}:{parse_text(request, 'ownerPrincipalName')}"
    renewers = [
        f"{parse_text(renewer, 'principalType')}:{parse_text(renewer, 'principalName')}"
        for renewer in parse_structs(request, "renewers")
    ]
    lifetime = parse_code(request, "maxLifetimeMs")
    return owner or "", {"owner": owner, "renewers": renewers, "maxLifetimeMs": lifetime}


def parse_renewal(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the period of RenewDelegationToken."""
    return "", {"renewPeriodMs": parse_code(request, "renewPeriodMs")}


def parse_expiry(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the period of ExpireDelegationToken."""
    return "", {"expiryTimePeriodMs": parse_code(request, "expiryTimePeriodMs")}
