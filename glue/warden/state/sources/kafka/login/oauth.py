"""Tokens for OAUTHBEARER, by Kafka's own properties: client credentials of OpenID Connect, a token's file, unsigned.

Those of clouds and of a program are in `warden.state.sources.kafka.login.clouds` and
`warden.state.sources.kafka.login.token_command`.

KIP-768 has the properties, KIP-1139 their names since 4.1; RFC 6749, 4.4 has the grant.
"""

import base64
import json
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import requests

from warden.base.errors import ConfigurationError, KafkaError, WardenError
from warden.base.http.calls import AuthorizationHeader, describe_cause
from warden.state.sources.kafka.login.clouds import AWS_MSK_IAM, CLOUD_HANDLERS, build_msk_source
from warden.state.sources.kafka.login.jaas import LoginModule
from warden.state.sources.kafka.login.token_command import TOKEN_COMMAND, build_command_source

__all__ = ["OAuthTokens", "build_token_source"]

_HANDLERS = (
    "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler",
    "org.apache.kafka.common.security.oauthbearer.secured.OAuthBearerLoginCallbackHandler",
)
_CREDENTIALS = "sasl.oauthbearer.client.credentials.client"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_RENEWED_AT = 0.8  # of a token's life, as sasl.login.refresh.window.factor is in Kafka
_WHOLE_SECOND = 1.0  # the `exp` of a JSON Web Token mostly has no fraction: it may end that much before its life
_UNSIGNED_SECONDS = 3600

_Source = Callable[[], tuple[str, float]]


class OAuthTokens:
    """Gives the token that is good now, and gets the next before that ends; what it prints holds no secret.

    Args:
        source: Returns a token and for how many seconds it is good.
        clock: Seconds that only grow.
    """

    def __init__(self, source: _Source, clock: Callable[[], float] = time.monotonic) -> None:
        self._source, self._clock, self._lock = source, clock, threading.Lock()
        self._token, self._until, self._ends = "", 0.0, 0.0

    def obtain_token(self) -> str:
        """Return a token: the one before as long as it is good, where the next cannot be had.

        Raises:
            KafkaError: The identity provider gives none.
            ConfigurationError: The token's file cannot be read, or its program cannot be run.
        """
        with self._lock:
            if not self._token or self._clock() >= self._until:
                began = self._clock()
                try:
                    self._token, life = self._source()
                except WardenError:
                    if self._clock() >= self._ends:
                        raise
                else:
                    self._until = began + life * _RENEWED_AT
                    self._ends = max(self._until, began + life - _WHOLE_SECOND)
            return self._token


def build_token_source(properties: Mapping[str, str], module: LoginModule) -> _Source:
    """Return what gets tokens for these properties.

    Raises:
        ConfigurationError: A property is missing, wrong or not supported.
    """
    if TOKEN_COMMAND in properties:
        return build_command_source(properties[TOKEN_COMMAND], _parse_timeout(properties, "read"))
    if properties.get("sasl.mechanism") == AWS_MSK_IAM:
        return build_msk_source(properties, module)
    handler = properties.get("sasl.login.callback.handler.class", "")
    if not handler:
        return _build_unsigned_source(module)
    if handler in CLOUD_HANDLERS:
        return CLOUD_HANDLERS[handler](properties, module)
    if handler not in _HANDLERS:
        raise ConfigurationError(
            f"sasl.login.callback.handler.class {handler} is not supported: set {TOKEN_COMMAND} to a program that "
            f"prints a token, or use {_HANDLERS[0]}, with a token endpoint or the file of a token"
        )
    url = properties.get("sasl.oauthbearer.token.endpoint.url", "")
    if urlsplit(url).scheme == "file":
        path = Path(unquote(urlsplit(url).path))
        return lambda: _read_token(path)
    return _build_client_credentials_source(url, properties, module)


