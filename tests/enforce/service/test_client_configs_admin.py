"""What no service would take is refused before anything is sent."""

from typing import Any

import pytest

from warden.dynamic_clients import ClientConfigsAdmin


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
