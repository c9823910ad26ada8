"""Everyday changes of a cluster with Kafka's defaults pass by the settings as shipped; what makes worse does not."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.enforce.gateway.clients.everyday import EVERYDAY, Everyday, Sent
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.three_brokers import ThreeBrokers
from tests.fixtures.brokers.replication import replicate_cluster
from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.fixtures.settings import ANY_AGE, build_with_settings
from tests.oracle.broker import Broker
from warden.policy.opa.local import LocalOpa
from warden.state.sources.kafka.login.connection import connect

_POLICY_VIOLATION = 44
# Who made a topic, without which nobody's quota is known.
_OWNERS = {"principal": "madeBy", "from": [{"pattern": r"(?P<madeBy>[a-z]+)\..*"}]}


def _name(place: int, worse: bool) -> str:
    return f"shop.everyday.{'worse' if worse else 'passes'}{place}"


@pytest.fixture(scope="module")
def through_gateway(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """What sends requests through a gateway, before brokers with the topics of both columns."""
    directory = tmp_path_factory.mktemp("everyday")
    bundle = build_with_settings({"freshness": {"default": ANY_AGE}}, directory, opa_binary)
    with ThreeBrokers() as brokers, LocalOpa(bundle, opa=opa_binary) as opa:
        _make_topics(brokers)
        replicate_cluster(opa, directory, brokers.bootstrap_servers, "everyday", owners=_OWNERS)
        config = write_config(
            directory / "gateway.yaml",
            opa,
            [{"name": "everyday", "brokers": brokers.addresses}],
            limits={"drainSeconds": 1},
        )
        with RunningGateway(config) as gateway, connect(gateway.address(), timeout=60) as connection:
            yield Broker(connection)


def _make_topics(brokers: ThreeBrokers) -> None:
    topics = [
        {
            "name": _name(place, worse),
            "numPartitions": -1,
            "replicationFactor": -1,
            "assignments": [
                {"partitionIndex": p, "brokerIds": list(replicas)} for p, replicas in enumerate(each.replicas)
            ],
            "configs": [{"name": name, "value": value} for name, value in each.configs.items()],
        }
        for place, each in enumerate(EVERYDAY)
        for worse in (False, True)
    ]
    with connect(brokers.bootstrap_servers, timeout=60) as direct:
        made = Broker(direct).send("CreateTopics", {"topics": topics, "timeoutMs": 60_000, "validateOnly": False})
        assert {0} == {topic.error_code for topic in made.topics}
    for each in brokers.bootstrap_servers.split(","):  # whichever the state is read from
        with connect(each, timeout=60) as one:
            eventually(lambda: len(one.admin.list_topics()) >= len(topics), "all topics are there")


def _errors(response: Any) -> set[tuple[int, str | None]]:
    """The codes and texts of all that a response is about."""
    if hasattr(response, "responses") and hasattr(response, "throttle_time_ms"):
        parts = [p for each in response.responses for p in getattr(each, "partitions", [each])]
    else:
        parts = getattr(response, "results", None) or response.topics
    return {(part.error_code, part.error_message) for part in parts}


def _sent(sent: Sent, topic: str) -> tuple[str, dict[str, Any]]:
    api, fields = sent
    return api, json.loads(json.dumps(fields).replace("TOPIC", topic))


@pytest.mark.cluster
@pytest.mark.kafka
@pytest.mark.opa
@pytest.mark.parametrize("place", range(len(EVERYDAY)), ids=[each.passes.replace("`", "") for each in EVERYDAY])
def test_what_passes_and_what_does_not(place: int, through_gateway: Broker) -> None:
    """Kafka does the one, and the gateway denies the other by a rule."""
    each = EVERYDAY[place]
    api, fields = _sent(each.request, _name(place, False))
    errors = _errors(through_gateway.send(api, fields, each.node))
    assert {0} == {code for code, _ in errors}, errors

    api, fields = _sent(each.denied, _name(place, True))
    errors = _errors(through_gateway.send(api, fields, each.node))
    assert {_POLICY_VIOLATION} == {code for code, _ in errors}, errors


def test_the_page_shows_them() -> None:
    """In this order, each with what is there before."""
    page = (CHECKOUT / "docs/explain/change.md").read_text(encoding="utf-8")

    def row(each: Everyday) -> str:
        return f"| {each.before} | {each.passes} | {each.worse} |"

    assert "\n".join(map(row, EVERYDAY)) in page
    assert 20 == len(EVERYDAY)
