"""The subject of a certificate, as Java writes it: what brokers' principal mapping rules see. No input or output.

Java's ``X500Principal.getName()`` (RFC 2253 with ways of its own) is followed to the letter: a name that differs in one
backslash is another principal.
"""

from collections.abc import Iterator, Mapping
from typing import Final

__all__ = ["Unreadable", "format_subject"]

_OID: Final = 0x06
_VERSION: Final = 0xA0
_STRINGS: Final = frozenset({0x0C, 0x13, 0x14, 0x16, 0x1B, 0x1E})  # UTF8, Printable, T61, IA5, General, BMP
_KEYWORDS: Final[Mapping[str, str]] = {
    "2.5.4.3": "CN",
    "2.5.4.6": "C",
    "2.5.4.7": "L",
    "2.5.4.8": "ST",
    "2.5.4.9": "STREET",
    "2.5.4.10": "O",
    "2.5.4.11": "OU",
    "0.9.2342.19200300.100.1.1": "UID",
    "0.9.2342.19200300.100.1.25": "DC",
}
_ESCAPED: Final = frozenset(',=+<>#;"\\')
_EDGES: Final = " \r"


class Unreadable(ValueError):
    """Raised for bytes that are no certificate or no name."""


def format_subject(certificate: bytes) -> str:
    """Return the subject of a certificate.

    Args:
        certificate: It, in DER (X.509, RFC 5280).

    Raises:
        Unreadable: It is none.
    """
    try:
        _, whole, _ = _decode_element(certificate, 0)
        _, signed, _ = _decode_element(whole, 0)
        parts = [element for element in _iter_elements(signed) if element[0] != _VERSION]
        return _format_name(parts[4][1])  # serial number, algorithm, issuer, validity, subject
    except (IndexError, UnicodeDecodeError) as error:
        raise Unreadable("the client's certificate has no subject that can be read") from error


def _format_name(rdns: bytes) -> str:
    texts = [
        "+".join(_format_attribute(value) for _, value, _ in _iter_elements(rdn)) for _, rdn, _ in _iter_elements(rdns)
    ]
    return ",".join(reversed(texts))


def _format_attribute(content: bytes) -> str:
    (kind, oid, _), (tag, value, raw) = _iter_elements(content)
    if kind != _OID:
        raise Unreadable("an attribute of the subject has no type")
    number = _format_oid(oid)
    keyword = _KEYWORDS.get(number)
    if keyword is None or tag not in _STRINGS:
        return f"{keyword or number}=#{raw.hex()}"
    return f"{keyword}={_escape(value.decode('utf-8', 'replace'))}"


def _escape(text: str) -> str:
    pieces = [f"\\{char}" if char in _ESCAPED else "\\00" if char == "\0" else char for char in text]
    chars = "".join(pieces)
    lead = len(chars) - len(chars.lstrip(_EDGES))
    trail = len(chars.rstrip(_EDGES))
    return "".join(f"\\{char}" if i < lead or i >= trail else char for i, char in enumerate(chars))


def _format_oid(content: bytes) -> str:
    numbers, value = [], 0
    for byte in content:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            numbers.append(value)
            value = 0
    first = min(numbers[0] // 40, 2)
    return ".".join(map(str, (first, numbers[0] - 40 * first, *numbers[1:])))


def _iter_elements(content: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    at = 0
    while at < len(content):
        tag, value, end = _decode_element(content, at)
        yield tag, value, content[at:end]
        at = end


def _decode_element(content: bytes, at: int) -> tuple[int, bytes, int]:
    """Return tag and value of a DER element, and where it ends."""
    tag, length, start = content[at], content[at + 1], at + 2
    if length >= 0x80:
        count = length & 0x7F
        length, start = int.from_bytes(content[start : start + count], "big"), start + count
    if start + length > len(content):
        raise Unreadable("a certificate that ends too early")
    return tag, content[start : start + length], start + length
