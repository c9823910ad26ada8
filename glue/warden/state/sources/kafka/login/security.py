"""Kafka's client properties for a secured cluster, as the command-line tools take them with ``--command-config``.

Supported: ``security.protocol`` PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL; ``sasl.mechanism`` GSSAPI, PLAIN, SCRAM,
OAUTHBEARER and AWS_MSK_IAM; TLS from stores of type PEM, PKCS12 and JKS. What is not supported is refused by name.
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import ConfigurationError, WardenError
from warden.base.files.properties import load_properties
from warden.state.sources.kafka.login.clouds import AWS_MSK_IAM
from warden.state.sources.kafka.login.delegation_tokens import build_token_user
from warden.state.sources.kafka.login.jaas import LoginModule, parse_jaas
from warden.state.sources.kafka.login.kerberos import build_kerberos_options
from warden.state.sources.kafka.login.krb5_options import list_idle_krb5_options
from warden.state.sources.kafka.login.login_properties import check_login_properties, list_unused_properties
from warden.state.sources.kafka.login.oauth import OAuthTokens, build_token_source
from warden.state.sources.kafka.login.tls_stores import build_client_tls

__all__ = ["build_client_options", "read_properties"]

_PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
_MECHANISMS = ("GSSAPI", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", AWS_MSK_IAM)
_TOKEN_MODULES = {"OAUTHBEARER": "OAuthBearerLoginModule", AWS_MSK_IAM: "IAMLoginModule"}
_BLANKS = "".join(map(chr, range(0x21)))  # what String.trim of Java's takes off, and so Kafka off every value
_SURROGATE = re.compile("[\ud800-\udfff]")
_LOOKUPS = ("use_all_dns_ips", "resolve_canonical_bootstrap_servers_only")


class _Secret(str):
    """A text that does not show itself: kafka-python logs its whole configuration at DEBUG, with ``repr``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'***'"


def read_properties(path: Path) -> dict[str, str]:
    """Return the properties of a file for ``--command-config``, read as Kafka's own tools read it.

    Those that no admin client has are named on stderr, as are options of a login by Kerberos without effect here.

    Raises:
        ConfigurationError: It cannot be read, Java would refuse it, or a property about the login is not understood.
    """
    properties = load_properties(path, ConfigurationError, "file with Kafka's client properties")
    try:
        check_login_properties(properties)
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {error}") from error
    if unused := [*list_unused_properties(properties), *_list_idle_options(properties)]:
        names = ", ".join(name if name.isprintable() else repr(name) for name in unused)
        print(f"warden: {path}: without effect here: {names}", file=sys.stderr)
    return properties


def build_client_options(properties: Mapping[str, str]) -> dict[str, Any]:
    """Return kafka-python's connection options for Kafka's client properties.

    Raises:
        ConfigurationError: A property is wrong, not known or of a kind that is not supported; secrets are not quoted.
    """
    properties = {name: value.strip(_BLANKS) for name, value in properties.items()}
    for name, value in properties.items():
        if _SURROGATE.search(value):
            raise ConfigurationError(f"{name} has half a character (\\uD800 to \\uDFFF): write both of its halves")
    check_login_properties(properties)
    protocol = _parse_choice(properties, "security.protocol", _PROTOCOLS, "PLAINTEXT", str.upper)
    options: dict[str, Any] = {"security_protocol": protocol}
    if "client.dns.lookup" in properties:
        options["client_dns_lookup"] = _parse_choice(properties, "client.dns.lookup", _LOOKUPS, "")
    if protocol.startswith("SASL"):
        options |= _build_sasl_options(properties)
    if protocol.endswith("SSL"):
        options["ssl_context"] = build_client_tls(properties)
    return options


def _list_idle_options(properties: Mapping[str, str]) -> list[str]:
    """Options of the login module that have no effect here; what is wrong with it is said where it is used."""
    try:
        module = parse_jaas(properties.get("sasl.jaas.config", ""))
    except ConfigurationError:
        return []
    return [f"{option} in sasl.jaas.config" for option in list_idle_krb5_options(module)]


def _build_sasl_options(properties: Mapping[str, str]) -> dict[str, Any]:
    mechanism = _parse_choice(properties, "sasl.mechanism", _MECHANISMS, "GSSAPI")
    if "sasl.jaas.config" not in properties:
        raise ConfigurationError(
            "sasl.jaas.config is missing: write a login module with its options, such as "
            'org.apache.kafka.common.security.scram.ScramLoginModule required username="…" password="…";'
        )
    module = parse_jaas(properties["sasl.jaas.config"])
    if mechanism == "GSSAPI":
        return build_kerberos_options(properties, module)
    if needed := _TOKEN_MODULES.get(mechanism):
        if module.name != needed:
            raise ConfigurationError(f"sasl.jaas.config has {module.name}: {mechanism} needs {needed}")
        return {"sasl_mechanism": "OAUTHBEARER", "sasl_oauth_token_provider": _build_token_provider(properties, module)}
    for field in ("username", "password"):
        if field not in module.options:
            raise ConfigurationError(f'sasl.jaas.config has no {field}="…": name it as Kafka\'s own clients do')
    user = module.options["username"]
    if module.options.get("tokenauth", "").lower() == "true":
        if not mechanism.startswith("SCRAM"):
            raise ConfigurationError(
                f"sasl.jaas.config has tokenauth: set sasl.mechanism to SCRAM-SHA-256 or SCRAM-SHA-512, not {mechanism}"
            )
        user = build_token_user(user)
    return {
        "sasl_mechanism": mechanism,
        "sasl_plain_username": user,
        "sasl_plain_password": _Secret(module.options["password"]),
    }


def _build_token_provider(properties: Mapping[str, str], module: LoginModule) -> Any:
    """A token provider of kafka-python, which calls it for each new connection; `fetch` raises errors of ours."""
    from kafka.net.sasl.oauth import AbstractTokenProvider

    prefix = "extension_"
    extensions = {name.removeprefix(prefix): text for name, text in module.options.items() if name.startswith(prefix)}
    tokens = OAuthTokens(build_token_source(properties, module))

    class Provider(AbstractTokenProvider):  # type: ignore[misc]  # kafka-python ships no types
        fetch = staticmethod(tokens.obtain_token)

        def token(self) -> str:
            try:
                return tokens.obtain_token()
            except WardenError as error:  # in kafka-python's I/O thread, which knows what an OSError is
                raise OSError(str(error)) from error

        def extensions(self) -> dict[str, str]:
            return extensions

    return Provider()


def _parse_choice(
    properties: Mapping[str, str], name: str, allowed: tuple[str, ...], default: str, form: Any = str
) -> str:
    value: str = form(properties.get(name, default))
    if value not in allowed:
        raise ConfigurationError(describe_unknown(name, value, allowed))
    return value
