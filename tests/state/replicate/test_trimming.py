"""Of a cluster only what OPA's rules read is kept, and what they read from now on when they change."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fixtures.conditions import eventually
from tests.state.replicate.fake import FakeSource
from tests.state.replicate.replicas import replica_at, running
from warden.base.resources import find_shipped
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa
from warden.state.replicate.state_filter import read_required_parts

pytestmark = pytest.mark.opa

DOCUMENT = {
    "topics": {f"t{at}": {"configs": {}} for at in range(30)},
    "defaults": {"a": "1"},
    "writes": {"t0": None},
    "staticClientConfigs": {"alice": {}},
}
READ = {"topics", "defaults"}


def built(path: Path, opa: Path, *enabled: str) -> Any:
    """A bundle with these rules and no others."""
    rules = yaml.safe_load((find_shipped("bundle") / "settings/data.yaml").read_text(encoding="utf-8"))["rules"]
    modes = {rule: {"mode": "deny" if rule in enabled else "disabled"} for rule in rules}
    settings = path.with_suffix(".yaml")
    settings.write_text(yaml.safe_dump({"rules": modes}), encoding="utf-8")
    return build_bundle(path, settings=settings, opa=opa)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "few.tar.gz"


@pytest.fixture
def few(opa_binary: Path, path: Path) -> Iterator[LocalOpa]:
    """An OPA with one rule, which reads nothing of the state."""
    with LocalOpa(built(path, opa_binary, "KFK-NAM-001"), opa=opa_binary) as running:
        yield running


def parts(client: OpaClient, source: FakeSource) -> set[str]:
    """The parts that OPA has, meta apart."""
    return replica_at(client, *source.root).keys() - {"meta"}


def test_what_rules_read(few: LocalOpa, opa_binary: Path, path: Path) -> None:
    """The engine reads some parts whatever is enabled; a rule that is enabled later gets what it reads.

    The load that new rules ask for is compared with what the replica has, as every other: nothing is lost unseen.
    """
    source = FakeSource("c", dict(DOCUMENT))
    with OpaClient(few.url, token=few.tokens.replicator) as client:
        assert "writes" not in (read_required_parts(client) or ())
        with running(few, source, trim=True) as replicator:
            eventually(lambda: parts(client, source) == READ, "what is read of the state")
            assert ["staticClientConfigs", "writes"] == client.get_data(source.meta)["trimmed"]
            built(path, opa_binary, "KFK-NAM-001", "KFK-DEL-002")
            eventually(lambda: parts(client, source) == READ | {"writes"}, "what the new rule reads")
            assert ["staticClientConfigs"] == client.get_data(source.meta)["trimmed"]
            source.become({**DOCUMENT, "topics": {}})
            built(path, opa_binary, "KFK-NAM-001")
            held = eventually(lambda: replicator.statuses[0].held, "holding back")
            replica = client.get_data((*source.root, "topics"))

    assert held.startswith("30 of 30 topics would go: ")
    assert DOCUMENT["topics"] == replica


def test_all_of_it(opa: LocalOpa, client: OpaClient) -> None:
    """As with --all."""
    source = FakeSource("fake-untrimmed", dict(DOCUMENT))
    with running(opa, source):
        eventually(lambda: parts(client, source) == DOCUMENT.keys(), "all of the state")
