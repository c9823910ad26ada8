"""The bearer token that a client of OPA sends: read once, and again when OPA refuses it."""

from collections.abc import Callable

from warden.base.errors import ConfigurationError
from warden.base.http.calls import build_bearer_header

__all__ = ["Bearer"]


class Bearer:
    """Safe to share between threads. A token that is replaced in its file is taken up without a restart.

    Args:
        token: The token, or a function that reads it; None where OPA needs none.

    Raises:
        ConfigurationError: No header can hold the token.
    """

    def __init__(self, token: str | Callable[[], str] | None) -> None:
        self._read = token if callable(token) else None
        self._header = None if token is None or callable(token) else _build_header(token)

    def get_header(self) -> str | None:
        """Return what to send as ``Authorization``; None for nothing.

        Raises:
            ConfigurationError: The token is read for the first time, and cannot be, or no header can hold it.
        """
        if self._header is None and self._read is not None:
            self._header = _build_header(self._read())
        return self._header

    def renew(self, refused: str | None) -> bool:
        """Read the token again, and return whether it is another one, so that the request is worth repeating.

        Args:
            refused: The header that OPA has refused.
        """
        if self._read is None:
            return False
        try:
            self._header = _build_header(self._read())
        except ConfigurationError:  # it is being replaced: the refusal is what is wrong now
            return False
        return self._header != refused


def _build_header(token: str) -> str | None:
    return build_bearer_header(token, "OPA's token") if token else None
