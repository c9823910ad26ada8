"""A stand-in for confluent-kafka's AdminClient that asks the policy first. Needs the extra ``admin``."""

from warden.extras import check_extras

check_extras("confluent_kafka")

from warden.api.admin.client import PolicyAdminClient  # noqa: E402 - what it needs is there

__all__ = ["PolicyAdminClient"]
