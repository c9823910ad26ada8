"""Users that can log in with SCRAM (DescribeUserScramCredentials, KIP-554); never a salt or a password."""

from typing import Any

from warden.kafka.connection import Connection, NotAvailable, reason

__all__ = ["read_users", "users_of", "users_request"]

_MECHANISMS = {1: "SCRAM-SHA-256", 2: "SCRAM-SHA-512"}
_NO_SUCH_USER = 91  # RESOURCE_NOT_FOUND: the last credential went while Kafka listed them


def read_users(connection: Connection) -> dict[str, dict[str, Any]]:
    """Return the contract's ``users``: by name, the iterations of each mechanism.

    Raises:
        NotAvailable: The cluster refuses to tell, or knows no such API (before Kafka 2.7).
    """
    return users_of(connection.send(users_request()))


def users_request() -> Any:
    """Return the request for all users."""
    from kafka.protocol.admin import DescribeUserScramCredentialsRequest

    return DescribeUserScramCredentialsRequest(users=None)


def users_of(response: Any) -> dict[str, dict[str, Any]]:
    """Return what a response to `users_request` says; raises as `read_users`."""
    found = {}
    for user in response.results:
        if user.error_code == _NO_SUCH_USER:
            continue
        if user.error_code:
            raise NotAvailable(reason(user.error_code, user.error_message))
        found[str(user.user)] = {
            "scram": {
                _MECHANISMS.get(item.mechanism, f"UNKNOWN_{item.mechanism}"): {"iterations": item.iterations}
                for item in sorted(user.credential_infos, key=lambda item: int(item.mechanism))
            }
        }
    return dict(sorted(found.items()))
