"""JSON Web Tokens as recipes: header, claims, key and form, from which the keys of a run make a text."""

import base64
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fuzz.json_text import random_value, render

__all__ = ["FORMS", "Signer", "Token", "random_token"]

_ALGORITHMS = (
    "RS256",
    "ES256",
    "RS256",
    "ES256",
    "PS256",
    "RS512",
    "ES512",
    "EdDSA",
    "HS256",
    "none",
    "None",
    "",
    "dir",
)
_FIELDS = ("cty", "crit", "enc", "typ", "kid", "jwk", "jku", "x5u", "x5c", "zip", "b64", "p2c", "epk", "exp")
_KEYS = ("a", "a", "b", "b", "other", "secret", "random", "empty")

FORMS: Mapping[str, Callable[[str, str, str], str]] = {
    "plain": lambda header, claims, signature: f"{header}.{claims}.{signature}",
    "padded": lambda *parts: ".".join(part + "=" * (-len(part) % 4) for part in parts),
    "padded too much": lambda *parts: ".".join(f"{part}==" for part in parts),
    "two parts": lambda header, claims, _: f"{header}.{claims}",
    "four parts": lambda *parts: ".".join((*parts, parts[2])),
    "five parts": lambda *parts: ".".join((*parts, *parts[:2])),
    "one part": lambda header, *_: header,
    "no header": lambda _, *parts: ".".join(("", *parts)),
    "no claims": lambda header, _, signature: f"{header}..{signature}",
    "header only": lambda header, *_: f"{header}..",
    "points": lambda *_: "." * 5000,
    "other alphabet": lambda *parts: ".".join(parts).replace("-", "+").replace("_", "/"),
    "blank": lambda header, claims, signature: f"{header}. {claims}.{signature}",
    "short": lambda *parts: ".".join(parts)[:-7],
    "another's claims": lambda header, _, signature: f"{header}.e30.{signature}",
    "inside another": lambda *parts: f"{parts[0]}.{_encode('.'.join(parts).encode())}.{parts[2]}",
    "not base64": lambda *parts: ".".join(part + "*" for part in parts),
    "long": lambda header, claims, signature: f"{header}.{claims}.{signature * 80}",
    "very long": lambda header, claims, signature: f"{header}.{claims}.{'A' * 500_000}{signature}",
}


@dataclass(frozen=True)
class Token:
    """A recipe of a token.

    Args:
        header: JSON, or nearly.
        claims: The same.
        key: ``a`` and ``b`` are the issuer's; ``other`` is not; ``secret`` takes the public key as a shared one.
        form: How the parts are put together, of `FORMS`.
    """

    header: str
    claims: str
    key: str
    form: str

    @property
    def is_signed(self) -> bool:
        """Whether the issuer has signed just this."""
        return self.key in {"a", "b"}


def random_token(rng: random.Random, claims: Mapping[str, Any]) -> Token:
    """Return a token that has some of its places changed, and now and then none."""
    rate = rng.choice((0.0, 0.05, 0.2))
    header: dict[str, Any] = {"alg": rng.choice(_ALGORITHMS), "typ": "JWT", "kid": rng.choice("abx")}
    text = render(rng, header, rate)
    if rng.random() < 0.4 and text.endswith("}"):
        text = f'{text[:-1]}, "{rng.choice(_FIELDS)}": {random_value(rng, 2)}}}'
    form = "plain" if rng.random() < 0.7 else rng.choice(sorted(FORMS))
    return Token(text, render(rng, claims, rate), rng.choice(_KEYS), form)


class Signer:
    """Makes texts of recipes.

    Args:
        keys: Private keys as PEM files, by the names of recipes.
    """

    def __init__(self, keys: Mapping[str, Path]) -> None:
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        self._keys: dict[str, Any] = {name: load_pem_private_key(p.read_bytes(), None) for name, p in keys.items()}

    def text(self, token: Token) -> str:
        """Return the token as it is sent."""
        header, claims = (_encode(part.encode("utf-8", "surrogatepass")) for part in (token.header, token.claims))
        signature = self._signature(token.key, f"{header}.{claims}".encode())
        return FORMS[token.form](header, claims, _encode(signature))

    def _signature(self, name: str, content: bytes) -> bytes:
        from cryptography.hazmat.primitives import hashes, hmac
        from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        key = self._keys.get(name)
        if isinstance(key, rsa.RSAPrivateKey):
            return key.sign(content, padding.PKCS1v15(), hashes.SHA256())
        if isinstance(key, ec.EllipticCurvePrivateKey):
            pair = utils.decode_dss_signature(key.sign(content, ec.ECDSA(hashes.SHA256())))
            return b"".join(number.to_bytes(32, "big") for number in pair)
        if name == "secret" and "a" in self._keys:
            public = self._keys["a"].public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
            code = hmac.HMAC(public, hashes.SHA256())
            code.update(content)
            return code.finalize()
        return b"" if name == "empty" else bytes(range(64))


def _encode(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
