"""Names of secrets, and names that only sound like them."""

import pytest

from tests.opa.seeded import NAMED
from warden.files.secret_names import is_secret_name


@pytest.mark.parametrize("name", NAMED)
def test_names_of_secrets(name):
    """What OPA's log hides by its name is hidden here."""
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["delegation.token.max.lifetime.ms", "password.encoder.iterations", "sasl.oauthbearer.token.endpoint.url",
     "key.serializer", "pass.through", "compass", "bypass", "basalt", "group.id", "ssl.keystore.location"],
)  # fmt: skip
def test_near_misses(name):
    """A rule may have to see these."""
    assert not is_secret_name(name)
