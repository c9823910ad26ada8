"""librdkafka's configuration as Kafka's Java clients have it: its names, texts and other defaults. Pure."""

from collections.abc import Mapping
from typing import Any

from warden.sources.kafka.configs import catalogue

__all__ = ["interval", "overridden", "static_configs"]

_ALIASES = {
    "request.required.acks": "acks",
    "message.send.max.retries": "retries",
    "max.in.flight": "max.in.flight.requests.per.connection",
}
_DEFAULTS = {"producer": {"enable.idempotence": "false"}, "consumer": {}}  # librdkafka's, where they are not Java's
_MAX_AGE_MS = 900_000  # librdkafka's metadata.max.age.ms


def static_configs(kind: str, config: Mapping[str, Any]) -> dict[str, str]:
    """Return a client's own configs for ``kafka/clients/accepted``; what the policy does not read stays here.

    Args:
        kind: ``producer`` or ``consumer``.
        config: librdkafka's configuration.
    """
    texts = {
        _ALIASES.get(name, name): str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in config.items()
        if isinstance(value, str | int | float)
    }
    read = {*catalogue("clients")["static"][kind], "transactional.id"}
    return {name: text for name, text in {**_DEFAULTS[kind], **texts}.items() if name in read}


def interval(config: Mapping[str, Any]) -> float:
    """Return ``metadata.max.age.ms`` in seconds."""
    return max(1.0, float(config.get("metadata.max.age.ms", _MAX_AGE_MS)) / 1000)


def overridden(config: Mapping[str, Any], configs: Mapping[str, str]) -> dict[str, Any]:
    """Return a configuration with some configs set over it, and no other name of theirs left."""
    kept = {name: value for name, value in config.items() if _ALIASES.get(name, name) not in configs}
    return {**kept, **configs}
