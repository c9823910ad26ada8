"""What a client accepts, while a new bundle is rolled out to one of two real OPAs after the other."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.enforce.service.test_resolving import producer
from tests.fixtures.conditions import eventually
from tests.fixtures.settings import few_rules
from tests.policy.failover.pair import CLUSTER, Pair, RunningClient
from warden.base.resources import find_shipped
from warden.demo.local_broker import LocalBroker
from warden.enforce.service.cluster import ClusterFollower
from warden.enforce.service.config import ServedCluster
from warden.enforce.service.resolve_batches import Resolver
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_OLD, _NEW = "and it needs acks=all", "and it needs acks=all, as the next bundle says"


@pytest.fixture(scope="module")
def bundles(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Bundle, Bundle]:
    """An old one, and a new one that says another thing of what clients accept."""
    directory = tmp_path_factory.mktemp("bundles")
    settings = few_rules(directory / "settings.yaml")
    policies = directory / "policies"
    shutil.copytree(find_shipped("policies"), policies)
    rule = policies / "kafka/client_configs/accepted.rego"
    rule.write_text(rule.read_text(encoding="utf-8").replace(_OLD, _NEW), encoding="utf-8")
    old = build_bundle(directory / "old.tar.gz", settings=settings, opa=opa_binary)
    return old, build_bundle(directory / "new.tar.gz", settings=settings, opa=opa_binary, policies=policies)


@pytest.fixture(scope="module")
def pair(bundles: tuple[Bundle, Bundle], opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """The preferred one has the old bundle, the other one the new one."""
    both = Pair(bundles[0], opa_binary, tmp_path_factory.mktemp("bundles-pair"))
    both.opas[1] = LocalOpa(bundles[1], opa=opa_binary)
    both.opas[1].tokens = both.opas[0].tokens
    with both as running:
        yield running


def test_what_is_kept_is_of_the_bundle_that_said_it(
    pair: Pair, bundles: tuple[Bundle, Bundle], broker: LocalBroker, config_admin: str, tmp_path: Path
) -> None:
    """One OPA decides and the other says what is accepted: that is kept for neither's other bundle."""
    with RunningClient(pair.settings()) as running:
        eventually(lambda: running.order() == [0, 1], "both are well")
        store = f"sqlite:{tmp_path / 'configs.db'}"
        served = {"name": CLUSTER, "bootstrapServers": broker.bootstrap_servers, "store": store}
        cluster = ClusterFollower(ServedCluster.model_validate(served), running.client, lambda _: None)
        cluster.start()
        try:
            eventually(lambda: cluster.problem is None, "the cluster answers")
            ops = [{"key": "acks", "value": "0"}]
            assert cluster.alter(config_admin, [{"entity": {"user": "alice"}, "ops": ops}])[0].allowed
            pair.write(0, age=1000)
            eventually(lambda: running.order() == [1, 0], "the other one decides about the cluster")

            resolver = Resolver(cluster)

            def find_note() -> str:
                answer = resolver.resolve([producer("app")])[0]
                assert isinstance(answer, bytes)
                document = json.loads(answer)
                assert "revision" not in document["accepted"]
                return str(document["accepted"]["notes"]["enable.idempotence"])

            assert find_note().endswith(_OLD), "what is about no cluster goes to the preferred one"
            shutil.copy(bundles[1].path, bundles[0].path)
            with pair.opas[0].build_client() as client:
                revision = bundles[1].revision
                eventually(lambda: client.read_revision() == revision, "the preferred one has the new bundle")
            assert [1, 0] == running.order()
            assert find_note().endswith(_NEW)
        finally:
            cluster.stop()
