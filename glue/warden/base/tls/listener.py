"""TLS of a port: each handshake gets the certificate and the authorities of that moment."""

import logging
import ssl
from collections.abc import Container
from pathlib import Path
from typing import Annotated, Final, TypeAlias

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
    return ReloadingContext(lambda: _make(*files, mode), files, place, log)


def build_listener_context(followed: ReloadingContext, by_name: Container[str] | None = None) -> ssl.SSLContext:
    """Return the context to listen with.

    Args:
        followed: The certificate and the authorities.
        by_name: The only names that clients may call the listener by (SNI, RFC 6066), in lower case; None for any.

    Raises:
        ConfigurationError: The files make none.
    """
    front = followed.make()

    def choose(connection: _Tls, name: str | None, _context: ssl.SSLContext) -> int | None:
        connection.context = followed.get_context()
        if by_name is not None and (name is None or name.lower() not in by_name):
            return ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME
        setattr(connection, _NAME, (name or "").lower())
        return None

    front.sni_callback = choose  # called without a server name too
    return front


def build_optional_login_context(tls: ListenerTls | None, log: logging.Logger) -> ssl.SSLContext | None:
    """Return the context to listen with where a client need not show a certificate: it may have a token.

    Raises:
        ConfigurationError: The files make none.
    """
    return None if tls is None else build_listener_context(load_server_context(tls, "tls", log, required=False))


def read_server_name(connection: _Tls) -> str:
    """Return the name that a client has called the listener by, in lower case; "" where it has not."""
    return str(getattr(connection, _NAME, ""))


def _make(certificate: Path, key: Path, client_ca: Path | None, mode: ssl.VerifyMode) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    if client_ca is not None:
        context.load_verify_locations(client_ca)
        context.verify_mode = mode
        context.num_tickets = 0  # each connection shows its certificate, to the authorities of now
        context.options |= ssl.OP_NO_TICKET
    return context
