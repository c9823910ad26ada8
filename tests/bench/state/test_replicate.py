"""What a tick costs, in counts that no machine changes."""

import json
from typing import Any

from tests.bench.state.replicate import Simulated
from warden.state.replicate.replica import Replica
from warden.state.sources.kafka.entry import KafkaEntry
from warden.state.sources.kafka.source import KafkaSource


def _tick(topics: int) -> tuple[int, int, int]:
    """Changes, operations and bytes of the first tick after a load."""
    look: Any = Simulated(topics)
    source = KafkaSource(
        KafkaEntry.model_construct(name="sim", bootstrap_servers="sim:1", interval=0.001, activity_interval=5.0),
        None,
        lambda: (look, lambda: None),
    )
    replica = Replica(source.load())
    changes = source.poll(60.0)
    operations = replica.apply(changes)
    return (
        len([change for change in changes if change.path[0] == "topics"]),
        len(operations),
        len(json.dumps(operations)),
    )


def test_a_tick_costs_what_changed_and_not_what_there_is():
    """A hundred changes of a thousand topics, and of ten thousand."""
    small, large = _tick(1_000), _tick(10_000)

    assert 100 <= small[0] == large[0] <= 103
    assert large[1] <= small[1] * 1.02
    assert large[2] <= small[2] * 1.05
    assert small[1] <= 3 * small[0]
