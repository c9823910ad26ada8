"""Clients that take their configs from the service while they run (KIP-649). Needs the extra ``admin``."""

from typing import TYPE_CHECKING, Any

from warden.clients.followed import Change
from warden.clients.service import ConfigService
from warden.errors import ConfigurationError

if TYPE_CHECKING:
    from warden.clients.consumer import DynamicConsumer
    from warden.clients.producer import DynamicProducer

__all__ = ["Change", "ConfigService", "DynamicConsumer", "DynamicProducer"]


def __getattr__(name: str) -> Any:
    """Load confluent-kafka only for what is built on it."""
    if name not in {"DynamicConsumer", "DynamicProducer"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from warden.clients.consumer import DynamicConsumer
        from warden.clients.producer import DynamicProducer
    except ModuleNotFoundError as missing:
        if missing.name != "confluent_kafka":
            raise
        raise ConfigurationError(f"{name} needs confluent-kafka: install warden with its extra 'admin'") from None
    return DynamicProducer if name == "DynamicProducer" else DynamicConsumer