def _build_unsigned_source(module: LoginModule) -> _Source:
    """Kafka's own way without a handler: a token that nobody signed, for brokers on which one tries things out."""
    name = module.options.get("unsecuredLoginStringClaim_sub")
    if not name:
        raise ConfigurationError(
            "sasl.login.callback.handler.class is missing, and sasl.jaas.config has no unsecuredLoginStringClaim_sub: "
            f"set it to {_HANDLERS[0]}"
        )

    def make() -> tuple[str, float]:
        now = int(time.time())
        parts = {"alg": "none"}, {"sub": name, "iat": now, "exp": now + _UNSIGNED_SECONDS}
        return ".".join([*(_encode_base64(json.dumps(part)) for part in parts), ""]), _UNSIGNED_SECONDS

    return make


def _read_token(path: Path) -> tuple[str, float]:
    """The token of a file, which is read anew each time: whoever writes it renews it."""
    try:
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"sasl.oauthbearer.token.endpoint.url: {path} cannot be read ({error})") from error
    if not token:
        raise ConfigurationError(f"sasl.oauthbearer.token.endpoint.url: {path} is empty: write a token into it")
    return token, 0.0


def _build_client_credentials_source(url: str, properties: Mapping[str, str], module: LoginModule) -> _Source:
    place = urlsplit(url)
    if place.scheme not in ("https", "http") or not place.hostname:
        raise ConfigurationError(
            f"sasl.oauthbearer.token.endpoint.url is {url or 'missing'}: write the https address of tokens"
        )
    if place.scheme == "http" and place.hostname not in _LOOPBACK:
        raise ConfigurationError(
            f"sasl.oauthbearer.token.endpoint.url is {url}: a secret goes there, so it must be https"
        )
    credentials = {
        "id": properties.get(f"{_CREDENTIALS}.id", module.options.get("clientId", "")),
        "secret": properties.get(f"{_CREDENTIALS}.secret", module.options.get("clientSecret", "")),
    }
    for part, value in credentials.items():
        if not value:
            raise ConfigurationError(f"{_CREDENTIALS}.{part} is missing: write the client's {part}")
    if properties.get("sasl.oauthbearer.header.urlencode", "false").lower() == "true":
        credentials = {part: quote(value, safe="") for part, value in credentials.items()}
    scope = properties.get("sasl.oauthbearer.scope", module.options.get("scope", ""))
    form = {"grant_type": "client_credentials", **({"scope": scope} if scope else {})}
    basic = base64.b64encode(":".join(credentials.values()).encode()).decode()
    auth = AuthorizationHeader(f"Basic {basic}")
    timeout = _parse_timeout(properties, "connect"), _parse_timeout(properties, "read")

    def fetch_token() -> tuple[str, float]:
        try:
            response = requests.post(url, data=form, auth=auth, timeout=timeout, allow_redirects=False)
        except requests.RequestException as error:
            why = describe_cause(error)
            raise KafkaError(
                f"the identity provider at {url} cannot be reached: {why}: check the address, and that it runs there"
            ) from error
        return _parse_token(response, url)

    return fetch_token


def _parse_token(response: requests.Response, url: str) -> tuple[str, float]:
    try:
        document: Any = response.json()
    except (ValueError, RecursionError):
        document = None
    fields = document if isinstance(document, dict) else {}
    token = fields.get("access_token")
    if response.status_code != requests.codes.ok or not isinstance(token, str) or not token:
        reason = " ".join(str(fields[name]) for name in ("error", "error_description") if name in fields)
        raise KafkaError(
            f"the identity provider at {url} gives no token (status {response.status_code}"
            f"{': ' + reason if reason else ''}): check the client's id, secret and scope"
        )
    life = fields.get("expires_in", 0)
    return token, float(life) if isinstance(life, int | float) else 0.0


def _parse_timeout(properties: Mapping[str, str], kind: str) -> float:
    """``sasl.login.connect.timeout.ms`` or ``….read.timeout.ms``, 10 s where it is not given."""
    name = f"sasl.login.{kind}.timeout.ms"
    text = properties.get(name, "10000")
    if not text.isdecimal() or int(text) == 0:
        raise ConfigurationError(f"{name} is {text}: write a number of milliseconds above 0")
    return int(text) / 1000


def _encode_base64(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()
