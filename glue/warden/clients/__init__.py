"""Clients that take their configs from the service while they run (KIP-649). Needs the extra ``admin``."""

from typing import TYPE_CHECKING, Any

from warden.clients.followed import Change
from warden.clients.service import ConfigService
from warden.extras import check_extras

if TYPE_CHECKING:
    from warden.clients.consumer import DynamicConsumer
    from warden.clients.producer import DynamicProducer

__all__ = ["Change", "ConfigService", "DynamicConsumer", "DynamicProducer"]


def __getattr__(name: str) -> Any:
    """Load confluent-kafka only for what is built on it."""
    if name not in {"DynamicConsumer", "DynamicProducer"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    check_extras("confluent_kafka")
    from warden.clients.consumer import DynamicConsumer
    from warden.clients.producer import DynamicProducer

    return DynamicProducer if name == "DynamicProducer" else DynamicConsumer
