"""Logins by delegation token (KIP-48): SCRAM with an extension that kafka-python does not send."""

from typing import Any

__all__ = ["build_token_user"]

_EXTENSION = b",tokenauth=true"  # ScramExtensions, RFC 5802's own way


class _TokenId(str):
    """The id of a token, which stands where else a user's name does."""

    __slots__ = ()


def build_token_user(identifier: str) -> str:
    """Return the name to log in by, with which kafka-python says that it is a token's id.

    Args:
        identifier: The id of the token; its HMAC is the password.
    """
    from kafka.net.sasl import register_sasl_mechanism
    from kafka.net.sasl.scram import SaslMechanismScram, ScramClient

    class TokenClient(ScramClient):  # type: ignore[misc]  # kafka-python ships no types
        def first_message(self) -> bytes:
            message = bytes(super().first_message()) + _EXTENSION
            self.auth_message += _EXTENSION  # it is signed too
            return message

    class Scram(SaslMechanismScram):  # type: ignore[misc]  # as above
        def __init__(self, **config: Any) -> None:
            super().__init__(**config)
            user = config["sasl_plain_username"]
            if isinstance(user, _TokenId):
                self._scram_client = TokenClient(user, config["sasl_plain_password"], config["sasl_mechanism"])

    for mechanism in ScramClient.MECHANISMS:
        register_sasl_mechanism(mechanism, Scram, overwrite=True)
    return _TokenId(identifier)
