"""A stand-in for confluent-kafka's AdminClient that asks the policy first. Needs the extra ``admin``."""

from warden.errors import ConfigurationError

try:
    from warden.client.admin.client import PolicyAdminClient
except ModuleNotFoundError as missing:
    if missing.name != "confluent_kafka":
        raise
    raise ConfigurationError(
        "warden.client.admin needs confluent-kafka: install warden with its extra 'admin'"
    ) from None

__all__ = ["PolicyAdminClient"]
