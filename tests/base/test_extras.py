"""A module that an extra brings, where it is not installed."""

import sys

import pytest

from warden.base.errors import ConfigurationError, ExtraMissing


@pytest.mark.parametrize("kind", [ConfigurationError, ImportError])
def test_what_is_built_on_a_library_that_is_missing(kind: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    """Is an ImportError for whoever can do without, and an error of the tree, with what to install."""
    monkeypatch.setitem(sys.modules, "confluent_kafka", None)

    with pytest.raises(
        kind, match=r"^confluent_kafka is not installed: pip install 'kafka-warden\[admin\]'$"
    ) as raised:
        from warden.dynamic_clients import DynamicProducer  # noqa: F401
    assert isinstance(raised.value, ExtraMissing)
