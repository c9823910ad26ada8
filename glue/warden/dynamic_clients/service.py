"""The service as a client sees it: what is in force for it, and what it is to make of that."""

from collections.abc import Mapping
from typing import Any

import requests

from warden.base.errors import StoreError
from warden.dynamic_clients.service_request import build_login, check_address, post, strip_login

__all__ = ["ConfigService"]

_CONNECT_SECONDS = 5.0
_ANSWER_SECONDS = 10.0  # over the time that a request waits for a change


class ConfigService:
    """Where client configs are resolved: ``warden serve``.

    Args:
        url: Its address, such as ``https://configs.example``.
        token: The caller's bearer token; None where the certificate says who asks.
        cluster: The cluster's name, where the service has several.
        verify: A file of certificate authorities, or True for those that requests trusts.
        certificate: Files of the client's certificate and key.

    Raises:
        ConfigurationError: ``url``, ``token`` or ``certificate`` is wrong.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        cluster: str | None = None,
        *,
        verify: bool | str = True,
        certificate: tuple[str, str] | None = None,
    ) -> None:
        self._url = f"{check_address(url)}/v1/client-configs/resolve"
        self._login = build_login(token, verify, certificate)
        self._query = {} if cluster is None else {"cluster": cluster}

    def resolve(
        self, body: Mapping[str, Any], tag: str | None, wait: float
    ) -> tuple[dict[str, Any], str | None] | None:
        """Return the answer and its tag; None where it is the one that has `tag` still.

        Args:
            body: The request.
            tag: The tag of the answer that is known.
            wait: Seconds to wait for another answer.

        Raises:
            StoreError: There is none that can be used.
            InputError: The request cannot be written as JSON, or the service cannot read it.
            ConfigurationError: The service refuses the address, the cluster's name or the login.
        """
        headers = {"Prefer": f"wait={int(wait)}", **({"If-None-Match": tag} if tag else {})}
        timeout = (_CONNECT_SECONDS, wait + _ANSWER_SECONDS)
        answer, document = post(self._url, body, params=self._query, headers=headers, timeout=timeout, **self._login)
        if answer.status_code == requests.codes.not_modified:
            return None
        if not isinstance(document, dict) or not _has_configs(document.get("accepted")):
            url = strip_login(self._url)
            raise StoreError(f"{url} answered with JSON of something else: is it the service's address?")
        return document, answer.headers.get("ETag")


def _has_configs(part: Any) -> bool:
    """Whether a part of an answer has texts by name, as the contract has it; a proxy's answer may have anything."""
    return isinstance(part, dict) and all(
        isinstance(texts, dict) and all(isinstance(text, str) for text in texts.values())
        for texts in (part.get(name, {}) for name in ("configs", "ignored", "notes"))
    )
