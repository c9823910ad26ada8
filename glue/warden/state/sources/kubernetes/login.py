"""Logins of a kubeconfig that hold no credential: a program (`exec`), or an OpenID Connect provider.

The client library ``kubernetes`` runs and refreshes them. Around it is what it leaves out: a login that fails is an
error, where the library logs it and goes on without a credential, and certificates of a program expire too.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from warden.base.errors import ConfigurationError, KubernetesError
from warden.state.sources.kubernetes.access import Credential

__all__ = ["check_plugin", "refresh_token", "run_plugin"]

_VERSIONS = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")


def check_plugin(where: str, plugin: Any) -> None:
    """Check that a user's ``exec`` names a program and a version of the protocol.

    Args:
        where: The file and the user, for messages.
        plugin: The value of ``exec``.

    Raises:
        ConfigurationError: It does not; the text says what to write.
    """
    command = plugin.get("command") if isinstance(plugin, dict) else None
    if not isinstance(command, str) or not command:
        raise ConfigurationError(f"{where} has exec without a command: name the program")
    if plugin.get("apiVersion") not in _VERSIONS:
        raise ConfigurationError(f"{where} has exec with an apiVersion other than {' or '.join(_VERSIONS)}: write one")


def run_plugin(where: str, directory: Path, plugin: Mapping[str, Any], cluster: Mapping[str, Any]) -> Credential:
    """Run the program of a user's ``exec`` and return the credential that it prints.

    Args:
        where: The file and the user, for messages.
        directory: Of the kubeconfig, which a relative path of the program starts from.
        plugin: The value of ``exec``.
        cluster: The cluster of the context, which the program is given where it says ``provideClusterInfo``.

    Raises:
        KubernetesError: It cannot be run, ends with an error, or prints something else.
    """
    from kubernetes.config import ConfigException
    from kubernetes.config.exec_provider import ExecProvider
    from kubernetes.config.kube_config import ConfigNode

    def build_error(reason: object) -> KubernetesError:
        return KubernetesError(f"{where} cannot log in: {reason}: run {plugin['command']} by hand to see why")

    try:
        nodes = ConfigNode("exec", dict(plugin)), ConfigNode("cluster", dict(cluster))
        status = ExecProvider(nodes[0], str(directory.absolute()), nodes[1]).run()
    except (ConfigException, OSError, TypeError, ValueError) as error:
        raise build_error(str(error).strip().replace("\n", ", ")) from error
    if not isinstance(status, dict):
        raise build_error("the status of what it prints is not an object")
    token, certificate, key = (status.get(name) for name in ("token", "clientCertificateData", "clientKeyData"))
    if any(value is not None and not isinstance(value, str) for value in (token, certificate, key)):
        raise build_error("the token or certificate that it prints is not a string")
    if not token and not (certificate and key):
        raise build_error("it prints neither a token nor a certificate with its key")
    try:
        expires = _parse_instant(status.get("expirationTimestamp"))
    except (TypeError, ValueError) as error:
        raise build_error(f"its expirationTimestamp is not a time ({error})") from error
    return Credential(
        token=token or None,
        certificate=certificate.encode() if certificate else None,
        key=key.encode() if key else None,
        expires=expires,
    )


def refresh_token(where: str, path: Path, context: str) -> Credential:
    """Return the id token of a user's ``auth-provider``, which is refreshed and written back where it has expired.

    It is written back as kubectl does it, since many providers take a refresh token only once.

    Args:
        where: The file and the user, for messages.
        path: The kubeconfig.
        context: The context whose user it is.

    Raises:
        KubernetesError: The provider cannot be reached, or gives no token.
    """
    from kubernetes.client import ApiException, Configuration
    from kubernetes.config import ConfigException, load_kube_config
    from oauthlib.oauth2 import OAuth2Error
    from urllib3.exceptions import HTTPError

    faults = (ApiException, ConfigException, HTTPError, KeyError, OAuth2Error, OSError, TypeError, ValueError)
    configuration = Configuration()
    try:
        load_kube_config(str(path), context, client_configuration=configuration)
    except faults as error:
        reason = str(error).strip().replace("\n", ", ")
        raise KubernetesError(f"{where} cannot log in: {reason}: log in anew with what wrote it") from error
    scheme, _, token = str(configuration.api_key.get("BearerToken", "")).partition(" ")
    if scheme != "Bearer" or not token:
        raise KubernetesError(f"{where} cannot log in: it has no bearer token: log in anew with what wrote it")
    return Credential(token=token)


def _parse_instant(text: Any) -> datetime | None:
    if text is None:
        return None
    instant = datetime.fromisoformat(text)
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)
