"""Kafka's ``ssl.*`` client properties as a TLS context: PEM in files or in the properties, and Java's own stores."""

import os
import re
import secrets
import ssl
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from warden.base.errors import ConfigurationError
from warden.state.sources.kafka.login.java_stores import TYPES, StoreFile, read_key, read_trusted

__all__ = ["build_client_tls"]

_VERSIONS = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}
_BLOCK = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----", re.DOTALL)


def build_client_tls(properties: Mapping[str, str]) -> ssl.SSLContext:
    """Return the context of a client with these properties; without a truststore the system's authorities are trusted.

    Raises:
        ConfigurationError: A property is wrong or of a kind that is not supported; no secret is quoted.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    algorithm = properties.get("ssl.endpoint.identification.algorithm", "https").lower()
    if algorithm not in ("https", ""):
        raise ConfigurationError(f"ssl.endpoint.identification.algorithm is {algorithm}: it must be https or empty")
    context.check_hostname = algorithm == "https"
    context.minimum_version, context.maximum_version = _parse_versions(properties)
    _load_trusted_certificates(context, properties)
    _load_client_certificate(context, properties)
    return context


def _parse_versions(properties: Mapping[str, str]) -> tuple[ssl.TLSVersion, ssl.TLSVersion]:
    names = [name.strip() for name in properties.get("ssl.enabled.protocols", "TLSv1.2,TLSv1.3").split(",")]
    for name in names:
        if name not in _VERSIONS:
            raise ConfigurationError(f"ssl.enabled.protocols has {name}: it may have {' and '.join(_VERSIONS)}")
    versions = [_VERSIONS[name] for name in names]
    return min(versions), max(versions)


def _load_trusted_certificates(context: ssl.SSLContext, properties: Mapping[str, str]) -> None:
    location, inline = _find_store(properties, "ssl.truststore", "certificates")
    if location is not None or inline is not None:
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # Java trusts what the store has, whoever has signed it
    try:
        if isinstance(location, StoreFile):
            context.load_verify_locations(cadata=b"".join(read_trusted(location)))
        elif inline is not None:
            context.load_verify_locations(cadata=_normalise_pem(inline, "ssl.truststore.certificates"))
        elif location is not None:
            context.load_verify_locations(location)
        else:
            context.load_default_certs()
    except ssl.SSLError as error:
        if isinstance(location, StoreFile):
            raise location.build_error(
                f"OpenSSL refuses a certificate in it ({error.reason or error}): replace it"
            ) from error
        raise ConfigurationError(
            f"{_describe_origin(location, 'ssl.truststore.certificates')}: not PEM ({error})"
        ) from error


def _load_client_certificate(context: ssl.SSLContext, properties: Mapping[str, str]) -> None:
    location, chain = _find_store(properties, "ssl.keystore", "certificate.chain")
    key = properties.get("ssl.keystore.key")
    if (chain is None) != (key is None):
        raise ConfigurationError("ssl.keystore.certificate.chain and ssl.keystore.key go together: give both")
    password = properties.get("ssl.key.password", "")  # never None, for which OpenSSL would ask on the terminal
    try:
        if isinstance(location, StoreFile):
            password = secrets.token_hex(32)
            pem = read_key(location, properties.get("ssl.key.password"), password.encode())
            with _open_unnamed_file(pem.decode("ascii")) as path:
                context.load_cert_chain(path, password=password)
        elif chain is not None and key is not None:
            text = _normalise_pem(key, "ssl.keystore.key") + _normalise_pem(chain, "ssl.keystore.certificate.chain")
            with _open_unnamed_file(text) as path:
                context.load_cert_chain(path, password=password)
        elif location is not None:
            context.load_cert_chain(location, password=password)
    except ssl.SSLError as error:
        if isinstance(location, StoreFile):
            raise location.build_error(
                f"OpenSSL refuses its key or certificates ({error.reason or error}): replace them"
            ) from error
        why = "no certificate with its key in PEM, or ssl.key.password does not fit"
        raise ConfigurationError(
            f"{_describe_origin(location, 'ssl.keystore.key')}: {why} ({error.reason or error})"
        ) from error


def _describe_origin(location: Path | None, inline: str) -> str:
    prefix = inline.rpartition(".")[0].removesuffix(".certificate")
    return inline if location is None else f"{prefix}.location {location}"


def _find_store(properties: Mapping[str, str], store: str, inline: str) -> tuple[Path | StoreFile | None, str | None]:
    """(The file, the text) of a store, one of which is None or both."""
    location, text = properties.get(f"{store}.location"), properties.get(f"{store}.{inline}")
    if location is None and text is None:
        return None, None
    kind = properties.get(f"{store}.type", "JKS").upper()
    if kind not in ("PEM", *TYPES):
        raise ConfigurationError(f"{store}.type is {kind}: it may be PEM, {' or '.join(TYPES)}")
    if kind != "PEM" and text is not None:
        raise ConfigurationError(f"{store}.{inline} is PEM: set {store}.type=PEM")
    if kind == "PEM" and f"{store}.password" in properties:
        raise ConfigurationError(f"{store}.password: a store of type PEM has none, leave it out")
    if location is not None and text is not None:
        raise ConfigurationError(f"{store}.location and {store}.{inline} are both given: leave one out")
    if location is None:
        return None, text
    _check_file(store, Path(location))
    if kind == "PEM":
        return Path(location), None
    return StoreFile(store, Path(location), properties.get(f"{store}.password")), None


def _check_file(store: str, path: Path) -> None:
    """Say what is wrong with a file: OpenSSL's errors name none."""
    try:
        if not path.is_file():
            raise ConfigurationError(f"{store}.location: no such file: {path}: write the path of one")
        path.open("rb").close()
    except OSError as error:
        raise ConfigurationError(
            f"{store}.location {path}: cannot be read ({error.strerror}): write the path of a store that this process "
            "may read"
        ) from error


def _normalise_pem(text: str, name: str) -> str:
    """What is written in properties may have lost its line ends, which Kafka allows and OpenSSL does not."""
    blocks = [(match[1], re.sub(r"\s+", "", match[2])) for match in _BLOCK.finditer(text)]
    if not blocks:
        raise ConfigurationError(f"{name} has no -----BEGIN …-----: write PEM, with \\n where a line ends")
    return "".join(
        f"-----BEGIN {kind}-----\n{re.sub('(.{64})', chr(92) + '1' + chr(10), body)}\n-----END {kind}-----\n"
        for kind, body in blocks
    )


@contextmanager
def _open_unnamed_file(text: str) -> Iterator[str]:
    """A name for what OpenSSL takes by file only; it is never written to a disk where the system can do without."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("warden")
        try:
            os.write(descriptor, text.encode())
            yield f"/proc/self/fd/{descriptor}"
        finally:
            os.close(descriptor)
    else:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            yield file.name
