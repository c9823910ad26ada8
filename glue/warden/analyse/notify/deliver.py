"""Post a message to a channel, with a few attempts; its address is in no text of ours."""

import time
from typing import Final

import requests

from warden.analyse.notify.config import Channel
from warden.analyse.notify.formats import build_body
from warden.analyse.notify.messages import Notice
from warden.base.errors import ConfigurationError, InputError
from warden.base.http.calls import AuthorizationHeader, build_bearer_header, is_http_address
from warden.base.process.backoff import Backoff

__all__ = ["deliver"]

_ATTEMPTS: Final = 4
_TIMEOUT: Final = 10.0
_LONGEST_WAIT: Final = 60.0


def deliver(channel: Channel, message: Notice, *, pause: float = 1.0) -> None:
    """Post a message; again, after pauses, where the service is away or says that it is too much.

    Args:
        channel: Where it goes.
        message: What is sent.
        pause: Seconds before the second attempt; it doubles.

    Raises:
        ConfigurationError: The address or the token cannot be read, or the address is no http(s) URL.
        InputError: The service cannot be reached, or refuses the message.
    """
    url = channel.url.read()
    if not is_http_address(url):
        raise ConfigurationError(
            f"channel {channel.name}: its url is not http:// or https:// with a host: write the whole address"
        )
    header = None
    if channel.token:
        header = build_bearer_header(channel.token.read(), f"the token of channel {channel.name}")
    auth = AuthorizationHeader(header)
    backoff, failure = Backoff(pause, _LONGEST_WAIT), ""
    for attempt in range(1, _ATTEMPTS + 1):
        wait = backoff.compute_delay()
        try:
            # A redirect would show the message, and the token, to whom it names.
            answer = requests.post(
                url, json=build_body(channel.format, message), auth=auth, timeout=_TIMEOUT, allow_redirects=False
            )
        except (requests.RequestException, ValueError) as error:  # the latter is urllib3's about a host or a proxy
            failure = f"cannot be reached ({type(error).__name__})"
        else:
            if 200 <= answer.status_code < 300:
                return
            failure = f"answers {answer.status_code}"
            if answer.status_code != requests.codes.too_many_requests and answer.status_code < 500:
                break
            wait = max(wait, _read_retry_after(answer))
        if attempt < _ATTEMPTS:
            time.sleep(wait)
    raise InputError(f"channel {channel.name}: {failure}, {message.subject} was not sent: see its url and token")


def _read_retry_after(answer: requests.Response) -> float:
    text = answer.headers.get("Retry-After", "")
    return min(float(text), _LONGEST_WAIT) if text.isascii() and text.isdigit() else 0.0
