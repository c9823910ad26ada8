"""Keys, certificates and tokens for one run, made by openssl."""

import base64
import json
import secrets
import shutil
import subprocess
import time
from pathlib import Path

from warden.errors import ToolchainError

__all__ = ["Authority"]

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class Authority:
    """A certificate authority and the key of service accounts, in a directory.

    Args:
        directory: Where its files go; it exists.

    Raises:
        ToolchainError: openssl is not on PATH.
    """

    def __init__(self, directory: Path) -> None:
        if shutil.which("openssl") is None:
            raise ToolchainError("openssl is not on PATH, and these tests make their certificates with it: install it")
        self.directory = directory
        self.certificate, self._key = directory / "ca.crt", directory / "ca.key"
        self.accounts_key = directory / "accounts.key"
        _openssl("req", "-x509", *_KEY, "-days", "2", "-subj", "/CN=ca", "-keyout", self._key, "-out", self.certificate)
        _openssl("genrsa", "-out", self.accounts_key, "2048")

    def issue(self, name: str, subject: str, extensions: str) -> tuple[Path, Path]:
        """Return a new certificate and its key.

        Args:
            name: Of its files.
            subject: As in ``/O=group/CN=user``.
            extensions: As in ``subjectAltName=IP:127.0.0.1``.
        """
        certificate, key = self.directory / f"{name}.crt", self.directory / f"{name}.key"
        request, extra = self.directory / f"{name}.csr", self.directory / f"{name}.ext"
        extra.write_text(extensions + "\n", encoding="utf-8")
        _openssl("req", "-new", *_KEY, "-subj", subject, "-keyout", key, "-out", request)
        signing = ("-CA", self.certificate, "-CAkey", self._key, "-set_serial", str(secrets.randbits(63)))
        _openssl("x509", "-req", "-in", request, *signing, "-days", "2", "-extfile", extra, "-out", certificate)
        return certificate, key

    def token(self, issuer: str, account: str, uid: str, seconds: int) -> str:
        """Return a service account's token, as the API server itself would sign it.

        Args:
            issuer: Its issuer and audience.
            account: ``namespace:name``.
            uid: Of the account.
            seconds: How long it is good from now; negative for one that has expired.
        """
        now = int(time.time())
        namespace, name = account.split(":")
        claims = {
            "iss": issuer,
            "aud": [issuer],
            "sub": f"system:serviceaccount:{account}",
            "iat": now - 3600,
            "nbf": now - 3600,
            "exp": now + seconds,
            "kubernetes.io": {"namespace": namespace, "serviceaccount": {"name": name, "uid": uid}},
        }
        text = f"{_encoded({'alg': 'RS256', 'typ': 'JWT'})}.{_encoded(claims)}"
        signature = _openssl("dgst", "-sha256", "-sign", self.accounts_key, input=text.encode())
        return f"{text}.{_base64(signature)}"


def _encoded(document: object) -> str:
    return _base64(json.dumps(document).encode())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _openssl(*arguments: str | Path, input: bytes = b"") -> bytes:
    return subprocess.run(["openssl", *arguments], input=input, capture_output=True, check=True).stdout
