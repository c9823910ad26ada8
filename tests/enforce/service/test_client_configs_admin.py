"""What no service would take is refused before anything is sent; what no service answers is said to be that."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.http import Handler, served
from warden.base.errors import ConfigurationError, StoreError
from warden.dynamic_clients import ClientConfigsAdmin
from warden.dynamic_clients.service import ConfigService


@pytest.mark.parametrize("component", [{"entityType": "user"}, {"entityType": "user", "matchType": "exactly"}])
def test_an_unknown_match_type(component: dict[str, Any]) -> None:
    """The types are named."""
    admin = ClientConfigsAdmin("http://127.0.0.1:9", "token")

    with pytest.raises(ValueError, match=r"invalid matchType .*: expected one of exact, default, any"):
        admin.describe({"components": [component]})


def test_an_unknown_field_of_an_entity() -> None:
    """The fields are named."""
    admin = ClientConfigsAdmin("http://127.0.0.1:9", "token")

    with pytest.raises(ValueError, match="invalid entity 'ip': expected one of user, clientId"):
        admin.alter([{"entity": {"ip": "::1"}, "ops": []}])


@pytest.mark.parametrize(("status", "content"), [(502, b"<html>"), (200, b"")])
@pytest.mark.parametrize(
    "ask",
    [
        lambda url: ClientConfigsAdmin(url, "token").describe({"components": []}),
        lambda url: ConfigService(url).resolve({}, None, 0),
    ],
)
def test_an_answer_of_something_else(ask: Callable[[str], Any], status: int, content: bytes) -> None:
    """What a proxy says in place of the service has its status: the address was reached."""

    class _Proxy(Handler):
        def respond(self) -> None:
            self.answer(status, content)

    with served(_Proxy) as url, pytest.raises(StoreError, match=f"^{url}/.* answered {status}, and no JSON: is it"):
        ask(url)


@pytest.mark.parametrize(
    ("status", "kind"), [(429, StoreError), (503, StoreError), (400, ConfigurationError), (401, ConfigurationError)]
)
def test_what_may_be_tried_again(status: int, kind: type[Exception]) -> None:
    """A service that has too much to do is not a request that is wrong."""

    class _Service(Handler):
        def respond(self) -> None:
            self.answer(status, b'{"errorMessage": "no"}')

    with served(_Service) as url, pytest.raises(kind, match=f"answered {status}: no"):
        ClientConfigsAdmin(url, "token").describe({"components": []})
