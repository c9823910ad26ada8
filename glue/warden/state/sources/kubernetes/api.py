"""A connection to one API server: JSON documents, events as a stream, and errors in words."""

import json
import ssl
import tempfile
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import urlencode

import urllib3

from warden.base.errors import KubernetesError, KubernetesUnreachable
from warden.base.files.private import make_private_directory
from warden.base.http.calls import describe_cause, find_root_cause
from warden.base.process.closing import Closing
from warden.state.sources.kubernetes.access import Access
from warden.state.sources.kubernetes.session import ApiRequest, Session, open_session
from warden.state.sources.kubernetes.stream import Stream, read_body

__all__ = ["ApiServer"]

_READ_SECONDS = 30.0
_CHECK = "check that a Kubernetes API server runs there"
_ADVICE = {
    401: "the token or certificate is wrong or has expired: renew it in {origin}",
    403: "let a role allow it, with {verbs}",
}
_VERBS = {"POST": "create", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}


class ApiServer(Closing):
    """One API server, safe to share between threads.

    A credential that a program or an identity provider gives is obtained anew before it expires, and once more where
    the API server refuses it; so is a certificate in a file.

    Args:
        access: Where it is, and the credential for it.
        connections: How many are kept open.

    Raises (by every method):
        KubernetesUnreachable: No connection, no trust, or no answer in time.
        KubernetesError: A login that fails, or an answer that is no use, with its status.
        ConfigurationError: A file that ``access`` names cannot be read.
    """

    def __init__(self, access: Access, connections: int = 8) -> None:
        self.access = access
        self._connections = connections
        self._directory = tempfile.TemporaryDirectory(prefix="warden-")  # mode 0700
        self._logins = 0
        self._guard = Lock()
        try:
            self._session = self._log_in()
        except BaseException:
            self._directory.cleanup()
            raise

    def close(self) -> None:
        """Close idle connections and remove what was written for them."""
        self._session.close()
        self._directory.cleanup()

    def get(self, path: str, params: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the document at a path."""
        return self._read_document(ApiRequest("GET", _add_query(path, params), _READ_SECONDS))

    def send(
        self, method: str, path: str, document: Mapping[str, Any], media_type: str = "application/json"
    ) -> dict[str, Any]:
        """Send a document and return the answer; once, so that nobody knows what has become of one that is lost.

        Args:
            method: ``POST``, ``PUT`` or ``PATCH``.
            path: Of the object, or of its collection.
            document: What is sent.
            media_type: Its type, such as that of a merge patch.
        """
        return self._read_document(ApiRequest(method, path, _READ_SECONDS, document, media_type))

    def _read_document(self, request: ApiRequest) -> dict[str, Any]:
        url = f"{self.access.server}{request.path.partition('?')[0]}"
        with self._open(request) as response:
            try:
                document = json.loads(read_body(response, url))
            except (ValueError, RecursionError) as error:
                raise KubernetesError(f"{url} answers with what is not JSON: {_CHECK}") from error
            except (urllib3.exceptions.HTTPError, OSError) as error:
                raise self._build_unreachable(error) from error
        if not isinstance(document, dict):
            raise KubernetesError(f"{url} answers with what is not an object: {_CHECK}")
        return document

    def open_stream(self, path: str, params: Mapping[str, str], silence: float) -> "Stream":
        """Open a stream of documents, one a line, as a watch is.

        Args:
            path: The collection.
            params: Of the query.
            silence: Seconds without a byte after which the connection counts as lost.
        """
        return Stream(self._open(ApiRequest("GET", _add_query(path, params), silence)), self._build_unreachable)

    def _open(self, request: ApiRequest) -> urllib3.BaseHTTPResponse:
        try:
            session = self._session if not self._session.expired else self._renew(self._session)
            response = session.send(request)
            if response.status == 401 and self.access.renewable:
                response.close()
                response = self._renew(session).send(request)
            if response.status in (200, 201):
                return response
            with response:
                raise self._build_refusal(request, response)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise self._build_unreachable(error) from error

    def _renew(self, session: Session) -> Session:
        """Log in anew in place of a session, unless another thread has done so already."""
        with self._guard:
            if self._session is session:
                self._session = self._log_in()
                session.close()
            return self._session

    def _log_in(self) -> Session:
        directory = Path(self._directory.name) / str(self._logins)
        make_private_directory(directory)
        self._logins += 1
        return open_session(self.access, self._connections, directory)

    def _build_refusal(self, request: ApiRequest, response: urllib3.BaseHTTPResponse) -> KubernetesError:
        url = f"{self.access.server}{request.path.partition('?')[0]}"
        try:
            reason = str(json.loads(read_body(response, url))["message"])
        except (ValueError, KeyError, TypeError, KubernetesError, RecursionError):
            reason = response.reason or "no reason given"
        verb = f"the verb {_VERBS.get(request.method, 'get')}"
        verbs = "the verbs list and watch" if request.method == "GET" and "?" in request.path else verb
        advice = _ADVICE.get(response.status, "").format(origin=self.access.origin, verbs=verbs)
        text = f"{url} answers {response.status}: {reason}"
        return KubernetesError(f"{text}: {advice}" if advice else text, status=response.status)

    def _build_unreachable(self, error: Exception) -> KubernetesUnreachable:
        server = self.access.server
        cause = find_root_cause(error)
        if isinstance(cause, ssl.CertificateError):
            return KubernetesUnreachable(
                f"{server} cannot be trusted: {cause}: check the certificates in {self.access.origin}"
            )
        return KubernetesUnreachable(f"{server} cannot be reached: {describe_cause(cause)}: check that it runs there")


def _add_query(path: str, params: Mapping[str, str] | None) -> str:
    return f"{path}?{urlencode(params)}" if params else path
