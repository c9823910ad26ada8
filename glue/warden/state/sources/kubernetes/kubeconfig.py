"""Read the access of a context from a kubeconfig file."""

import base64
import binascii
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from warden.base.errors import ConfigurationError
from warden.base.files.yaml_files import read_yaml
from warden.state.sources.kubernetes.access import Access, Credential
from warden.state.sources.kubernetes.login import check_plugin, refresh_token, run_plugin

__all__ = ["read_kubeconfig"]

_IMPERSONATION = ("as", "as-uid", "as-groups", "as-user-extra")


def read_kubeconfig(path: Path, context: str | None = None) -> Access:
    """Return the access that a context of a kubeconfig file gives.

    Args:
        path: The file; paths in it are relative to it.
        context: Name of the context; None for the current one.

    Raises:
        ConfigurationError: It cannot be read, lacks something, or has what is not supported; the text says what.
    """
    document = read_yaml(path, ConfigurationError, "kubeconfig file").value
    name = context or (document.get("current-context") if isinstance(document, dict) else None)
    chosen = _find_entry(path, document, "context", name)
    cluster, user = (_find_entry_of_context(path, document, kind, name, chosen) for kind in ("cluster", "user"))
    server = cluster.get("server")
    if not isinstance(server, str) or not server.startswith(("https://", "http://")):
        raise ConfigurationError(f"{path}: cluster {chosen['cluster']} has no server such as https://10.0.0.1:6443")
    token_file, username, password = (_find_text(path, user, key) for key in ("tokenFile", "username", "password"))
    if password and not username:
        raise ConfigurationError(f"{path}: user {chosen['user']} has a password without a username: write both")
    return Access(
        server=server.rstrip("/"),
        origin=str(path),
        credential=Credential(
            token=path.parent / token_file if token_file else _find_text(path, user, "token"),
            password=f"{username}:{password}" if password else None,
            certificate=_find_material(path, user, "client-certificate"),
            key=_find_material(path, user, "client-key"),
        ),
        login=_find_login(path, str(name), chosen["user"], user, cluster),
        ca=_find_material(path, cluster, "certificate-authority"),
        insecure=cluster.get("insecure-skip-tls-verify") is True,
        server_name=_find_text(path, cluster, "tls-server-name"),
        proxy=_find_text(path, cluster, "proxy-url"),
    )


def _find_login(
    path: Path, context: str, name: str, user: Mapping[str, Any], cluster: Mapping[str, Any]
) -> Callable[[], Credential] | None:
    """Check what a user's credential is obtained by, and return what obtains it, None where it is written down."""
    plugin, provider = user.get("exec"), user.get("auth-provider")
    where = f"{path}: user {name}"
    for key in _IMPERSONATION:  # the client library passes over it, so that somebody else would ask
        if user.get(key):
            raise ConfigurationError(f"{where} has {key}, which is not supported: log in as the user that is meant")
    if plugin and provider:
        raise ConfigurationError(f"{where} has exec and auth-provider: keep one of the two")
    if plugin:
        check_plugin(where, plugin)
        return partial(run_plugin, where, path.parent, plugin, cluster)
    if provider:
        settings = provider.get("config") if isinstance(provider, dict) else None
        if not isinstance(settings, dict) or provider.get("name") != "oidc":
            raise ConfigurationError(f"{where} has an auth-provider other than oidc: use exec")
        if not settings.get("idp-certificate-authority") and not settings.get("idp-certificate-authority-data"):
            raise ConfigurationError(  # the client library trusts anybody then, with the refresh token and the secret
                f"{where} has oidc without idp-certificate-authority: name the certificates that the issuer's is from"
            )
        return partial(refresh_token, where, path, context)
    return None


def _find_entry_of_context(
    path: Path, document: Any, kind: str, context: object, chosen: Mapping[str, Any]
) -> Mapping[str, Any]:
    if not chosen.get(kind):
        raise ConfigurationError(f"{path}: context {context!r} names no {kind}: name one there that the file has")
    return _find_entry(path, document, kind, chosen[kind])


def _find_entry(path: Path, document: Any, kind: str, name: object) -> Mapping[str, Any]:
    listed = document.get(f"{kind}s") if isinstance(document, dict) else None
    for item in listed if isinstance(listed, list) else ():
        if isinstance(item, dict) and item.get("name") == name and isinstance(item.get(kind), dict):
            entry: Mapping[str, Any] = item[kind]
            return entry
    raise ConfigurationError(
        f"{path}: has no {kind} {name!r}: name one that the file has"
        if name
        else f"{path}: has no current-context: name one with context:"
    )


def _find_material(path: Path, fields: Mapping[str, Any], name: str) -> Path | bytes | None:
    """A certificate or a key: in the file as base64, which wins as in kubectl, or in a file of its own."""
    if data := fields.get(f"{name}-data"):
        try:
            return base64.b64decode(data, validate=True)
        except (binascii.Error, TypeError, ValueError) as error:
            raise ConfigurationError(f"{path}: {name}-data is not base64") from error
    file = _find_text(path, fields, name)
    return path.parent / file if file else None


def _find_text(path: Path, fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise ConfigurationError(f"{path}: {name} is not a string: write it in quotation marks")
    return value
