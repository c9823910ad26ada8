"""Logins by Kerberos (``sasl.mechanism=GSSAPI``), with the options of Java's ``Krb5LoginModule``.

MIT's library does it, by the package ``gssapi``. Keytab and cache of tickets are given with each login and are no
variables of the process, so that one process logs in to several clusters as several principals.
"""

import ipaddress
import re
import secrets
import socket
from collections.abc import Iterator, Mapping
from typing import Any, Final, Self

from warden.base.errors import ConfigurationError, KafkaError
from warden.base.extras import check_extras
from warden.state.sources.kafka.login.jaas import LoginModule
from warden.state.sources.kafka.login.krb5_options import check_krb5_options, is_true

__all__ = ["SERVICE_NAME", "KerberosLogin", "build_kerberos_options"]

SERVICE_NAME: Final = "sasl.kerberos.service.name"
"""The first part of the brokers' principal."""

_LIBRARY: Final = "install libgssapi-krb5-2 on Debian, krb5-libs on Red Hat"
_TO_BUILD: Final = "which compiles it: first install gcc and libkrb5-dev on Debian, gcc and krb5-devel on Red Hat"
_NO_CACHE: Final = 2529639107  # KRB5_FCC_NOFILE: with a keytab it means that nothing could be had by that either
_MINOR: Final = re.compile(r"Minor \([1-9]\d*\): (.+)", re.DOTALL)


class KerberosLogin(str):
    """The service's name, which is what kafka-python is given and shows, and where tickets for it come from.

    Args:
        service: The first part of the brokers' principal.
        options: The options of ``Krb5LoginModule``, checked.
    """

    __slots__ = ("_principal", "_store_key", "_stores")
    _principal: str | None
    _store_key: bool
    _stores: tuple[tuple[str, dict[str, str]], ...]

    def __new__(cls, service: str, options: Mapping[str, str]) -> Self:
        """Return the text that is the service's name."""
        made = super().__new__(cls, service)
        made._principal = options.get("principal")
        made._store_key = is_true(options, "storeKey")
        made._stores = tuple(_iter_stores(options))
        return made

    def fetch(self) -> Any:
        """Return credentials that are good now: of the cache of tickets, else by the keytab, as Java's module does.

        A ticket that was got by the keytab is kept for the next call until it ends, and then another is got.

        Raises:
            ConfigurationError: The extra is missing, or a library of the system.
            KafkaError: Neither gives a ticket; the sentence says why.
        """
        gssapi, problems = _load_library(), []
        for place, store in self._stores:
            try:
                name = self._principal and gssapi.Name(self._principal, gssapi.NameType.kerberos_principal)
                credentials = gssapi.Credentials(name=name or None, usage="initiate", store=store)
                credentials.inquire()  # it is only here that the ticket is got, or found to have ended
            except (gssapi.exceptions.GSSError, NotImplementedError) as error:
                problems.append(f"{place}: {_describe_error(error)}")
            else:
                if self._store_key and "client_keytab" not in store:  # Java's module: "No key to store"
                    raise KafkaError(
                        f"sasl.jaas.config: storeKey needs a keytab, and {place} has only tickets: leave storeKey out"
                    )
                return credentials
        whom = f" for {self._principal}" if self._principal else ""
        why = "; ".join(problems)
        raise KafkaError(f"Kerberos gives no ticket{whom} ({why}): check sasl.jaas.config and krb5.conf")


def build_kerberos_options(properties: Mapping[str, str], module: LoginModule) -> dict[str, Any]:
    """Return kafka-python's options for a login by Kerberos.

    Args:
        properties: Kafka's client properties.
        module: The login module with its options.

    Raises:
        ConfigurationError: An option is missing, wrong or not known, or the service has no name, or two.
    """
    check_krb5_options(module)
    names = [name for name in (properties.get(SERVICE_NAME, ""), module.options.get("serviceName", "")) if name]
    if not names:
        raise ConfigurationError(f"{SERVICE_NAME} is missing: write the first part of the brokers' principal, kafka")
    if len(set(names)) > 1:
        raise ConfigurationError(
            f"{SERVICE_NAME} is {names[0]} and serviceName in sasl.jaas.config is {names[1]}: leave one out"
        )
    _register()
    return {"sasl_mechanism": "GSSAPI", "sasl_kerberos_service_name": KerberosLogin(names[0], module.options)}


