"""A library's configuration as Kafka's Java clients have it: its names, texts and other defaults. Pure."""

import math
from collections.abc import Mapping
from typing import Any

from warden.policy.bundle.catalog import read_catalog

__all__ = ["build_keywords", "override_configs", "parse_interval", "select_static_configs", "to_kafka_names"]

_ALIASES = {
    "request.required.acks": "acks",
    "message.send.max.retries": "retries",
    "max.in.flight": "max.in.flight.requests.per.connection",
}
_DEFAULTS = {"producer": {"enable.idempotence": "false"}, "consumer": {}}  # librdkafka's, where they are not Java's
_MAX_AGE_MS = 900_000  # librdkafka's metadata.max.age.ms


def select_static_configs(kind: str, config: Mapping[str, Any], *, of_librdkafka: bool = True) -> dict[str, str]:
    """Return a client's own configs for ``kafka/client_configs/accepted``; what the policy does not read stays here.

    Args:
        kind: ``producer`` or ``consumer``.
        config: The configuration, by names with dots.
        of_librdkafka: Whether it is librdkafka's, whose defaults are not Java's.
    """
    defaults = _DEFAULTS[kind] if of_librdkafka else {}
    texts = {
        _ALIASES.get(name, name): str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in config.items()
        if isinstance(value, str | int | float) and value != math.inf  # kafka-python's retries
    }
    read = {*read_catalog("clients")["static"][kind], "transactional.id"}
    return {name: text for name, text in {**defaults, **texts}.items() if name in read}


def parse_interval(config: Mapping[str, Any]) -> float:
    """Return ``metadata.max.age.ms`` in seconds."""
    return max(1.0, float(config.get("metadata.max.age.ms", _MAX_AGE_MS)) / 1000)


def override_configs(config: Mapping[str, Any], configs: Mapping[str, str]) -> dict[str, Any]:
    """Return a configuration with some configs set over it, and no other name of theirs left."""
    kept = {name: value for name, value in config.items() if _ALIASES.get(name, name) not in configs}
    return {**kept, **configs}


def to_kafka_names(configs: Mapping[str, Any]) -> dict[str, Any]:
    """Return kafka-python's keywords by Kafka's names, without those that are not set."""
    return {name.replace("_", "."): value for name, value in configs.items() if value is not None}


def build_keywords(configs: Mapping[str, str]) -> dict[str, Any]:
    """Return configs as kafka-python's keywords: whole numbers, and the one that is true or false."""
    return {
        key.replace(".", "_"): text == "true" if key == "enable.idempotence" else int(text)
        for key, text in configs.items()
    }
