"""Where an API server is and what proves who asks: a kubeconfig file, or the service account of the pod we run in."""

import base64
import binascii
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from warden.errors import ConfigurationError
from warden.yaml_files import read_yaml

__all__ = ["Access", "in_cluster", "kubeconfig"]

_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
_UNKNOWN = {  # what of a kubeconfig cannot be done here, and would change who asks or whom is trusted
    "user": ("exec", "auth-provider", "username", "password", "as", "as-uid", "as-groups", "as-user-extra"),
    "cluster": ("tls-server-name",),
}


@dataclass(frozen=True)
class Access:
    """How one API server is reached. Files are read when they are used, so that they may be rotated.

    Args:
        server: Its address.
        origin: What this was read from, for messages.
        ca: Certificates to trust, as PEM or a file of it; the system's where there are none.
        token: Bearer token, or a file that holds it.
        certificate: The client's certificate, as PEM or a file of it.
        key: The key of that certificate.
        insecure: Whether anybody is trusted to be the server.
        proxy: Address of a proxy; None for what the environment names.
    """

    server: str
    origin: str
    ca: Path | bytes | None = None
    token: Path | str | None = field(default=None, repr=False)
    certificate: Path | bytes | None = None
    key: Path | bytes | None = field(default=None, repr=False)
    insecure: bool = False
    proxy: str | None = None

    def bearer(self) -> str | None:
        """Return the token as it is now.

        Raises:
            ConfigurationError: Its file cannot be read.
        """
        if not isinstance(self.token, Path):
            return self.token
        try:
            return self.token.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{self.origin}: the token {self.token} cannot be read ({error})") from error


def in_cluster(environ: Mapping[str, str] = os.environ, account: Path = _ACCOUNT) -> Access:
    """Return the access of the pod that this process runs in.

    Args:
        environ: The environment: ``KUBERNETES_SERVICE_HOST`` and ``KUBERNETES_SERVICE_PORT``.
        account: Where the service account is mounted.

    Raises:
        ConfigurationError: This is no pod.
    """
    host, port = environ.get("KUBERNETES_SERVICE_HOST"), environ.get("KUBERNETES_SERVICE_PORT")
    if not host or not port or not (account / "token").is_file():
        raise ConfigurationError(
            "this process runs in no pod with a service account: name a kubeconfig file with kubeconfig:"
        )
    host = f"[{host}]" if ":" in host else host
    return Access(f"https://{host}:{port}", f"{account}", ca=account / "ca.crt", token=account / "token")


def kubeconfig(path: Path, context: str | None = None) -> Access:
    """Return the access that a context of a kubeconfig file gives.

    Args:
        path: The file; paths in it are relative to it.
        context: Name of the context; None for the current one.

    Raises:
        ConfigurationError: It cannot be read, lacks something, or wants what cannot be done here; the text says what.
    """
    document = read_yaml(path, ConfigurationError, "kubeconfig file").value
    name = context or (document.get("current-context") if isinstance(document, dict) else None)
    chosen = _named(path, document, "context", name)
    cluster, user = (_of_context(path, document, kind, name, chosen) for kind in ("cluster", "user"))
    for kind, fields in _UNKNOWN.items():
        for wanted in fields:
            if (cluster if kind == "cluster" else user).get(wanted):
                raise ConfigurationError(
                    f"{path}: {kind} {chosen.get(kind)} wants {wanted}, which is not supported: "
                    "use a token, a tokenFile or a client certificate"
                )
    server = cluster.get("server")
    if not isinstance(server, str) or not server.startswith(("https://", "http://")):
        raise ConfigurationError(f"{path}: cluster {chosen.get('cluster')} has no server such as https://10.0.0.1:6443")
    token_file = user.get("tokenFile")
    return Access(
        server=server.rstrip("/"),
        origin=str(path),
        ca=_material(path, cluster, "certificate-authority"),
        token=path.parent / token_file if token_file else user.get("token"),
        certificate=_material(path, user, "client-certificate"),
        key=_material(path, user, "client-key"),
        insecure=cluster.get("insecure-skip-tls-verify") is True,
        proxy=cluster.get("proxy-url"),
    )


def _of_context(path: Path, document: Any, kind: str, context: object, chosen: Mapping[str, Any]) -> Mapping[str, Any]:
    if not chosen.get(kind):
        raise ConfigurationError(f"{path}: context {context!r} names no {kind}: name one there that the file has")
    return _named(path, document, kind, chosen[kind])


def _named(path: Path, document: Any, kind: str, name: object) -> Mapping[str, Any]:
    listed = document.get(f"{kind}s") if isinstance(document, dict) else None
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict) and item.get("name") == name and isinstance(item.get(kind), dict):
            found: Mapping[str, Any] = item[kind]
            return found
    raise ConfigurationError(
        f"{path}: has no {kind} {name!r}: name one that the file has"
        if name
        else f"{path}: has no current-context: name one with context:"
    )


def _material(path: Path, fields: Mapping[str, Any], name: str) -> Path | bytes | None:
    """A certificate or a key: in the file as base64, which wins as in kubectl, or in a file of its own."""
    if data := fields.get(f"{name}-data"):
        try:
            return base64.b64decode(data, validate=True)
        except (binascii.Error, TypeError, ValueError) as error:
            raise ConfigurationError(f"{path}: {name}-data is not base64") from error
    return path.parent / fields[name] if fields.get(name) else None
