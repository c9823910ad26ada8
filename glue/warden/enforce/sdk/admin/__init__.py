"""A stand-in for confluent-kafka's AdminClient that asks the policy first. Needs the extra ``admin``."""

from warden.base.extras import check_extras

check_extras("confluent_kafka")

from warden.enforce.sdk.admin.client import PolicyAdminClient  # noqa: E402 - what it needs is there

__all__ = ["PolicyAdminClient"]
