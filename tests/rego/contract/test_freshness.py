"""A real OPA to which a state was pushed: what it decides while that is fresh, old, and of no known age."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rego.contract.documents import VALID
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

NOW = datetime(2026, 11, 21, 10, tzinfo=UTC)
OLD = "freshness: the state of cluster 'prod-eu' is 3600 seconds old, and {} wants it no older than {} seconds: {}"
UNKNOWN = OLD.replace("is 3600 seconds old", "does not say when it was observed")
ASK_AGAIN = "see that it is replicated, then ask again"
REPLICATE = "see that it is replicated"
ALONE = "this was decided on the request alone"


@pytest.fixture(scope="module")
def opa(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalOpa]:
    """An OPA with the settings that ship, but that a new topic may be decided on at the enforcement point "alone"."""
    directory = tmp_path_factory.mktemp("freshness")
    settings = directory / "settings.yaml"
    alone = {"operations": {"CreateTopic": {"then": "request"}}}
    settings.write_text(yaml.safe_dump({"enforcementPoints": {"alone": {"freshness": alone}}}), encoding="utf-8")
    with LocalOpa(
        build_bundle(directory / "bundle.tar.gz", settings=settings, opa=opa_binary), opa=opa_binary
    ) as server:
        yield server


@pytest.fixture(scope="module")
def asking(opa: LocalOpa) -> Iterator[OpaClient]:
    """Who asks for decisions."""
    with opa.build_client() as client:
        yield client


def pushed(opa: LocalOpa, age: timedelta | None) -> None:
    """Replicate the state of the cluster, as if it had been observed that long before the decisions."""
    meta = {} if age is None else {"observedAt": (NOW - age).isoformat()}
    with opa.build_client(opa.tokens.replicator) as client:
        client.put_data(["clusters", "prod-eu"], {**VALID["AuditTopic"]["clusterState"], "meta": meta})


def freshness(
    asking: OpaClient, operation: str, enforcement_point: str = "gateway"
) -> tuple[list[str], list[str], float | None]:
    """What a decision about what is replicated says of the state's age: its errors, its warnings, the age."""
    document = {key: value for key, value in VALID[operation].items() if key != "clusterState"}
    decision: dict[str, Any] = asking.decide(
        {**document, "enforcementPoint": enforcement_point, "now": NOW.isoformat()}
    )
    lines = [[line for line in decision[key] if line.startswith("freshness: ")] for key in ("errors", "warnings")]
    assert lines[0] == [] or (False, 44) == (decision["allowed"], decision["error"]["code"])
    return lines[0], lines[1], decision["stateAge"]


@pytest.mark.parametrize(
    ("operation", "enforcement_point", "errors", "warnings"),
    [
        ("DeleteTopic", "gateway", [("DeleteTopic", 60, ASK_AGAIN)], []),
        ("DeleteRecords", "gateway", [("DeleteRecords", 60, ASK_AGAIN)], []),
        ("CreateTopic", "gateway", [], [("CreateTopic", 300, REPLICATE)]),
        ("CreateTopic", "alone", [], [("CreateTopic", 300, ALONE)]),
        ("AlterTopic", "alone", [], [("AlterTopic", 300, REPLICATE)]),
        ("AuditTopic", "scan", [], []),
        ("AuditTopicConfigs", "scan", [], []),
        ("AlterScram", "gateway", [], []),
    ],
)
def test_pushed_state(
    opa: LocalOpa,
    asking: OpaClient,
    operation: str,
    enforcement_point: str,
    errors: list[tuple[str, int, str]],
    warnings: list[tuple[str, int, str]],
) -> None:
    """A fresh state is gone by; an old one, or one of no known age, denies or warns as the settings say."""
    pushed(opa, timedelta(seconds=30))
    fresh = freshness(asking, operation, enforcement_point)
    pushed(opa, timedelta(hours=1))
    old = freshness(asking, operation, enforcement_point)
    pushed(opa, None)
    unknown = freshness(asking, operation, enforcement_point)

    assert [
        ([], [], 30),
        ([OLD.format(*each) for each in errors], [OLD.format(*each) for each in warnings], 3600),
        ([UNKNOWN.format(*each) for each in errors], [UNKNOWN.format(*each) for each in warnings], None),
    ] == [fresh, old, unknown]