def _iter_stores(options: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """(What an error names, where MIT's library is to look), in the order of Java's module."""
    if is_true(options, "useTicketCache"):
        cache = options.get("ticketCache")
        yield (f"ticketCache {cache}", {"ccache": f"FILE:{cache}"}) if cache else ("the cache of tickets", {})
    if is_true(options, "useKeyTab"):
        path = re.sub(r"^FILE:", "", options["keyTab"], flags=re.IGNORECASE)
        cache = f"MEMORY:warden-{secrets.token_hex(8)}"  # of this login alone
        yield f"keyTab {path}", {"client_keytab": f"FILE:{path}", "ccache": cache}


def _load_library() -> Any:
    try:
        check_extras("gssapi")
        import gssapi
    except ConfigurationError as error:
        raise ConfigurationError(f"{error}, {_TO_BUILD}") from error
    except ImportError as error:
        raise ConfigurationError(f"Kerberos' library cannot be used ({error}): {_LIBRARY}") from error
    return gssapi


def _register() -> None:
    """Have kafka-python log in with the credentials of a `KerberosLogin`, where its own mechanism takes none."""
    from kafka.errors import SaslAuthenticationFailedError
    from kafka.net.sasl import register_sasl_mechanism
    from kafka.net.sasl.gssapi import SaslMechanismGSSAPI

    class Mechanism(SaslMechanismGSSAPI):  # type: ignore[misc]  # kafka-python ships no types
        def __init__(self, **config: Any) -> None:
            login, host = config["sasl_kerberos_service_name"], _resolve_host(config["host"])
            gssapi, self._service = _load_library(), f"{login}@{host}"
            self._is_done = self._is_authenticated = False
            try:
                credentials = login.fetch()
            except KafkaError as error:  # in kafka-python's I/O thread, which knows its own
                raise SaslAuthenticationFailedError(str(error)) from error
            self.auth_id = str(credentials.name)
            self.gssapi_name = gssapi.Name(self._service, gssapi.NameType.hostbased_service)
            self._client_ctx = gssapi.SecurityContext(name=self.gssapi_name, creds=credentials, usage="initiate")
            self._next_token = self._run_step(self._client_ctx.step, None)

        def receive(self, auth_bytes: bytes) -> None:
            self._run_step(super().receive, auth_bytes)

        def _run_step(self, step: Any, received: bytes | None) -> Any:
            try:
                return step(received)
            except _load_library().exceptions.GSSError as error:
                why = f"Kerberos has no ticket for the service {self._service} ({_describe_error(error)})"
                refused = KafkaError(f"{why}: check {SERVICE_NAME}, the brokers' names and krb5.conf")
                raise SaslAuthenticationFailedError(str(refused)) from refused

    register_sasl_mechanism("GSSAPI", Mechanism, overwrite=True)


def _resolve_host(host: str) -> str:
    """The host as in the broker's principal: of an address its name, as Java's ``InetAddress.getHostName``."""
    try:
        ipaddress.ip_address(host)
        return socket.gethostbyaddr(host)[0]
    except (OSError, ValueError):
        return host


def _describe_error(error: Exception) -> str:
    """What Kerberos says, without the words that GSSAPI has for all of its errors."""
    if isinstance(error, NotImplementedError):
        return "this library of Kerberos takes no keytab of a client: install MIT's"
    if type(error).__name__ == "ExpiredCredentialsError":
        return "the ticket has ended, and no other is given"
    if getattr(error, "min_code", 0) == _NO_CACHE:
        return "no such file, or it has nothing of this principal"
    text = str(error)
    match = _MINOR.search(text)
    return " ".join((match[1] if match else text).split())
