"""Tables of what the demo's cluster holds: topics, ACLs, quotas and a group.

One broker cannot replicate, so every topic has one replica; what differs are names, partitions and configurations.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["ACLS", "BAD", "GROUPS", "QUOTAS", "SETTINGS", "Topic", "iter_topics"]

_HOUR, _DAY = 3_600_000, 86_400_000


@dataclass(frozen=True)
class Topic:
    """A topic to create.

    Args:
        name: Its name.
        partitions: Number of partitions.
        configs: Its overrides.
    """

    name: str
    partitions: int = 1
    configs: dict[str, str] = field(default_factory=dict)


# team → what its topics are about
_TEAMS = {
    "billing": ("invoice", "refund", "dunning", "ledger", "tax", "voucher"),
    "catalog": ("product", "price", "category", "image", "stock", "supplier"),
    "iam": ("account", "session", "consent", "role", "device", "password"),
    "logistics": ("parcel", "route", "depot", "carrier", "customs", "return"),
    "marketing": ("campaign", "newsletter", "segment", "banner", "survey", "referral"),
    "orders": ("basket", "order", "payment", "shipment", "complaint", "subscription"),
    "search": ("query", "index", "ranking", "synonym", "suggestion", "click"),
}

# what happens to it → partitions and overrides, all as the rules want them
_EVENTS: dict[str, tuple[int, dict[str, str]]] = {
    "created-v1": (2, {}),
    "changed-v1": (2, {"retention.ms": str(3 * _DAY), "segment.ms": str(_DAY)}),
    "deleted-v1": (1, {"retention.ms": str(30 * _DAY)}),
    "state-v1": (1, {"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.2"}),
    "audit-v1": (1, {"cleanup.policy": "compact,delete", "retention.ms": str(14 * _DAY), "compression.type": "zstd"}),
    "dead-letters-v1": (1, {"retention.ms": str(7 * _DAY), "max.message.bytes": "2097164"}),
}

# What people leave behind.
BAD = (
    # names that cannot be changed any more
    Topic("OrdersCreated", 2),
    Topic("orderscreated", 2),
    Topic("payments_refunds_prod"),
    Topic("billing.Invoice.Created"),
    Topic("billing.invoice"),
    Topic("catalog..price-changed"),
    Topic("my-topic"),
    Topic("test"),
    Topic("test2", 3),
    Topic("tmp-bob-please-do-not-delete", 1, {"retention.ms": str(2 * _HOUR)}),
    Topic("search.query.PROD"),
    Topic("dlq"),
    # partitions: more than a broker should open for one topic
    Topic("search.click.raw-v1", 120),
    Topic("marketing.banner.impressions-v1", 150, {"retention.ms": str(_DAY)}),
    # retention: for ever, for a year, for a minute
    Topic("iam.session.history-v1", 2, {"retention.ms": "-1"}),
    Topic("billing.ledger.entries-v1", 2, {"retention.ms": "-1"}),
    Topic("orders.order.archive-v1", 1, {"retention.ms": str(365 * _DAY)}),
    Topic("logistics.parcel.positions-v1", 3, {"retention.ms": str(400 * _DAY), "segment.bytes": "536870912"}),
    Topic("catalog.price.ticks-v1", 2, {"retention.ms": "60000"}),
    Topic("marketing.survey.answers-v1", 1, {"retention.ms": "1000"}),
    # more copies requested than there can be: every producer with acks=all is refused
    Topic("orders.payment.captured-v1", 2, {"min.insync.replicas": "2"}),
    Topic("billing.tax.reported-v1", 1, {"min.insync.replicas": "3"}),
    Topic("iam.consent.given-v1", 2, {"min.insync.replicas": "2", "unclean.leader.election.enable": "true"}),
    # several at once
    Topic("LEGACY_events", 110, {"retention.ms": "-1"}),
    Topic("Tmp_Replay_2024", 1, {"retention.ms": "100", "min.insync.replicas": "2"}),
)


def iter_topics() -> Iterator[Topic]:
    """Yield every topic: what the teams make regularly, then what they left behind."""
    for team, subjects in _TEAMS.items():
        for subject in subjects:
            for event, (partitions, configs) in _EVENTS.items():
                yield Topic(f"{team}.{subject}.{event}", partitions, configs)
    yield from BAD


# principal, operation, resource type, resource name, pattern type
ACLS = (
    *((f"User:{team}", "ALL", "TOPIC", f"{team}.", "PREFIXED") for team in _TEAMS),
    ("User:reporting", "READ", "TOPIC", "billing.ledger.", "PREFIXED"),
    ("User:reporting", "READ", "GROUP", "reporting", "LITERAL"),
    ("User:legacy", "ALL", "TOPIC", "*", "LITERAL"),
)

# entity, limits
QUOTAS = (
    ({"user": "search"}, {"producer_byte_rate": 10_485_760.0}),
    ({"user": "marketing", "client-id": "importer"}, {"producer_byte_rate": 1_048_576.0, "request_percentage": 25.0}),
    ({"client-id": None}, {"consumer_byte_rate": 52_428_800.0}),
)

# group → topic → committed offset of its partition 0
GROUPS = {
    "reporting": {"billing.ledger.state-v1": 0, "billing.invoice.created-v1": 0},
    "search-indexer": {"catalog.product.changed-v1": 0},
}

# One broker holds one copy: the rules about copies are reported so for this cluster, or every topic would break them.
SETTINGS = """\
clusters:
  - match: {name: demo}
    rules:
      KFK-DUR-001: {mode: deny, params: {min: 1, max: 5}}
      KFK-DUR-002: {mode: deny, params: {margin: 0}}
      KFK-DUR-003: {mode: deny, params: {min: 1}}
"""
