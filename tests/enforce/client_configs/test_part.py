"""Client configs of a topic as a part of a replicated cluster's state, with a real broker."""

import uuid
from contextlib import closing

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.demo.local_broker import LocalBroker
from warden.enforce.client_configs.open_store import open_store
from warden.enforce.client_configs.store import StoredEntity
from warden.state.sources.kafka.client_configs.topic import ClientConfigTopic, StoredClientConfigs
from warden.state.sources.kafka.entry import KafkaEntry
from warden.state.sources.kafka.login.connection import connect

pytestmark = pytest.mark.kafka


def test_only_what_changed_is_another(broker: LocalBroker) -> None:
    """Of many users a look makes anew those whom a record was about, and none where there was no record."""
    name = f"part.{uuid.uuid4().hex}"
    entry = KafkaEntry(name="c", bootstrap_servers=broker.bootstrap_servers)
    with (
        connect(broker.bootstrap_servers, timeout=PATIENCE) as connection,
        closing(open_store(f"topic:{name}", connection, {})) as store,
        closing(StoredClientConfigs(ClientConfigTopic(name, entry.open_consumer))) as stored,
    ):
        look = lambda: stored.read_part()["clientConfigs"]  # noqa: E731 - one line of it
        store.write({(user, ""): StoredEntity({"acks": "1"}, 0) for user in ("alice", "bob", "carol")})
        eventually(look, "what was stored counts as committed a moment after the answer")
        first = look()
        assert {user: {"": {"acks": "1"}} for user in ("alice", "bob", "carol")} == first
        assert first is look()

        there = store.read()
        changes = {
            ("bob", "app"): StoredEntity({"acks": "0"}, 0),
            ("carol", ""): StoredEntity({}, there["carol"][""].version),
        }
        store.write(changes)
        eventually(lambda: look() is not first, "what was changed counts as committed too")
        second = look()
        assert {"alice": {"": {"acks": "1"}}, "bob": {"": {"acks": "1"}, "app": {"acks": "0"}}} == second
        assert second["alice"] is first["alice"]
        assert {"": {"acks": "1"}} == first["bob"]  # what was handed out stays as it was
