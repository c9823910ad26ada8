"""A broker, an OPA that knows it, and gateways in between."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kafka.admin import ACLOperation, ResourceType

from tests.enforce.gateway.login.accounts import PREFIXED, acl, grant, with_account
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.fixtures.brokers.kafka import AUTHORIZER, SCRAM
from tests.fixtures.brokers.replication import replicate_cluster
from tests.fixtures.patience import PATIENCE
from tests.fixtures.settings import ANY_AGE, build_with_settings, few_settings
from tests.warm.borrow import open_broker, open_opa
from warden.demo.local_broker import LocalBroker
from warden.enforce.gateway.login import tokens
from warden.policy.opa.local import LocalOpa

__all__ = ["NAMES"]

NAMES = ("gate", "logins", "second", "streams")
"""Names of the cluster in OPA: one broker under four."""


@pytest.fixture(scope="session", autouse=True)
def patient_tokens() -> Iterator[None]:
    """The gateway makes and expires tokens however slow its broker is."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in ("_PATIENCE", "_FAREWELL"):
            patch.setattr(tokens, limit, PATIENCE)
        yield


@pytest.fixture(scope="session")
def gateway_opa(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalOpa]:
    """An OPA under which few rules deny, into which the state of `broker` is written.

    For the cluster "second" it wants each topic to have min.insync.replicas, and lets share.version be downgraded where
    nothing is lost, and topics called losable lose records; for "streams" names may have dashes, as
    Kafka Streams makes them.
    """
    directory = tmp_path_factory.mktemp("gateway-opa")
    settings = few_settings()
    settings["rules"]["KFK-ACL-001"] = {"mode": "deny", "params": {"forbid": ["principal"], "allow": []}}
    proposing: dict[str, Any] = {"KFK-DUR-002": {"params": {"margin": 0}}}
    proposing["KFK-DUR-003"] = {"mode": "deny", "params": {"min": 1, "requireExplicit": True}}
    proposing["KFK-CHG-009"] = {"params": {"safe": ["share.*"]}}
    proposing["KFK-DUR-009"] = {"params": {"topics": ["losable.*"]}}
    proposing["KFK-BRK-011"] = {"params": {"join": ["*"], "leave": ["*"]}}
    dashed = {"KFK-NAM-001": {"mode": "deny", "params": {"pattern": "^[a-z]+([.-][a-z]+)+$"}}}
    settings["clusters"] = [
        {"match": {"name": "second"}, "rules": proposing},
        {"match": {"name": "streams"}, "rules": dashed},
    ]
    settings["freshness"] = {"default": ANY_AGE, "operations": {"DeleteTopic": ANY_AGE, "DeleteRecords": ANY_AGE}}
    bundle = build_with_settings(settings, directory, opa_binary)
    with open_opa(bundle, opa_binary, directory / "settings.yaml") as running:
        yield running


@pytest.fixture(scope="session")
def token_broker() -> Iterator[LocalBroker]:
    """A broker with tokens: alice may create topics of her own, the gateway's account any topic, and tokens for two."""
    properties = {**AUTHORIZER, **SCRAM, "delegation.token.secret.key": "a-key-of-this-test"}
    with open_broker(properties=properties, sasl_users={"nobody": "x"}) as running:
        with_account(running)
        grant(
            running,
            acl("alice", ACLOperation.CREATE, ResourceType.TOPIC, "alice.", PREFIXED),
            acl("gateway", ACLOperation.CREATE, ResourceType.TOPIC, "*"),
            acl("gateway", ACLOperation.CREATE_TOKENS, ResourceType.USER, "User:alice"),
            acl("gateway", ACLOperation.CREATE_TOKENS, ResourceType.USER, "User:dora"),
        )
        yield running


@pytest.fixture(scope="session")
def replicate(
    gateway_opa: LocalOpa, broker: LocalBroker, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[], None]:
    """Bring what `broker` has to OPA; once, each time it is called."""
    directory = tmp_path_factory.mktemp("replicate")
    once = partial(replicate_cluster, gateway_opa, directory, broker.bootstrap_servers, *NAMES)
    once()
    return once


@pytest.fixture(scope="session")
def gateway(
    broker: LocalBroker, gateway_opa: LocalOpa, replicate: Callable[[], None], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningGateway]:
    """A gateway before `broker`: cluster 0 is its plain listener, 1 the one with logins, 2 and 3 further names."""
    plain, sasl = {1: broker.bootstrap_servers}, {1: broker.sasl_bootstrap_servers}
    config = write_config(
        tmp_path_factory.mktemp("gateway") / "gateway.yaml",
        gateway_opa,
        [
            {"name": "gate", "brokers": plain},
            {"name": "logins", "brokers": sasl, "authentication": "sasl"},
            {"name": "second", "brokers": plain},
            {"name": "streams", "brokers": plain},
        ],
        limits={"drainSeconds": 2},
    )
    with RunningGateway(config) as running:
        yield running
