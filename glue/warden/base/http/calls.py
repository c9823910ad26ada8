"""Connections to other servers: which addresses, tokens and certificates there can be, and why nothing came of one."""

from os import PathLike
from pathlib import Path
from urllib.parse import urlsplit

from requests import PreparedRequest
from requests.auth import AuthBase, HTTPBasicAuth
from requests.utils import get_auth_from_url

from warden.base.errors import ConfigurationError

__all__ = [
    "AuthorizationHeader",
    "build_bearer_header",
    "describe_cause",
    "find_root_cause",
    "is_http_address",
    "parse_certificate_pair",
]


class AuthorizationHeader(AuthBase):
    """What requests sends as ``Authorization``, and nothing of ``~/.netrc``: its entry would replace any header.

    Args:
        header: The whole header; None for the name and password in the address, where it has them.
    """

    def __init__(self, header: str | None) -> None:
        self._header = header

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        """Put it into a request."""
        if self._header is not None:
            request.headers["Authorization"] = self._header
        elif any(login := get_auth_from_url(request.url or "")):
            HTTPBasicAuth(*login)(request)
        return request


def is_http_address(url: str) -> bool:
    """Return whether requests can be sent to an address: of http or https, with a host, and a port that there can be.

    Args:
        url: The address, with or without a path.
    """
    request = PreparedRequest()
    try:
        request.prepare_url(url, None)
        (urlsplit(str(request.url)).hostname or "").encode("idna")  # as urllib3 does: no label is empty or too long
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:  # requests' errors about addresses are all of these too
        return False


def build_bearer_header(token: object, what: str) -> str:
    """Return what is sent as ``Authorization`` with a bearer token.

    Args:
        token: The token, of any type, since an application may hand on what is none.
        what: Whose it is, for the error, which does not show it: ``OPA's token``.

    Raises:
        ConfigurationError: It is no string, or has a character that no header can hold, or a blank at its edge, which
            none keeps.
    """
    if not isinstance(token, str):
        raise ConfigurationError(f"{what} is of type {type(token).__name__}: give a string")
    if not (token.isascii() and token.isprintable() and token == token.strip()):
        raise ConfigurationError(
            f"{what} has a line end, a blank at its edge, or a character beyond ASCII: write it in one line of ASCII"
        )
    return f"Bearer {token}"


def parse_certificate_pair(files: object) -> tuple[Path, Path]:
    """Return the files of a certificate and of its key.

    Args:
        files: Of any type, as `build_bearer_header` takes a token.

    Raises:
        ConfigurationError: They are not two files.
    """
    match files:
        case (str() | PathLike() as certificate, str() | PathLike() as key):
            return Path(certificate), Path(key)
    raise ConfigurationError(f"certificate is {files!r}: give two files, the certificate and its key")


def describe_cause(error: BaseException) -> str:
    """Return the operating system's own words for why a connection failed, without the layers of libraries.

    Args:
        error: What the library raised.
    """
    cause = find_root_cause(error)
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__


def find_root_cause(error: BaseException) -> BaseException:
    """Return the error that the layers above have wrapped.

    Args:
        error: What the library raised.
    """
    while cause := error.__cause__ or error.__context__:
        error = cause
    return error
