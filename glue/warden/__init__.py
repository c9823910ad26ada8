"""Warden: the policy system for Apache Kafka estates.

    from warden import Decision, Warden

    with Warden("http://127.0.0.1:8181", token, cluster="prod-eu", principal="User:alice") as warden:
        decision = warden.create_topic("shop.orders.created", num_partitions=6, configs={"retention.ms": "86400000"})

`warden.enforce.sdk.admin.PolicyAdminClient` stands in for confluent-kafka's AdminClient. What else applications may
import is in docs/reference/python.md; every other module is internal.
"""

from warden.base.version import __version__
from warden.enforce.sdk.warden import Warden
from warden.policy.contract.decision import Decision, Document, KafkaRefusal, Violation

__all__ = ["Decision", "Document", "KafkaRefusal", "Violation", "Warden", "__version__"]
