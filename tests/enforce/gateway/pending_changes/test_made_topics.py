"""Topics that brokers make for a share group's rejected records (KIP-1191), before a broker that makes them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.enforce.gateway.running import gateway_with_state
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from warden.base.errors import KafkaError
from warden.demo.class_path import build_class_path
from warden.demo.java import run_java
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import Bundle
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_NAME = "errors.deadletterqueue.topic.name"


@pytest.fixture(scope="module")
def made() -> Iterator[LocalBroker]:
    """A broker that makes the topics that groups name."""
    with LocalBroker(properties={"errors.deadletterqueue.auto.create.topics.enable": "true"}) as running:
        yield running


@pytest.fixture(scope="module")
def at(
    made: LocalBroker, opa_binary: Path, few_bundle: Bundle, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The address of a gateway before it, under a convention of names."""
    directory = tmp_path_factory.mktemp("made")
    with LocalOpa(few_bundle, opa=opa_binary) as opa, gateway_with_state(opa, made, directory) as gateway:
        yield gateway.address()


def _name_topic(at: str, group: str, topic: str) -> None:
    change = ["--alter", "--entity-type", "groups", "--entity-name", group, "--add-config", f"{_NAME}={topic}"]
    run_java("kafka.admin.ConfigCommand", ["--bootstrap-server", at, *change], class_path=build_class_path())


def test_a_group_names_a_topic_that_rules_refuse(at: str, made: LocalBroker) -> None:
    """The group keeps no such name, so that the broker makes nothing; another name goes through."""
    with pytest.raises(KafkaError, match=r"dlq.BAD_Name.*which brokers make for rejected records"):
        _name_topic(at, "g", "dlq.BAD_Name")
    _name_topic(at, "h", "dlq.orders")

    described = lambda: run_tool(made, "kafka.admin.ConfigCommand", "--describe", "--entity-type", "groups")  # noqa: E731
    eventually(lambda: f"{_NAME}=dlq.orders" in described(), "the broker knows the name")
    assert "BAD" not in described()
