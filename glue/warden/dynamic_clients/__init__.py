"""Clients that take their configs from the service while they run (KIP-649)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from warden.base.extras import check_extras
from warden.dynamic_clients.config_watch import DynamicConfigs
from warden.dynamic_clients.service import ConfigService

if TYPE_CHECKING:
    from warden.dynamic_clients.administration import ClientConfigsAdmin
    from warden.dynamic_clients.confluent_consumer import DynamicConsumer
    from warden.dynamic_clients.confluent_producer import DynamicProducer
    from warden.dynamic_clients.kafka_python_consumer import DynamicKafkaConsumer
    from warden.dynamic_clients.kafka_python_producer import DynamicKafkaProducer
    from warden.dynamic_clients.metrics import ClientMetrics

__all__ = [
    "ClientConfigsAdmin",
    "ClientMetrics",
    "ConfigService",
    "DynamicConfigs",
    "DynamicConsumer",
    "DynamicKafkaConsumer",
    "DynamicKafkaProducer",
    "DynamicProducer",
]

_BUILT_ON: Final = {
    "ClientConfigsAdmin": ("administration", "kafka"),
    "ClientMetrics": ("metrics", "prometheus_client"),
    "DynamicConsumer": ("confluent_consumer", "confluent_kafka"),
    "DynamicKafkaConsumer": ("kafka_python_consumer", "kafka"),
    "DynamicKafkaProducer": ("kafka_python_producer", "kafka"),
    "DynamicProducer": ("confluent_producer", "confluent_kafka"),
}


if not TYPE_CHECKING:  # to a type checker every name would be there

    def __getattr__(name: str) -> Any:
        """Load a library only for what is built on it."""
        if name not in _BUILT_ON:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, library = _BUILT_ON[name]
        check_extras(library)
        return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    """Return what is public."""
    return __all__
