"""TLS of a port: each connection gets the certificate and the authorities of the moment at which it is made."""

import logging
import socket
import ssl
from collections.abc import Callable, Container
from pathlib import Path
from typing import Annotated, Any, Final, Self, TypeAlias

from pydantic import AfterValidator

from warden.base.files.config_model import ConfigModel, ConfigPath, Text, build_validation_error
from warden.base.tls.principals import PrincipalMapper, UnusableRules
from warden.base.tls.reloading_context import ReloadingContext

__all__ = [
    "ListenerTls",
    "MappingRules",
    "build_listener_context",
    "build_optional_login_context",
    "load_server_context",
    "read_server_name",
]

_NAME: Final = "warden_server_name"
_SESSION_SECONDS: Final = 60.0  # for which a client may resume a session of TLS 1.2, without its certificate
_Tls: TypeAlias = ssl.SSLSocket | ssl.SSLObject


def _check_rules(rules: str) -> str:
    try:
        PrincipalMapper(rules)
    except UnusableRules as error:
        raise build_validation_error(str(error)) from None
    return rules


MappingRules = Annotated[Text, AfterValidator(_check_rules)]
"""Which principals certificates are: brokers' ``ssl.principal.mapping.rules``, as configured."""


class ListenerTls(ConfigModel):
    """TLS from clients, as configured.

    Args:
        certificate_file: PEM file of the listener's certificate with its chain.
        key_file: PEM file of its key.
        client_ca_file: PEM file of the authorities whose certificates clients log in with; None where they do not.
    """

    certificate_file: ConfigPath
    key_file: ConfigPath
    client_ca_file: ConfigPath | None = None


def load_server_context(
    tls: ListenerTls, place: str, log: logging.Logger, *, required: bool = True
) -> ReloadingContext:
    """Return the certificate and the authorities of a listener.

    Args:
        tls: Their files.
        place: As of `ReloadingContext`.
        log: As of `ReloadingContext`.
        required: Whether each client has to show a certificate, where there are authorities.

    Raises:
        ConfigurationError: The files make none.
    """
    mode = ssl.CERT_REQUIRED if required else ssl.CERT_OPTIONAL
    files = (tls.certificate_file, tls.key_file, tls.client_ca_file)
    return ReloadingContext(lambda: _make(*files, mode), files, place, log, _SESSION_SECONDS)


def build_listener_context(followed: ReloadingContext, by_name: Container[str] | None = None) -> ssl.SSLContext:
    """Return the context to listen with.

    A client can resume a session of TLS 1.2 for a minute, and only while the files stay as they are: Python can turn
    off tickets, but not OpenSSL's cache of sessions, which is the context's own and ends with it.

    Args:
        followed: The certificate and the authorities.
        by_name: The only names that clients may call the listener by (SNI, RFC 6066), in lower case; None for any.

    """

    def check_name(connection: _Tls, name: str | None, _context: ssl.SSLContext) -> int | None:
        if by_name is not None and (name is None or name.lower() not in by_name):
            return ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
        setattr(connection, _NAME, (name or "").lower())
        return None

    def get_context() -> ssl.SSLContext:
        context = followed.get_context()
        context.sni_callback = check_name  # called without a server name too
        return context

    return _ListenerContext(get_context)


def build_optional_login_context(tls: ListenerTls | None, log: logging.Logger) -> ssl.SSLContext | None:
    """Return the context to listen with where a client need not show a certificate: it may have a token.

    Raises:
        ConfigurationError: The files make none.
    """
    return None if tls is None else build_listener_context(load_server_context(tls, "tls", log, required=False))


def read_server_name(connection: _Tls) -> str:
    """Return the name that a client has called the listener by, in lower case; "" where it has not."""
    return str(getattr(connection, _NAME, ""))


class _ListenerContext(ssl.SSLContext):
    """Gives each connection the context of that moment: a server has one for as long as it listens."""

    def __new__(cls, _get_context: Callable[[], ssl.SSLContext]) -> Self:
        return super().__new__(cls, ssl.PROTOCOL_TLS_SERVER)

    def __init__(self, get_context: Callable[[], ssl.SSLContext]) -> None:
        self._get_context = get_context

    def wrap_bio(self, *arguments: Any, **options: Any) -> ssl.SSLObject:
        """Begin a connection of an event loop."""
        return self._get_context().wrap_bio(*arguments, **options)

    def wrap_socket(self, sock: socket.socket, *arguments: Any, **options: Any) -> ssl.SSLSocket:
        """Begin a connection of a thread."""
        return self._get_context().wrap_socket(sock, *arguments, **options)


def _make(certificate: Path, key: Path, client_ca: Path | None, mode: ssl.VerifyMode) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    if client_ca is not None:
        context.load_verify_locations(client_ca)
        context.verify_mode = mode
        context.num_tickets = 0  # with which a session would outlive this context
        context.options |= ssl.OP_NO_TICKET
    return context
