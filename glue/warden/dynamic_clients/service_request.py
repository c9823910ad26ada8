"""Requests to ``warden serve``, whose answers are JSON."""

import re
from collections.abc import Mapping
from typing import Any, Final

import requests

from warden.base.errors import ConfigurationError, InputError, StoreError, WardenError
from warden.base.http.calls import (
    AuthorizationHeader,
    build_bearer_header,
    describe_cause,
    is_http_address,
    parse_certificate_pair,
)
from warden.policy.opa.retry import parse_retry_after

__all__ = ["build_login", "check_address", "post", "strip_login"]

_NO_REASON: Final = "no reason given, is it the service's address?"
_UNREADABLE: Final = (requests.codes.bad_request, requests.codes.request_entity_too_large)
_LATER: Final = (requests.codes.request_timeout, requests.codes.too_many_requests)


def check_address(url: str) -> str:
    """Return the address of a service, without a slash at its end.

    Raises:
        ConfigurationError: It is none.
    """
    if not is_http_address(url):
        raise ConfigurationError(
            f"invalid address of warden serve {strip_login(str(url))!r}: expected one such as https://configs.example"
        )
    return url.rstrip("/")


def strip_login(url: str) -> str:
    """Return an address for people to read: without the name and the password that may be in it."""
    return re.sub("//.*@", "//", url)


def build_login(token: str | None, verify: bool | str, certificate: tuple[str, str] | None) -> dict[str, Any]:
    """Return what `post` takes of a caller's login.

    Args:
        token: The caller's bearer token; None where the certificate says who asks.
        verify: A file of certificate authorities, or True for those that requests trusts.
        certificate: Files of the client's certificate and key.

    Raises:
        ConfigurationError: No header can hold the token, or the certificate is not two files.
    """
    pair = None if certificate is None else tuple(map(str, parse_certificate_pair(certificate)))
    header = None if token is None else build_bearer_header(token, "the token for warden serve")
    return {"auth": AuthorizationHeader(header), "verify": verify, "cert": pair}


def post(
    url: str, body: Mapping[str, Any], *, timeout: float | tuple[float, float], **sent: Any
) -> tuple[requests.Response, Any]:
    """Return the service's answer, and the JSON in it: None where nothing has changed (304).

    Args:
        url: Of one of its paths.
        body: The request.
        timeout: Seconds that it may take; or those to connect, and those to answer.
        **sent: What `requests.post` takes besides.

    Raises:
        StoreError: It does not answer, cannot answer now, or answers with something else than JSON.
        InputError: The request cannot be written as JSON, or the service cannot read it.
        ConfigurationError: The service refuses the address, the cluster's name or the login.
    """
    try:
        answer = requests.post(url, json=body, timeout=timeout, allow_redirects=False, **sent)
    except (requests.exceptions.InvalidJSONError, TypeError, RecursionError) as error:
        raise InputError(f"the request cannot be written as JSON ({error}): build it of JSON's types") from error
    except OSError as error:  # also a file of certificates that is not there
        advice = "name one that is there" if type(error) is OSError else "check that warden serve runs there"
        raise StoreError(f"{strip_login(url)} cannot be reached: {describe_cause(error)}: {advice}") from error
    if answer.status_code == requests.codes.not_modified:
        return answer, None
    try:
        document = answer.json()
    except (ValueError, RecursionError) as error:
        raise _build_failure(url, answer, ", and no JSON: is it the service's address?") from error
    if answer.status_code != requests.codes.ok:
        said = document.get("errorMessage") if isinstance(document, dict) else None
        raise _build_failure(url, answer, f": {said or _NO_REASON}")
    return answer, document


def _build_failure(url: str, answer: requests.Response, said: str) -> WardenError:
    status = answer.status_code
    text = f"{strip_login(url)} answered {status}{said}"
    if status in _UNREADABLE:
        return InputError(text)
    if 400 <= status < 500 and status not in _LATER:
        return ConfigurationError(text)
    return StoreError(text, status=status, retry_after=parse_retry_after(answer.headers.get("Retry-After")))
