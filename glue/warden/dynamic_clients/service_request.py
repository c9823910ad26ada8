"""Requests to ``warden serve``, whose answers are JSON."""

from collections.abc import Mapping
from typing import Any, Final

import requests

from warden.base.errors import ConfigurationError, InputError, StoreError
from warden.base.http.calls import AuthorizationHeader, build_bearer_header, describe_cause, is_http_address

__all__ = ["NO_REASON", "build_login", "check_address", "post"]

NO_REASON: Final = "no reason given, is it the service's address?"
"""What is said of an answer that is of no use, and does not say why."""


def check_address(url: str) -> str:
    """Return the address of a service, without a slash at its end.

    Raises:
        ConfigurationError: It is none.
    """
    if not is_http_address(url):
        raise ConfigurationError(
            f"invalid address of warden serve {url!r}: expected one such as https://configs.example"
        )
    return url.rstrip("/")


def build_login(token: str | None, verify: bool | str, certificate: tuple[str, str] | None) -> dict[str, Any]:
    """Return what `post` takes of a caller's login.

    Args:
        token: The caller's bearer token; None where the certificate says who asks.
        verify: A file of certificate authorities, or True for those that requests trusts.
        certificate: Files of the client's certificate and key.

    Raises:
        ConfigurationError: No header can hold the token.
    """
    header = None if token is None else build_bearer_header(token, "the token for warden serve")
    return {"auth": AuthorizationHeader(header), "verify": verify, "cert": certificate}


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
        StoreError: It does not answer, or with something else than JSON.
        InputError: The request cannot be written as JSON.
    """
    try:
        answer = requests.post(url, json=body, timeout=timeout, allow_redirects=False, **sent)
    except (requests.exceptions.InvalidJSONError, TypeError, RecursionError) as error:
        raise InputError(f"the request cannot be written as JSON ({error}): build it of JSON's types") from error
    except OSError as error:  # also a file of certificates that is not there
        advice = "name one that is there" if type(error) is OSError else "check that warden serve runs there"
        raise StoreError(f"{url} cannot be reached: {describe_cause(error)}: {advice}") from error
    if answer.status_code == requests.codes.not_modified:
        return answer, None
    try:
        return answer, answer.json()
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{url} answered {answer.status_code}, and no JSON: is it the service's address?") from error
