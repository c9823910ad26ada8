"""A module that an extra brings, where it is not installed."""

import sys

import pytest

from warden.base.errors import ConfigurationError, ExtraMissing
from warden.base.extras import check_extras


@pytest.mark.parametrize("kind", [ConfigurationError, ImportError])
def test_what_is_built_on_a_library_that_is_missing(kind: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    """Is an ImportError for whoever can do without, and an error of the tree, with what to install."""
    monkeypatch.setitem(sys.modules, "confluent_kafka", None)

    with pytest.raises(
        kind, match=r"^confluent_kafka is not installed: pip install 'kafka-warden\[admin\]'$"
    ) as raised:
        from warden.dynamic_clients import DynamicProducer  # noqa: F401
    assert isinstance(raised.value, ExtraMissing)


def test_a_module_that_is_named_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is missing once."""
    for name in ("aiohttp", "psycopg"):
        monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(ExtraMissing) as raised:
        check_extras("aiohttp", "psycopg", "aiohttp")
    assert "aiohttp and psycopg are not installed: pip install 'kafka-warden[postgres,serve]'" == str(raised.value)
