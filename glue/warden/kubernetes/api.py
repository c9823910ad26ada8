"""The door to one API server: documents by GET, events as a stream, and errors in words."""

import json
import socket
import ssl
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import requests
import urllib3
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from requests.utils import get_environ_proxies

from warden.errors import KubernetesError, KubernetesUnreachable
from warden.kubernetes.access import Access

__all__ = ["ApiServer", "Stream"]

_CONNECT_SECONDS = 5.0
_READ_SECONDS = 30.0
_MEANT = {  # what to do about a status
    401: "the token or certificate is wrong or has expired: renew it in {origin}",
    403: "let a role allow it, with the verbs list and watch",
}


class ApiServer:
    """One API server, safe to share between threads.

    Args:
        access: Where it is and who asks.
        connections: How many are kept open.

    Raises (by every method):
        KubernetesUnreachable: No connection, no trust, or no answer in time.
        KubernetesError: An answer that is no use, with its status.
        ConfigurationError: A file that ``access`` names cannot be read.
    """

    def __init__(self, access: Access, connections: int = 8) -> None:
        self.access = access
        self._files = tempfile.TemporaryDirectory(prefix="warden-")  # mode 0700
        self._session = requests.Session()
        self._session.trust_env = False  # a .netrc entry would replace the token
        self._session.headers["Accept"] = "application/json"
        self._session.auth = _Bearer(access.bearer)
        proxy = {"http": access.proxy, "https": access.proxy} if access.proxy else get_environ_proxies(access.server)
        self._session.proxies = proxy
        ca = self._file("ca", access.ca)
        if access.insecure:  # asked for in so many words, once: not to be told again with every request
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        self._session.verify = ca if ca and not access.insecure else not access.insecure
        certificate, key = self._file("crt", access.certificate), self._file("key", access.key)
        self._session.cert = (certificate, key) if certificate and key else certificate
        self._session.mount("https://", _Adapter(pool_connections=1, pool_maxsize=connections))
        self._session.mount("http://", _Adapter(pool_connections=1, pool_maxsize=connections))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close idle connections and remove what was written for them."""
        self._session.close()
        self._files.cleanup()

    def get(self, path: str, params: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the document at a path."""
        with self._answer(path, params, _READ_SECONDS) as response:
            try:
                document = response.json()
            except ValueError as error:
                raise KubernetesError(f"{self.access.server}{path} answers with what is not JSON") from error
            except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
                raise self._lost(error) from error
        if not isinstance(document, dict):
            raise KubernetesError(f"{self.access.server}{path} answers with what is no object")
        return document

    def stream(self, path: str, params: Mapping[str, str], silence: float) -> "Stream":
        """Open a stream of documents, one a line, as a watch is.

        Args:
            path: The collection.
            params: Of the query.
            silence: Seconds without a byte after which the connection is taken for lost.
        """
        return Stream(self._answer(path, params, silence), self._lost)

    def _answer(self, path: str, params: Mapping[str, str] | None, silence: float) -> requests.Response:
        limits = (_CONNECT_SECONDS, silence)
        try:
            response = self._session.get(
                f"{self.access.server}{path}", params=params, timeout=limits, stream=True, allow_redirects=False
            )
            if response.status_code == 200:
                return response
            with response:
                raise self._refused(path, response)
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            raise self._lost(error) from error

    def _refused(self, path: str, response: requests.Response) -> KubernetesError:
        try:
            said = str(response.json()["message"])
        except (ValueError, KeyError, TypeError):
            said = response.reason or "no reason given"
        meant = _MEANT.get(response.status_code, "").format(origin=self.access.origin)
        text = f"{self.access.server}{path} answers {response.status_code}: {said}"
        return KubernetesError(f"{text}: {meant}" if meant else text, status=response.status_code)

    def _lost(self, error: Exception) -> KubernetesUnreachable:
        server = self.access.server
        innermost = _innermost(error)
        if isinstance(innermost, ssl.CertificateError):
            return KubernetesUnreachable(
                f"{server} cannot be trusted: {innermost}: check the certificates in {self.access.origin}"
            )
        why = getattr(innermost, "strerror", None) or str(innermost) or type(innermost).__name__
        return KubernetesUnreachable(f"{server} cannot be reached: {why}: check that it runs there")

    def _file(self, name: str, material: Path | bytes | None) -> str | None:
        """The path of a certificate or key; what is only in memory is written, since the TLS library takes files."""
        if not isinstance(material, bytes):
            return str(material) if material else None
        path = Path(self._files.name) / name
        path.touch(mode=0o600)
        path.write_bytes(material)
        return str(path)


class Stream:
    """An open stream: iterate over its documents, in one thread; `end` may be called from another.

    Args:
        response: Whose body has not been read.
        lost: Makes an error of what broke it.
    """

    def __init__(self, response: requests.Response, lost: Callable[[Exception], KubernetesUnreachable]) -> None:
        self._response, self._lost = response, lost

    def __iter__(self) -> Iterator[dict[str, Any]]:
        try:
            with self._response as response:
                for line in response.iter_lines(chunk_size=None):
                    if line:
                        yield json.loads(line)
        except ValueError as error:
            raise KubernetesError("an event is not JSON: the connection was cut, or a proxy answers") from error
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, AttributeError) as error:
            # AttributeError: what http.client and ssl run into when `end` takes their socket away.
            raise self._lost(error) from error

    def end(self) -> None:
        """Make whoever reads come back."""
        with suppress(OSError, ValueError, RuntimeError, AttributeError):
            self._response.raw.shutdown()  # since urllib3 2.3; where there is none, the reader comes back in its time


class _Bearer(AuthBase):
    """The token of the moment, for each request."""

    def __init__(self, read: Callable[[], str | None]) -> None:
        self._read = read

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if token := self._read():
            request.headers["Authorization"] = f"Bearer {token}"
        return request


class _Adapter(HTTPAdapter):
    """Connections whose other end is noticed to be gone within half a minute, though nothing is sent on them."""

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        alive = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1), (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
        for name, value in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
            if hasattr(socket, name):
                alive.append((socket.IPPROTO_TCP, getattr(socket, name), value))
        super().init_poolmanager(*arguments, socket_options=alive, **options)


def _innermost(error: BaseException) -> BaseException:
    """What the layers above have wrapped."""
    while cause := error.__cause__ or error.__context__:
        error = cause
    return error
