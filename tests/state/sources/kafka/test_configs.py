"""Defaults of a new topic from what a broker reports about itself: no broker needed."""

import pytest

from warden.state.sources.kafka.read.configs import ConfigEntry, select_topic_defaults

STATIC, DYNAMIC_DEFAULT, DEFAULT = 4, 3, 5


def broker(**values: str | None) -> dict[str, ConfigEntry]:
    """A broker's report; ``_`` stands for Kafka's ``.``."""
    return {name.replace("_", "."): ConfigEntry(value, STATIC) for name, value in values.items()}


@pytest.mark.parametrize(
    ("reported", "key", "expected"),
    [
        (broker(log_retention_ms="5", log_retention_minutes="2", log_retention_hours="1"), "retention.ms", "5"),
        (broker(log_retention_ms=None, log_retention_minutes="2", log_retention_hours="1"), "retention.ms", "120000"),
        (broker(log_retention_ms=None, log_retention_minutes=None, log_retention_hours="1"), "retention.ms", "3600000"),
        (broker(log_retention_hours="-1"), "retention.ms", "-1"),
        (broker(log_retention_ms="-1", log_retention_hours="168"), "retention.ms", "-1"),
        (broker(log_roll_hours="24"), "segment.ms", "86400000"),
        (broker(log_flush_interval_ms=None, log_flush_scheduler_interval_ms="9"), "flush.ms", "9"),
        (broker(message_max_bytes="7"), "max.message.bytes", "7"),
        (broker(num_partitions="12"), "num.partitions", "12"),
        (broker(default_replication_factor="3"), "default.replication.factor", "3"),
        (broker(), "retention.ms", None),  # a broker that is too old to know the key
        (broker(), "num.partitions", None),
        (broker(), "remote.storage.enable", "false"),  # a key without a broker key
    ],
)
def test_the_first_broker_key_that_is_set_wins(
    reported: dict[str, ConfigEntry], key: str, expected: str | None
) -> None:
    """Milliseconds before minutes before hours, each in milliseconds."""
    assert expected == select_topic_defaults(reported).get(key)


def test_what_topics_report_stands_in_where_there_is_no_broker_key() -> None:
    """A key of an older Kafka is kept; a key that the broker resolves is taken from the broker."""
    topic = {"message.format.version": "2.8-IV1", "retention.ms": "1"}

    assert {"message.format.version": "2.8-IV1", "retention.ms": "2"} == select_topic_defaults(
        broker(log_retention_ms="2"), topic
    )


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        (ConfigEntry("1", STATIC), True),
        (ConfigEntry("1", DYNAMIC_DEFAULT), True),
        (ConfigEntry("1", DEFAULT), False),
        (ConfigEntry(None, STATIC, sensitive=True), False),
    ],
)
def test_only_what_somebody_set_and_may_be_reported_is_shown(entry: ConfigEntry, shown: bool) -> None:
    """Kafka's own defaults and secrets stay out of the state."""
    assert shown is entry.is_shown
