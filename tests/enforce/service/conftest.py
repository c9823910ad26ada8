"""A service with a real broker, a real OPA, and a store that no other file of tests has."""

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml
from confluent_kafka.admin import AdminClient, NewTopic

from tests.enforce.service.load import PARTITIONS
from tests.enforce.service.proxied import Seen, proxied_broker
from tests.enforce.service.running import Caller, RunningService, Serve
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.demo.local_broker import LocalBroker
from warden.enforce.service.config import read_config
from warden.policy.opa.local import LocalOpa

Proxied = tuple[LocalBroker, str, Seen]

USERS = {"alice": "User:alice", "bob": "User:bob"}
EVERYBODY = {"components": [{"entityType": "user", "matchType": 2}]}


@pytest.fixture(scope="module")
def serve(
    broker: LocalBroker, few_opa: LocalOpa, config_admin: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Serve]:
    """Starts services; what is given replaces parts of the configuration. All share a store."""
    directory, topic = tmp_path_factory.mktemp("serve"), f"serve-{uuid.uuid4().hex}"
    (directory / "opa.token").write_text(few_opa.tokens.query)
    callers = {"admin": config_admin, **USERS}
    for name in callers:
        (directory / f"{name}.token").write_text(f"token-of-{name}")
    with ExitStack() as stack:

        def start(*, ready: bool = True, **more: Any) -> RunningService:
            document = {
                "opa": {"url": few_opa.url, "token": {"file": "opa.token"}, "timeout": PATIENCE},
                "callers": [
                    {"token": {"file": f"{name}.token"}, "principal": principal} for name, principal in callers.items()
                ],
                "clusters": [{"name": "c", "bootstrapServers": broker.bootstrap_servers, "store": f"topic:{topic}"}],
            } | more
            service = stack.enter_context(RunningService(_config(directory / "serve.yaml", document)))
            if ready:
                admin = Caller(service, "token-of-admin")
                eventually(lambda: admin.post("client-configs/describe", EVERYBODY).ok, "the service answers")
            return service

        yield start


def _config(path: Path, document: dict[str, Any]) -> Any:
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return read_config(path)


@pytest.fixture(scope="module")
def service(serve: Serve) -> RunningService:
    """A service that answers."""
    return serve(limits={"requestsPerSecond": 1000})


@pytest.fixture
def admin(service: RunningService) -> Iterator[Caller]:
    """Somebody who may alter; at the end nothing is stored."""
    caller = Caller(service, "token-of-admin")
    yield caller
    entries = caller.post("client-configs/describe", EVERYBODY).json()["entries"]
    ops = [
        {"entity": one["entity"], "ops": [{"key": value["key"], "remove": True} for value in one["values"]]}
        for one in entries
    ]
    caller.post("client-configs/alter", {"entries": ops})


@pytest.fixture
def alice(service: RunningService) -> Caller:
    """Somebody who may not."""
    return Caller(service, "token-of-alice")


@pytest.fixture(scope="module")
def proxied() -> Iterator[Proxied]:
    """A broker whose requests are read, with some topics."""
    with proxied_broker() as made:
        names = "produced", "produced-by-python", "consumed", "consumed-by-python", "consumed-late", "other"
        admin = AdminClient({"bootstrap.servers": made[1]})
        for created in admin.create_topics([NewTopic(name, PARTITIONS, 1) for name in names]).values():
            created.result(PATIENCE)
        # A member that joins a group before its broker knows the topic learns of it minutes later.
        known = lambda name: len(admin.list_topics(name).topics[name].partitions) == PARTITIONS  # noqa: E731 - short
        eventually(lambda: all(map(known, names)), "the broker knows the topics")
        yield made
