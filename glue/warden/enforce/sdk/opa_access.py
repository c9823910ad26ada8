"""How the client for services gets at its OPA. The HTTP stack is loaded with the first client."""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from warden.base.errors import ConfigurationError
from warden.enforce.sdk.arguments import drop_none
from warden.policy.contract.decision import Document

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["Reversible", "prepare_client"]

_LOG = logging.getLogger(__name__)
_CONNECTIONS: Final = 64  # threads that ask at a time, more than web servers have: a further one waits for its turn


def prepare_client(
    url: str,
    token: str | Callable[[], str] | None,
    ca_file: str | Path | None,
    certificate: tuple[str | Path, str | Path] | None,
    timeout: float | None,
) -> "Callable[[], OpaClient]":
    """Return what opens a client of an OPA, as often as it is called; the parameters are those of `Warden`.

    Raises:
        ConfigurationError: The files cannot be loaded, or the timeout is none. What is returned raises it of an address
            that is none, and of a token that cannot be read or sent.
    """
    from warden.base.http.calls import parse_certificate_pair
    from warden.base.tls.reloading_context import load_client_context
    from warden.policy.opa.client import OpaClient, Timeout

    tls = None
    if ca_file is not None or certificate is not None:
        pair = None if certificate is None else parse_certificate_pair(certificate)
        place = " and ".join(drop_none(ca_file=ca_file, certificate=certificate))
        tls = load_client_context(None if ca_file is None else Path(ca_file), pair, place, _LOG)
    limits = Timeout() if timeout is None else Timeout(total=timeout)
    given = partial(_read_token, token) if callable(token) else token
    return lambda: OpaClient(url, token=given, timeout=limits, pool_size=_CONNECTIONS, tls=tls)


def _read_token(read: Callable[[], str]) -> str:
    try:
        return read()
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"token cannot be read ({error}): check the function that reads it") from error


class Reversible:
    """What the rules' METADATA says of their patches, read when it is first needed."""

    def __init__(self, client: "OpaClient") -> None:
        self._client = client
        self._rules: Document | None = None

    def __call__(self, rule: str) -> bool:
        """Return whether what a rule's patch does can be undone."""
        if self._rules is None:
            self._rules = self._client.evaluate("catalog/rules", None)
        return bool(self._rules.get(rule, {}).get("reversible", True))
