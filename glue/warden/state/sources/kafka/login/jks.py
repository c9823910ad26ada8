"""Java's own key store (type JKS), as ``sun.security.provider.JavaKeyStore`` writes it.

Big-endian: magic, version, number of entries; each entry has a tag (1 a key, 2 a certificate that is trusted), an alias
and a time. Behind them stands a SHA-1 over the password, two words and all before. Keys are protected by
``sun.security.provider.KeyProtector``: a SHA-1 key stream that begins with 20 random bytes.
"""

import hashlib
import hmac
import struct
from dataclasses import dataclass
from typing import Final

__all__ = ["DAMAGED", "MAGIC", "JksError", "JksKey", "JksStore", "read_jks"]

MAGIC: Final = bytes.fromhex("feedfeed")
"""What such a store begins with."""

DAMAGED: Final = "it is damaged, or the password is wrong: restore it, or write the store's password"
"""What is said of a store that fails its own check."""

_RESTORE: Final = "restore it from a backup"
_CONVERT: Final = "make a store of type PKCS12 of it with keytool -importkeystore"
_WORDS: Final = b"Mighty Aphrodite"
_DIGEST: Final = 20  # bytes of a SHA-1
_KEY, _CERTIFICATE = 1, 2
# SEQUENCE {OID 1.3.6.1.4.1.42.2.17.1.1, NULL}: the algorithm of a protected key.
_ALGORITHM: Final = bytes.fromhex("300e060a2b060104012a021101010500")


class JksError(Exception):
    """Raised for a store that cannot be read.

    Args:
        message: Why; it quotes no secret.
    """


@dataclass(frozen=True, slots=True)
class JksKey:
    """A key with its certificates.

    Args:
        alias: Its name.
        protected: The key as it is stored.
        chain: Certificates, DER, the key's own first.
    """

    alias: str
    protected: bytes
    chain: tuple[bytes, ...]

    def decrypt(self, password: str) -> bytes:
        """Return the key, PKCS #8 in DER.

        Raises:
            JksError: The password is another, or the key is protected otherwise.
        """
        text = _Reader(_decode_element(self.protected, 0x30))
        if text.take(len(_ALGORITHM)) != _ALGORITHM:
            raise JksError(f"the key {self.alias} is not protected as Java does it: {_CONVERT}")
        data, secret = _decode_element(text.rest, 0x04), _encode_password(password)
        salt, body, check = data[:_DIGEST], data[_DIGEST:-_DIGEST], data[-_DIGEST:]
        stream, digest = bytearray(), salt
        while len(stream) < len(body):
            digest = _compute_sha1(secret + digest)
            stream += digest
        plain = bytes(byte ^ mask for byte, mask in zip(body, stream, strict=False))
        if not hmac.compare_digest(_compute_sha1(secret + plain), check):
            raise JksError(f"the password of the key {self.alias} is another: set ssl.key.password")
        return plain


@dataclass(frozen=True, slots=True)
class JksStore:
    """What a store has.

    Args:
        keys: Keys with their certificates.
        trusted: Certificates, DER.
    """

    keys: tuple[JksKey, ...]
    trusted: tuple[bytes, ...]


def read_jks(data: bytes, password: str | None) -> JksStore:
    """Return what a store has.

    Args:
        data: The file.
        password: The store's; None to read it without a look at whether it is whole, as Java does then.

    Raises:
        JksError: It is damaged, or the password is another.
    """
    content, check = data[:-_DIGEST], data[-_DIGEST:]
    if password is not None and not hmac.compare_digest(
        _compute_sha1(_encode_password(password) + _WORDS + content), check
    ):
        raise JksError(DAMAGED)
    reader = _Reader(content)
    if reader.take(len(MAGIC)) != MAGIC or (version := reader.read_number()) not in (1, 2):
        raise JksError(f"it is not a store of type JKS: {_CONVERT}")
    keys, trusted = [], []
    for _ in range(reader.read_number()):
        tag, alias, _time = reader.read_number(), reader.read_text(), reader.take(8)
        if tag == _KEY:
            protected = reader.read_block()
            chain = tuple(reader.read_certificate(version) for _ in range(reader.read_number()))
            keys.append(JksKey(alias, protected, chain))
        elif tag == _CERTIFICATE:
            trusted.append(reader.read_certificate(version))
        else:
            raise JksError(f"it has an entry of unknown kind {tag}: {_CONVERT}")
    return JksStore(tuple(keys), tuple(trusted))


class _Reader:
    """Reads the fields of a store one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, count: int) -> bytes:
        taken = self._data[self._at : self._at + count]
        if len(taken) < count:
            raise JksError(f"it ends too soon: {_RESTORE}")
        self._at += count
        return taken

    @property
    def rest(self) -> bytes:
        return self._data[self._at :]

    def read_number(self) -> int:
        return int(struct.unpack(">I", self.take(4))[0])

    def read_block(self) -> bytes:
        return self.take(self.read_number())

    def read_text(self) -> str:
        """An alias; Java's modified UTF-8 differs for letters that a name to be shown can do without."""
        return self.take(int(struct.unpack(">H", self.take(2))[0])).decode("utf-8", "replace")

    def read_certificate(self, version: int) -> bytes:
        kind = self.read_text() if version == 2 else "X.509"
        if kind != "X.509":
            raise JksError(f"it has a certificate of kind {kind}: only X.509 is read")
        return self.read_block()


def _decode_element(data: bytes, tag: int) -> bytes:
    """The content of the DER element that data begins with."""
    if len(data) < 2 or data[0] != tag:
        raise JksError(f"a key in it is not as Java writes it: {_CONVERT}")
    size, at = data[1], 2
    if size & 0x80:
        count = size & 0x7F
        size, at = int.from_bytes(data[2 : 2 + count], "big"), 2 + count
    if len(data) < at + size:
        raise JksError(f"a key in it ends too soon: {_RESTORE}")
    return data[at : at + size]


def _encode_password(password: str) -> bytes:
    return password.encode("utf-16-be")


def _compute_sha1(data: bytes) -> bytes:
    return hashlib.sha1(data, usedforsecurity=False).digest()  # the format's own
