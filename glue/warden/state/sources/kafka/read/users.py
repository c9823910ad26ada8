"""Users that can log in: those with SCRAM credentials (KIP-554), where every listener accepts only them.

Kafka can list nobody else: users of PLAIN, OAuth, Kerberos and of certificates are known to others. So where a listener
takes any of those, who can log in is not known at all. Never a salt or a password.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from warden.base.errors import KafkaError
from warden.policy.contract.names import SCRAM_MECHANISMS, find_name
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed, format_reason
from warden.state.sources.kafka.read.configs import ConfigEntry

__all__ = ["build_users_request", "collect_users", "parse_scram_users", "read_scram_iterations"]

_NO_SUCH_USER = 91  # RESOURCE_NOT_FOUND: the last credential went while Kafka listed them
_ANONYMOUS = "ANONYMOUS"


def build_users_request() -> Any:
    """Return the request for all users of SCRAM.

    An empty list means all, as null does; but for null Kafka 4.3 leaves who may not ask without any answer.
    """
    from kafka.protocol.admin import DescribeUserScramCredentialsRequest

    return DescribeUserScramCredentialsRequest(users=[])


def parse_scram_users(response: Any) -> dict[str, dict[str, Any]]:
    """Return what a response to `build_users_request` says: by name, the iterations of each mechanism.

    Raises:
        NotDisclosed: The cluster does not tell about one of them.
    """
    users = {}
    for user in response.results:
        if user.error_code == _NO_SUCH_USER:
            continue
        if user.error_code:
            raise NotDisclosed(format_reason(user.error_code, user.error_message), user.error_code)
        users[str(user.user)] = {
            "scram": {
                find_name(SCRAM_MECHANISMS, item.mechanism): {"iterations": item.iterations}
                for item in sorted(user.credential_infos, key=lambda item: int(item.mechanism))
            }
        }
    return dict(sorted(users.items()))


def read_scram_iterations(connection: Connection, user: str | None = None) -> dict[str, dict[str, int]]:
    """Return, of each user who has credentials, the iterations by mechanism, in the broker's order.

    Args:
        connection: The cluster.
        user: The one user to read of; None for all.

    Raises:
        KafkaError: The cluster does not tell.
    """
    request = build_users_request()
    request.users = [] if user is None else [type(request).UserName(name=user)]
    try:
        response = connection.send(request)
        iterations = {}
        for entry in response.results:
            if entry.error_code not in (0, _NO_SUCH_USER):
                reason = format_reason(entry.error_code, entry.error_message)
                raise NotDisclosed(f"user {entry.user}: {reason}", entry.error_code)
            if not entry.error_code:
                iterations[str(entry.user)] = {
                    find_name(SCRAM_MECHANISMS, item.mechanism): int(item.iterations) for item in entry.credential_infos
                }
    except NotDisclosed as refused:
        raise KafkaError(f"Kafka does not tell SCRAM credentials: {refused}", code=refused.code) from None
    return iterations


def collect_users(
    brokers: Iterable[Mapping[str, ConfigEntry]], scram: Mapping[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return the contract's ``users``.

    Args:
        brokers: What each broker reports about itself.
        scram: As of `parse_scram_users`.

    Raises:
        NotDisclosed: Others can log in too.
    """
    users: dict[str, dict[str, Any]] = dict(scram)
    for configs in brokers:
        texts = {name: entry.value or "" for name, entry in configs.items()}
        for listener, protocol in _iter_listeners(texts):
            if _is_open_to_anonymous(listener, protocol, texts):
                users[_ANONYMOUS] = {}
            elif not protocol.startswith("SASL") or not _is_scram_only(listener, texts):
                raise NotDisclosed(f"the listener {listener} takes users whom Kafka cannot list")
    return dict(sorted(users.items()))


def _iter_listeners(texts: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Names and protocols of the listeners that clients can reach."""
    protocols = dict(
        pair.split(":", 1) for pair in _split_words(texts.get("listener.security.protocol.map", "")) if ":" in pair
    )
    controllers = _split_words(texts.get("controller.listener.names", ""))
    for address in _split_words(texts.get("listeners", "")):
        name = address.split("://", 1)[0]
        if name not in controllers:
            yield name, protocols.get(name, name)


def _is_open_to_anonymous(listener: str, protocol: str, texts: Mapping[str, str]) -> bool:
    if protocol == "SSL":
        own = f"listener.name.{listener.lower()}.ssl.client.auth"
        return (texts[own] if own in texts else texts.get("ssl.client.auth", "none")) == "none"
    return protocol == "PLAINTEXT"


def _is_scram_only(listener: str, texts: Mapping[str, str]) -> bool:
    own = f"listener.name.{listener.lower()}.sasl.enabled.mechanisms"
    mechanisms = _split_words(texts[own] if own in texts else texts.get("sasl.enabled.mechanisms", ""))
    return bool(mechanisms) and all(mechanism.startswith("SCRAM-") for mechanism in mechanisms)


def _split_words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
