"""The address of an API server and the credential for it; those of the pod that this process runs in."""

import base64
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from warden.base.errors import ConfigurationError

__all__ = ["Access", "Credential", "read_pod_access"]

_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
_PRINTABLE = re.compile(r"[!-~]+")


@dataclass(frozen=True)
class Credential:
    """What a client proves with who it is.

    Args:
        token: Bearer token, or a file that holds it.
        password: ``user:password``.
        certificate: The client's certificate, as PEM or a file of it.
        key: The key of that certificate.
        expires: When another one has to be obtained; None where only the API server knows.
    """

    token: Path | str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    certificate: Path | bytes | None = None
    key: Path | bytes | None = field(default=None, repr=False)
    expires: datetime | None = None


@dataclass(frozen=True)
class Access:
    """How one API server is reached. Files are read when they are used, so that they may be rotated.

    Args:
        server: Its address.
        origin: The file or directory that this was read from, for messages.
        credential: The client's credential, as far as it is written down.
        login: Obtains the rest of the credential, by a program or from an identity provider; None where it is whole.
        ca: Certificates to trust, as PEM or a file of it; the system's where there are none.
        insecure: Whether the server's certificate is accepted unseen.
        server_name: Name to expect in the server's certificate, where it is not that of the address.
        proxy: Address of a proxy; None for the one that the environment names.
    """

    server: str
    origin: str
    credential: Credential = Credential()
    login: Callable[[], Credential] | None = field(default=None, compare=False)
    ca: Path | bytes | None = None
    insecure: bool = False
    server_name: str | None = None
    proxy: str | None = None

    @property
    def renewable(self) -> bool:
        """Whether a credential that is refused may be replaced by another one without a new configuration."""
        return self.login is not None or isinstance(self.credential.certificate, Path)

    def log_in(self) -> Credential:
        """Return the whole credential.

        Raises:
            KubernetesError: The program or the identity provider gives none.
        """
        if self.login is None:
            return self.credential
        obtained = self.login()
        return replace(self.credential, **{name: value for name, value in vars(obtained).items() if value is not None})

    def build_authorization(self, credential: Credential) -> str | None:
        """Return the header that a credential is sent in, None where it has no token and no password.

        Args:
            credential: As `log_in` returned it. A token in a file is read now.

        Raises:
            ConfigurationError: The token cannot be read, or cannot be sent.
        """
        token = credential.token
        if isinstance(token, Path):
            try:
                token = token.read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                raise ConfigurationError(f"{self.origin}: the token {token} cannot be read ({error})") from error
        if token is None:
            password = credential.password
            return None if password is None else f"Basic {base64.b64encode(password.encode()).decode()}"
        if not _PRINTABLE.fullmatch(token):  # before the HTTP library shows it in an error of its own
            raise ConfigurationError(f"{self.origin}: the token is empty, or has spaces or other than ASCII: renew it")
        return f"Bearer {token}"


def read_pod_access(environ: Mapping[str, str] = os.environ, account: Path = _ACCOUNT) -> Access:
    """Return the access of the pod that this process runs in.

    Args:
        environ: The environment: ``KUBERNETES_SERVICE_HOST`` and ``KUBERNETES_SERVICE_PORT``.
        account: Where the service account is mounted.

    Raises:
        ConfigurationError: This is not a pod.
    """
    host, port = environ.get("KUBERNETES_SERVICE_HOST"), environ.get("KUBERNETES_SERVICE_PORT")
    if not host or not port or not (account / "token").is_file():
        raise ConfigurationError(
            "this process runs in no pod with a service account: name a kubeconfig file with kubeconfig:"
        )
    host = f"[{host}]" if ":" in host else host
    credential = Credential(token=account / "token")
    return Access(f"https://{host}:{port}", str(account), credential, ca=account / "ca.crt")
