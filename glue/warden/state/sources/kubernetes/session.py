"""One login at one API server: the client library's connections, made for an access and a credential."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import urllib3

from warden.base.errors import ConfigurationError
from warden.base.extras import check_extras
from warden.state.sources.kubernetes.access import Access, Credential

if TYPE_CHECKING:
    from kubernetes.client import ApiClient, Configuration

__all__ = ["ApiRequest", "Session", "open_session"]

_CONNECT_SECONDS = 5.0
_IMPORTING = Lock()
_EARLY = timedelta(seconds=10)  # before a credential expires, since clocks differ


@dataclass(frozen=True)
class ApiRequest:
    """One request.

    Args:
        method: ``GET``, ``POST``, ``PUT`` or ``PATCH``.
        path: Path and query.
        silence: Seconds without a byte after which the connection counts as lost.
        document: What is sent, as JSON; None for nothing.
        media_type: Its type, one of JSON's.
    """

    method: str
    path: str
    silence: float
    document: Mapping[str, Any] | None = None
    media_type: str = "application/json"


@dataclass(frozen=True)
class Session:
    """Connections that share a credential.

    Args:
        access: The API server.
        credential: Sent with each request, or shown as each connection is made.
        client: The connections.
    """

    access: Access
    credential: Credential
    client: "ApiClient"

    @property
    def expired(self) -> bool:
        """Whether the credential is about to expire."""
        expires = self.credential.expires
        return expires is not None and datetime.now(UTC) >= expires - _EARLY

    def send(self, request: ApiRequest) -> urllib3.BaseHTTPResponse:
        """Send a request, once, and return its response, whose body has not been read."""
        from kubernetes.client import ApiException

        headers = {"Accept": "application/json", "User-Agent": "warden"}
        if authorization := self.access.build_authorization(self.credential):
            headers["Authorization"] = authorization
        if request.document is not None:
            headers["Content-Type"] = request.media_type
        limits = (_CONNECT_SECONDS, request.silence)
        url = f"{self.access.server}{request.path}"
        try:
            answer = self.client.call_api(
                request.method, url, header_params=headers, body=request.document, _request_timeout=limits
            )
        except ApiException as error:  # made of an error of TLS, whatever its name says
            raise urllib3.exceptions.SSLError(error.reason) from error
        response: urllib3.BaseHTTPResponse = answer.response
        return response

    def close(self) -> None:
        """Close idle connections; those in use close when they end."""
        self.client.rest_client.close()


def open_session(access: Access, connections: int, directory: Path) -> Session:
    """Log in and return a session; nothing is sent to the API server yet.

    Args:
        access: The API server.
        connections: How many are kept open.
        directory: For certificates and keys that are only in memory, since the TLS library takes files; mode 0700.

    Raises:
        ConfigurationError: A file is missing, or the client library.
        KubernetesError: The login fails.
    """
    check_extras("kubernetes")
    with _IMPORTING:
        # Two threads that import it at once break it, for as long as the process lives (_DeadlockError).
        from kubernetes.client import ApiClient, Configuration
        from kubernetes.utils.keepalive import tcp_keepalive_socket_options

    credential = access.log_in()
    configuration = Configuration(
        host=access.server,
        retries=False,  # and no redirect is followed
        connection_pool_maxsize=connections,
        tls_server_name=access.server_name,
        verify_ssl=not access.insecure,
        # A connection whose other end is gone is noticed within half a minute, though nothing is sent on it.
        socket_options=tcp_keepalive_socket_options(idle=10, interval=5, count=3),
    )
    _set_trust(configuration, access)
    _set_proxy(configuration, access)
    configuration.cert_file = _obtain_file(access, directory / "crt", credential.certificate)
    configuration.key_file = _obtain_file(access, directory / "key", credential.key)
    return Session(access, credential, ApiClient(configuration))


def _set_trust(configuration: "Configuration", access: Access) -> None:
    if access.insecure:  # a decision of the kubeconfig, which need not be repeated with every request
        urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
    elif isinstance(access.ca, bytes):
        configuration.ca_cert_data = access.ca.decode("ascii", errors="replace")
    elif access.ca:
        configuration.ssl_ca_cert = _require_file(access, access.ca)


def _set_proxy(configuration: "Configuration", access: Access) -> None:
    if access.proxy:
        configuration.proxy, configuration.no_proxy = access.proxy, ""  # NO_PROXY is about the environment's
    user = urlsplit(configuration.proxy or "")
    if user.username:
        password = f"{unquote(user.username)}:{unquote(user.password or '')}"
        configuration.proxy_headers = urllib3.make_headers(proxy_basic_auth=password)


def _obtain_file(access: Access, path: Path, material: Path | bytes | None) -> str | None:
    if material is None:
        return None
    if isinstance(material, Path):
        return _require_file(access, material)
    path.touch(mode=0o600)
    path.write_bytes(material)
    return str(path)


def _require_file(access: Access, path: Path) -> str:
    if not path.is_file():
        raise ConfigurationError(f"{access.origin}: {path} is not a file: write it, or name another one")
    return str(path)
