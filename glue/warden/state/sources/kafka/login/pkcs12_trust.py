"""Trusted certificates of a PKCS12 store: those with an attribute of Oracle's, which ``keytool`` gives.

cryptography shows no attributes, so the bags (RFC 7292) are read here, also from what is encrypted as Java and OpenSSL
do by default since 2021 (PBES2 with AES, RFC 8018). ``openssl pkcs12 -export -nokeys`` gives no attribute, and a
truststore that it makes is empty for Java.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

__all__ = ["select_trusted"]

_DATA: Final = bytes.fromhex("2a864886f70d010701")
_CERTIFICATE_BAG: Final = bytes.fromhex("2a864886f70d010c0a0103")
_TRUSTED_KEY_USAGE: Final = bytes.fromhex("6086480186f966adca7b0101")  # 2.16.840.1.113894.746875.1.1
_PBES2: Final = bytes.fromhex("2a864886f70d01050d")
_AES_CBC: Final = {  # bytes of its key
    bytes.fromhex("608648016503040102"): 16,
    bytes.fromhex("608648016503040116"): 24,
    bytes.fromhex("60864801650304012a"): 32,
}
_SHA1: Final = bytes.fromhex("2a864886f70d0207")
_HMACS: Final = {
    _SHA1: "SHA1",
    bytes.fromhex("2a864886f70d0209"): "SHA256",
    bytes.fromhex("2a864886f70d020a"): "SHA384",
    bytes.fromhex("2a864886f70d020b"): "SHA512",
}
_SEQUENCE, _OCTETS = 0x30, 0x04

_Element = tuple[int, bytes]


class _Unread(Exception):
    """The bags are encrypted or written in a way that is not read here."""


def select_trusted(store: bytes, password: str | None, others: "Iterable[Certificate]") -> set[bytes]:
    """Return the certificates, DER, that Java trusts beside those of keys.

    Where bags are encrypted as by Java before 16 and OpenSSL before 3 (RC2), it is those with a name: ``keytool`` gives
    each one, OpenSSL none unless ``-caname`` asks for it.

    Args:
        store: The file, which cryptography has read with this password.
        password: The store's; None where it needs none.
        others: The certificates that are of no key's chain.
    """
    from cryptography.hazmat.primitives.serialization import Encoding
    from cryptography.hazmat.primitives.serialization.pkcs12 import load_pkcs12

    secret = None if password is None else password.encode()
    try:
        return _decode_trusted_certificates(store, secret or b"")
    except _Unread:
        named = {entry.certificate for entry in load_pkcs12(store, secret).additional_certs if entry.friendly_name}
        return {certificate.public_bytes(Encoding.DER) for certificate in others if certificate in named}


def _decode_trusted_certificates(store: bytes, password: bytes) -> set[bytes]:
    try:
        _version, (_tag, safe), *_mac = _decode_parts(_decode_parts(store)[0][1])
        contents = _decode_parts(_decode_parts(_decode_octets(_decode_parts(safe)[1]))[0][1])
        bags = [_decode_parts(bag) for _, content in contents for _, bag in _decode_bags(content, password)]
        return {_decode_certificate(parts[1]) for parts in bags if _is_trusted(parts)}
    except (IndexError, KeyError, ValueError) as error:
        raise _Unread from error


def _is_trusted(bag: list[_Element]) -> bool:
    attributes = _decode_parts(bag[2][1]) if len(bag) > 2 else []
    return bag[0][1] == _CERTIFICATE_BAG and _TRUSTED_KEY_USAGE in [_decode_parts(der)[0][1] for _, der in attributes]


def _decode_certificate(value: _Element) -> bytes:
    _kind, wrapped = _decode_parts(_decode_parts(value[1])[0][1])
    return _decode_octets(wrapped)


def _decode_bags(content: bytes, password: bytes) -> list[_Element]:
    """The bags of one part of the store, in clear or encrypted."""
    (_, kind), wrapped = _decode_parts(content)
    if kind == _DATA:
        safe = _decode_octets(wrapped)
    else:
        _version, (_, encrypted) = _decode_parts(_decode_parts(wrapped[1])[0][1])[:2]
        _kind, (_, algorithm), (tag, data) = _decode_parts(encrypted)
        whole = b"".join(part for _, part in _decode_parts(data)) if tag & 0x20 else data
        safe = _decrypt(_decode_parts(algorithm), whole, password)
    return _decode_parts(_decode_parts(safe)[0][1])


def _decrypt(algorithm: list[_Element], data: bytes, password: bytes) -> bytes:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

    (_, name), (_, parameters) = algorithm
    if name != _PBES2:
        raise _Unread
    (_, derivation), (_, encryption) = _decode_parts(parameters)
    (_, salt), (_, iterations), *others = _decode_parts(_decode_parts(derivation)[1][1])
    hmac = next((_decode_parts(der)[0][1] for tag, der in others if tag == _SEQUENCE), _SHA1)
    (_, cipher), (_, start) = _decode_parts(encryption)
    hashing = getattr(hashes, _HMACS[hmac])()
    key = PBKDF2HMAC(hashing, _AES_CBC[cipher], salt, int.from_bytes(iterations, "big")).derive(password)
    reader = Cipher(algorithms.AES(key), modes.CBC(start)).decryptor()
    plain = reader.update(data) + reader.finalize()
    return plain[: -plain[-1]]


def _decode_octets(wrapped: _Element) -> bytes:
    """What is in an explicit tag's OCTET STRING."""
    ((tag, octets),) = _decode_parts(wrapped[1])
    if tag != _OCTETS:
        raise ValueError(tag)
    return octets


def _decode_parts(data: bytes) -> list[_Element]:
    """(Tag, content) of the DER elements that follow one another."""
    parts, at = [], 0
    while at < len(data):
        tag, size, at = data[at], data[at + 1], at + 2
        if size & 0x80:
            count = size & 0x7F
            size, at = int.from_bytes(data[at : at + count], "big"), at + count
            if not count:
                raise ValueError("BER without a length")
        if at + size > len(data):
            raise ValueError("it ends too soon")
        parts.append((tag, data[at : at + size]))
        at += size
    return parts
