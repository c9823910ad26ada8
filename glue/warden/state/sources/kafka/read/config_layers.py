"""Layers of brokers' configs: their own dynamic values, those of all brokers, and the static ones beneath."""

from collections.abc import Mapping

from warden.state.sources.kafka.read.configs import ConfigEntry, select_visible

__all__ = ["select_cluster_wide", "split_layers"]

# DescribeConfigsResponse.ConfigSource: DYNAMIC_BROKER_CONFIG, DYNAMIC_DEFAULT_BROKER_CONFIG, STATIC_BROKER_CONFIG
_OWN, _ALL, _FILE = 2, 3, 4


def split_layers(broker: Mapping[str, ConfigEntry]) -> dict[str, dict[str, str]]:
    """Return the contract's ``configs``, ``dynamicConfigs`` and ``fallbackConfigs`` of a broker.

    Controllers know a broker's own dynamic values only, and change only those (``ConfigurationControlManager``): of a
    broker that did not tell its configuration nobody knows anything, and there is nothing of it.

    Args:
        broker: Everything that one broker reports about itself.
    """
    if not broker:
        return {}
    own = {name: entry for name, entry in sorted(broker.items()) if entry.source == _OWN and not entry.sensitive}
    texts = {name: entry.layers.get(_OWN, entry.value) for name, entry in own.items()}
    beneath = {name: entry.layers.get(_ALL, entry.layers.get(_FILE)) for name, entry in own.items()}
    fallback = _drop_none(beneath)
    return {
        "configs": select_visible(broker),
        "dynamicConfigs": _drop_none(texts),
        **({"fallbackConfigs": fallback} if fallback else {}),
    }


def select_cluster_wide(brokers: Mapping[int, Mapping[str, ConfigEntry]]) -> dict[str, str]:
    """Return the dynamic values that all brokers share, as the broker with the lowest id has them.

    Args:
        brokers: What each broker reports about itself.
    """
    first = brokers[min(brokers)] if brokers else {}
    shared = {name: entry for name, entry in sorted(first.items()) if not entry.sensitive}
    texts = {name: entry.value if entry.source == _ALL else None for name, entry in shared.items()}
    return _drop_none({name: entry.layers.get(_ALL, texts[name]) for name, entry in shared.items()})


def _drop_none(texts: Mapping[str, str | None]) -> dict[str, str]:
    return {name: text for name, text in texts.items() if text is not None}
