"""A request to ``warden serve``, whose answer is JSON."""

from collections.abc import Mapping
from typing import Any

import requests

from warden.base.errors import StoreError

__all__ = ["post"]


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
    """
    try:
        answer = requests.post(url, json=body, timeout=timeout, allow_redirects=False, **sent)
    except requests.RequestException as error:
        raise StoreError(f"{url} cannot be reached: {type(error).__name__}") from error
    if answer.status_code == requests.codes.not_modified:
        return answer, None
    try:
        return answer, answer.json()
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{url} answered {answer.status_code}, and no JSON: is it the service's address?") from error
