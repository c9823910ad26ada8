"""Kafka's client properties for a secured cluster, as the command-line tools take them with ``--command-config``.

Supported: ``security.protocol`` PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL; ``sasl.mechanism`` PLAIN and SCRAM with the
user in ``sasl.jaas.config``; TLS from PEM files (``ssl.truststore.location``, ``ssl.keystore.location``, type PEM).
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from warden.errors import ConfigurationError
from warden.files.properties import properties_of

__all__ = ["client_options", "read_properties"]

_PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
_MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
_JAAS_OPTION = re.compile(r'(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;]+)')


class _Secret(str):
    """A text that does not show itself: kafka-python logs its whole configuration at DEBUG, with ``repr``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'***'"


def read_properties(path: Path) -> dict[str, str]:
    """Return the properties of a file for ``--command-config``, read as Kafka's own tools read it.

    Raises:
        ConfigurationError: It cannot be read, or Java would refuse it.
    """
    return properties_of(path, ConfigurationError, "file with Kafka's client properties")


def client_options(properties: Mapping[str, str]) -> dict[str, Any]:
    """Return kafka-python's connection options for Kafka's client properties; other properties are ignored.

    Raises:
        ConfigurationError: A property is wrong or of a kind that is not supported; secrets are not quoted.
    """
    protocol = _one_of(properties, "security.protocol", _PROTOCOLS, "PLAINTEXT")
    options: dict[str, Any] = {"security_protocol": protocol}
    if protocol.startswith("SASL"):
        options |= _sasl(properties)
    if protocol.endswith("SSL"):
        options |= _ssl(properties)
    return options


def _sasl(properties: Mapping[str, str]) -> dict[str, Any]:
    mechanism = _one_of(properties, "sasl.mechanism", _MECHANISMS, "GSSAPI")
    user = {name: _unquoted(value) for name, value in _JAAS_OPTION.findall(properties.get("sasl.jaas.config", ""))}
    for field in ("username", "password"):
        if field not in user:
            raise ConfigurationError(f'sasl.jaas.config has no {field}="…": name it as Kafka\'s own clients do')
    return {
        "sasl_mechanism": mechanism,
        "sasl_plain_username": user["username"],
        "sasl_plain_password": _Secret(user["password"]),
    }


def _ssl(properties: Mapping[str, str]) -> dict[str, Any]:
    algorithm = properties.get("ssl.endpoint.identification.algorithm", "https")
    options: dict[str, Any] = {"ssl_check_hostname": bool(algorithm.strip())}
    if trusted := _pem(properties, "ssl.truststore"):
        options["ssl_cafile"] = trusted
    if own := _pem(properties, "ssl.keystore"):
        options |= {"ssl_certfile": own, "ssl_keyfile": own}
    if "ssl.key.password" in properties:
        options["ssl_password"] = _Secret(properties["ssl.key.password"])
    return options


def _pem(properties: Mapping[str, str], store: str) -> str | None:
    location = properties.get(f"{store}.location")
    if location is None:
        return None
    kind = properties.get(f"{store}.type", "JKS")
    if kind.upper() != "PEM":
        raise ConfigurationError(
            f"{store}.type is {kind}: only PEM is supported, convert the store and set {store}.type=PEM"
        )
    if not Path(location).is_file():
        raise ConfigurationError(f"{store}.location: no such file: {location}")
    return location


def _one_of(properties: Mapping[str, str], name: str, allowed: tuple[str, ...], default: str) -> str:
    value = properties.get(name, default).strip()
    if value not in allowed:
        raise ConfigurationError(f"{name} is {value}: it must be one of {', '.join(allowed)}")
    return value


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith('"') else text
