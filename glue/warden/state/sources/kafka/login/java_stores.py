"""Key stores of Java's, type PKCS12 or JKS, as what OpenSSL takes. What the file begins with says which it is.

``keytool`` writes PKCS12 into files that are named and configured as JKS, and Java reads either: so does this.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from warden.base.errors import ConfigurationError
from warden.state.sources.kafka.login.jks import DAMAGED, MAGIC, JksError, JksKey, read_jks
from warden.state.sources.kafka.login.pkcs12_trust import select_trusted

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
    from cryptography.x509 import Certificate

__all__ = ["TYPES", "StoreFile", "read_key", "read_trusted"]

TYPES: Final = ("JKS", "PKCS12")
"""Types of stores that are read here."""

_JCEKS: Final = bytes.fromhex("cececece")
_SEQUENCE: Final = b"\x30"  # what PKCS12 begins with, as all DER
_KEY_BAG: Final = bytes.fromhex("060b2a864886f70d010c0a0102")  # RFC 7292: begins each protected key, in clear itself
_CONVERT: Final = (
    "keytool -importkeystore -srcstoretype JCEKS -srckeystore {0} -deststoretype PKCS12 -destkeystore {0}.p12"
)
_UNMARKED: Final = (
    "Java trusts none of its certificates, which lack an attribute that keytool gives and openssl pkcs12 does not: put "
    "them into a new store by keytool -importcert"
)
_NO_KEY: Final = "it has no key with its certificate: name the store with the client's key"
_SEVERAL: Final = "it has several keys{}: keep the one to log in with"


@dataclass(frozen=True, slots=True)
class StoreFile:
    """A store, and what its errors name.

    Args:
        name: The properties' prefix, such as ``ssl.keystore``.
        path: The file.
        password: The store's; None where none is given.
    """

    name: str
    path: Path
    password: str | None = field(repr=False)

    def build_error(self, problem: str) -> ConfigurationError:
        """Return the error that says what is wrong with it."""
        return ConfigurationError(f"{self.name}.location {self.path}: {problem}")

    def read(self) -> bytes:
        """Return its content, of one of the types that are read here.

        Raises:
            ConfigurationError: It is of another, or cannot be read.
        """
        try:
            data = self.path.read_bytes()
        except OSError as error:
            reason = f"cannot be read ({error.strerror or error})"
            raise self.build_error(f"{reason}: write the path of a store that this process may read") from error
        if data.startswith(_JCEKS):
            raise self.build_error(f"a store of type JCEKS is not read: {_CONVERT.format(self.path)}")
        if data.lstrip().startswith(b"-----BEGIN"):
            raise self.build_error(f"it is PEM: set {self.name}.type=PEM")
        if not data.startswith((MAGIC, _SEQUENCE)):
            raise self.build_error("it is neither PKCS12 nor JKS: make one of them with keytool -importkeystore")
        return data


def read_trusted(store: StoreFile) -> list[bytes]:
    """Return the certificates that a truststore has, in DER; a key's own certificate is trusted too, as by Java.

    Raises:
        ConfigurationError: It cannot be read, or it has none.
    """
    data = store.read()
    if data.startswith(MAGIC):
        try:
            content = read_jks(data, store.password)
        except JksError as error:
            raise store.build_error(str(error)) from error
        trusted = [*content.trusted, *(key.chain[0] for key in content.keys if key.chain)]
    else:
        from cryptography.hazmat.primitives.serialization import Encoding

        _, chain, others = _decode_pkcs12(store, data)
        own = [certificate.public_bytes(Encoding.DER) for certificate in chain[:1]]
        trusted = [*own, *sorted(select_trusted(data, store.password, others))]
        if others and not trusted:
            raise store.build_error(_UNMARKED)
    if not trusted:
        raise store.build_error("it has no certificate to trust: put the issuer's into it by keytool -importcert")
    return trusted


def read_key(store: StoreFile, key_password: str | None, secret: bytes) -> bytes:
    """Return the key that a keystore has and its certificates, in PEM.

    Args:
        store: The keystore.
        key_password: The key's own password; None where it is the store's.
        secret: What the key is encrypted with in the PEM, so that it stands nowhere in clear.

    Raises:
        ConfigurationError: It cannot be read, or it has no key, or several.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        PrivateFormat,
        load_der_private_key,
    )
    from cryptography.x509 import load_der_x509_certificate

    if store.password is None:
        raise ConfigurationError(f"{store.name}.password is missing: write the one that {store.path} was made with")
    data = store.read()
    key: PrivateKeyTypes
    if data.startswith(MAGIC):
        try:
            entry = _require_single_key(store, read_jks(data, store.password).keys)
            key = load_der_private_key(entry.decrypt(key_password or store.password), None)
            chain = [load_der_x509_certificate(der) for der in entry.chain]
        except JksError as error:
            raise store.build_error(str(error)) from error
        except (UnsupportedAlgorithm, ValueError) as error:
            raise store.build_error(
                "its key or a certificate in it is of a kind that is not read: replace it"
            ) from error
    else:
        if key_password not in (None, store.password):
            raise ConfigurationError(f"ssl.key.password: the key in {store.path}, PKCS12, has the store's password")
        own, chain, _ = _decode_pkcs12(store, data)
        if own is None or not chain:
            raise store.build_error(_NO_KEY)
        key = own
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(secret))
    return text + b"".join(certificate.public_bytes(Encoding.PEM) for certificate in chain)


def _require_single_key(store: StoreFile, keys: tuple[JksKey, ...]) -> JksKey:
    if not keys:
        raise store.build_error(_NO_KEY)
    if len(keys) > 1:
        raise store.build_error(_SEVERAL.format(f" ({', '.join(key.alias for key in keys)})"))
    return keys[0]


def _decode_pkcs12(
    store: StoreFile, data: bytes
) -> "tuple[PrivateKeyTypes | None, list[Certificate], list[Certificate]]":
    """The key, its certificate with those of its issuers, and all others. Java trusts an issuer only among the others.

    As ``sun.security.pkcs12.PKCS12KeyStore`` does, issuers are looked up by name.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization.pkcs12 import load_key_and_certificates

    if data.count(_KEY_BAG) > 1:  # of which cryptography would tell one, and the certificates of all
        raise store.build_error(_SEVERAL.format(""))
    password = None if store.password is None else store.password.encode()
    try:
        key, own, others = load_key_and_certificates(data, password)
    except (UnsupportedAlgorithm, ValueError) as error:
        if store.password is None:
            raise ConfigurationError(
                f"{store.name}.password is missing: write the one that {store.path} was made with"
            ) from error
        raise store.build_error(DAMAGED) from error
    chain = [own] if own else []
    while chain and chain[-1].issuer != chain[-1].subject:
        issuer = next((certificate for certificate in others if certificate.subject == chain[-1].issuer), None)
        if issuer is None:
            break
        others.remove(issuer)  # each is taken once, so this ends
        chain.append(issuer)
    return key, chain, others
