"""Brokers that are looked at again and again, and do not always answer: a real one, and one that is only listed."""

from types import SimpleNamespace
from typing import Any

import pytest

from warden.base.errors import KafkaUnreachable
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.live.polling import LiveCluster
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.read.configs import BROKER

pytestmark = pytest.mark.kafka

_LISTED = 9


def test_brokers_that_go_and_come_back(broker: LocalBroker, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that does not answer is named until it does, and one that has left no more; back again, it is read anew."""
    ids, away = [1], set[int]()
    with connect(broker.bootstrap_servers) as connection:
        send = connection.send

        def send_with_faults(request: Any, node: int | None = None, *, check: bool = True) -> Any:
            resources = getattr(request, "resources", None)
            if resources and resources[0][0] == BROKER and node in {_LISTED, *away}:
                raise KafkaUnreachable(f"broker {node} did not answer")
            answer = send(request, 1 if node == _LISTED else node, check=check)
            if type(request).__name__ == "DescribeClusterRequest":
                [own] = answer.brokers
                listed = SimpleNamespace(broker_id=_LISTED, host="h", rack=None, is_fenced=False)
                answer.brokers = [own if node == own.broker_id else listed for node in ids]
            return answer

        monkeypatch.setattr(connection, "send", send_with_faults)
        live = LiveCluster(connection, 100)
        seen = []
        for ids[:], silent in (([1], set()), ([1], {1}), ([1], set()), ([1, 9], set()), ([9], set()), ([1], set())):
            away.clear()
            away.update(silent)
            live.poll(activity=False)
            gaps = [line.split(":")[0] for line in live.gaps if line.startswith("brokers.")]
            seen.append((gaps, bool(live.parts["brokers"].get("1", {}).get("configs"))))

    assert [
        ([], True),
        (["brokers.1.configs"], True),
        ([], True),
        (["brokers.9.configs"], True),
        (["brokers.9.configs"], False),
        ([], True),
    ] == seen
