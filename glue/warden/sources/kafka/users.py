"""Users that can log in: those with SCRAM credentials (KIP-554), where every listener accepts only them.

Kafka can list nobody else: users of PLAIN, OAuth, Kerberos and of certificates are known to others. So where a listener
takes any of those, who can log in is not known at all. Never a salt or a password.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from warden.contract.names import SCRAM_MECHANISMS, name_of
from warden.sources.kafka.configs import Entry
from warden.sources.kafka.connection import NotAvailable, reason

__all__ = ["known_users", "scram_users_of", "users_request"]

_NO_SUCH_USER = 91  # RESOURCE_NOT_FOUND: the last credential went while Kafka listed them
_ANONYMOUS = "ANONYMOUS"


def users_request() -> Any:
    """Return the request for all users of SCRAM.

    An empty list means all, as null does; but for null Kafka 4.3 leaves who may not ask without any answer.
    """
    from kafka.protocol.admin import DescribeUserScramCredentialsRequest

    return DescribeUserScramCredentialsRequest(users=[])


def scram_users_of(response: Any) -> dict[str, dict[str, Any]]:
    """Return what a response to `users_request` says: by name, the iterations of each mechanism.

    Raises:
        NotAvailable: The cluster does not tell about one of them.
    """
    users = {}
    for user in response.results:
        if user.error_code == _NO_SUCH_USER:
            continue
        if user.error_code:
            raise NotAvailable(reason(user.error_code, user.error_message), user.error_code)
        users[str(user.user)] = {
            "scram": {
                name_of(SCRAM_MECHANISMS, item.mechanism): {"iterations": item.iterations}
                for item in sorted(user.credential_infos, key=lambda item: int(item.mechanism))
            }
        }
    return dict(sorted(users.items()))


def known_users(
    brokers: Iterable[Mapping[str, Entry]], scram: Mapping[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return the contract's ``users``.

    Args:
        brokers: What each broker reports about itself.
        scram: As of `scram_users_of`.

    Raises:
        NotAvailable: Others can log in too.
    """
    users: dict[str, dict[str, Any]] = dict(scram)
    for configs in brokers:
        texts = {name: entry.value or "" for name, entry in configs.items()}
        for listener, protocol in _listeners(texts):
            if _takes_anonymous(listener, protocol, texts):
                users[_ANONYMOUS] = {}
            elif not protocol.startswith("SASL") or not _takes_scram_only(listener, texts):
                raise NotAvailable(f"the listener {listener} takes users whom Kafka cannot list")
    return dict(sorted(users.items()))


def _listeners(texts: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Names and protocols of the listeners that clients can reach."""
    protocols = dict(
        pair.split(":", 1) for pair in _words(texts.get("listener.security.protocol.map", "")) if ":" in pair
    )
    controllers = _words(texts.get("controller.listener.names", ""))
    for address in _words(texts.get("listeners", "")):
        name = address.split("://", 1)[0]
        if name not in controllers:
            yield name, protocols.get(name, name)


def _takes_anonymous(listener: str, protocol: str, texts: Mapping[str, str]) -> bool:
    if protocol == "SSL":
        own = f"listener.name.{listener.lower()}.ssl.client.auth"
        return (texts[own] if own in texts else texts.get("ssl.client.auth", "none")) == "none"
    return protocol == "PLAINTEXT"


def _takes_scram_only(listener: str, texts: Mapping[str, str]) -> bool:
    own = f"listener.name.{listener.lower()}.sasl.enabled.mechanisms"
    mechanisms = _words(texts[own] if own in texts else texts.get("sasl.enabled.mechanisms", ""))
    return bool(mechanisms) and all(mechanism.startswith("SCRAM-") for mechanism in mechanisms)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
