"""Requests about a cluster as a whole, or its groups: the engine beside a real broker."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from kafka.admin import NewTopic

from tests.fixtures.brokers.groups import commit
from tests.fixtures.brokers.kafka import AUTHORIZER, wait_for_topics
from tests.fixtures.patience import PATIENCE
from tests.fixtures.seed import SEED
from tests.oracle.cases.administration import DRAWS, GROUPS, TOPIC, Sender, codes, draw_requests, open_sender
from tests.oracle.engine import Engine
from warden.demo.local_broker import LocalBroker
from warden.policy.adapter import parse_request
from warden.state.sources.kafka.login.connection import connect

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.oracle]

_NUMBER = 40
_ALREADY = 84  # ELECTION_NOT_NEEDED: there is nothing to do

# What a broker of one node takes none of: static quorum, one log directory, tokens that nobody has, groups without
# members of their kind.
_NEVER_TAKEN = {
    *("AlterReplicaLogDirs", "AlterShareGroupOffsets", "DeleteShareGroupOffsets"),
    *("ExpireDelegationToken", "RemoveRaftVoter", "RenewDelegationToken", "UnregisterBroker"),
}


@pytest.fixture(scope="module")
def administered() -> Iterator[LocalBroker]:
    """A broker of this module's own, which has tokens and a topic."""
    share = {"share.coordinator.state.topic.replication.factor": "1", "share.coordinator.state.topic.min.isr": "1"}
    secret = {"delegation.token.secret.key": "a-key-of-this-test"}
    supers = {"super.users": f"{AUTHORIZER['super.users']};User:nobody"}
    with LocalBroker(properties={**AUTHORIZER, **secret, **share, **supers}, sasl_users={"nobody": "x"}) as broker:
        with connect(broker.bootstrap_servers, timeout=PATIENCE) as connection:
            connection.admin.create_topics([NewTopic(TOPIC, 2, 1)])
        wait_for_topics(broker, TOPIC)
        yield broker


@pytest.fixture
def sender(administered: LocalBroker) -> Iterator[Sender]:
    """A login at the broker, which has the groups."""
    with connect(administered.bootstrap_servers, timeout=PATIENCE) as connection:
        for group in GROUPS:
            commit(connection, group, TOPIC)
    with open_sender(administered.sasl_bootstrap_servers, ("nobody", "x")) as sender:
        yield sender


@dataclass(frozen=True)
class _Drawn:
    """A random request, and why the engine refuses what it is about: code and sentences of each, none where allowed."""

    fields: Mapping[str, Any]
    refusals: list[tuple[int, list[str]]]


@pytest.fixture(scope="module")
def drawn(engine: Engine) -> dict[str, list[_Drawn]]:
    """Random requests of each API; one evaluation decides about all."""
    parsed = {
        (api, n): parse_request(api, fields, version=version)
        for api, (version, _) in DRAWS.items()
        for n, fields in enumerate(draw_requests(api, _NUMBER))
    }
    items = {f"{api} {n} {key}": one for (api, n), each in parsed.items() for key, one in each.inputs.items()}
    common = {"cluster": "oracle", "clusterState": {"topics": {}}}
    decisions = engine.evaluate("data.kafka.decisions", {"items": items, "common": common})

    def refuse(api: str, n: int) -> list[tuple[int, list[str]]]:
        each = parsed[api, n]
        own = [item.refusal for item in each.items.values() if item.refusal]
        errors = [decisions[f"{api} {n} {key}"] for key in each.inputs]
        return [
            *((one.error_code, [one.error_message or ""]) for one in own),
            *((one["error"]["code"], one["errors"]) for one in errors if not one["allowed"]),
        ]

    return {
        api: [_Drawn(each.request, refuse(api, n)) for (name, n), each in parsed.items() if name == api]
        for api in DRAWS
    }


@pytest.mark.parametrize("api", DRAWS)
def test_requests(api: str, sender: Sender, drawn: dict[str, list[_Drawn]]) -> None:
    """What a broker takes the engine allows, and what the engine refuses a broker refuses with its code and words."""
    wrong, taken = [], 0
    for one in drawn[api]:
        several = len(one.fields.get("featureUpdates", ())) > 1  # Kafka names one of those that it refuses
        said = [(code, text) for code, text in codes(sender.send(api, DRAWS[api][0], one.fields)) if code != _ALREADY]
        refused = [(code, text) for code, text in said if code]
        taken += refused == [] and said != []
        wrong += [
            f"{one.fields}: {said} is not {code} {sentences}"
            for code, sentences in one.refusals
            if not any(code == theirs and (several or text in (None, *sentences)) for theirs, text in refused)
        ]
    print(f"{api}: {len(drawn[api])} requests, {taken} taken, seed {SEED}")
    assert [] == wrong
    assert api in _NEVER_TAKEN or taken > 0
