"""What a site says beside the message of a denial, for who reads it in a client of Kafka."""

from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Run
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_SETTINGS = """\
advice:
  all: "ask #kafka"
  owners: {shop: "shop's guide is https://wiki.example/shop"}
  rules: {KFK-SIZ-001: "see https://wiki.example/KFK-SIZ-001"}
"""


def _message(opa: LocalOpa, **request: Any) -> str | None:
    document = {"operation": "CreateTopic", "cluster": "prod", "clusterState": {}, "enforcementPoint": "gateway"}
    configs = {"min.insync.replicas": "2", **request.pop("configs", {})}
    given = {"topic": "shop.orders.created", "replicationFactor": 3, **request, "configs": configs}
    with opa.build_client() as client:
        error = client.decide({**document, "request": given})["error"]
    return None if error is None else str(error["message"])


def test_advice(opa_binary: Path, tmp_path: Path) -> None:
    """Of the rule, the owner and everything; of another rule without its own, and not where nothing is denied."""
    settings = tmp_path / "settings.yaml"
    settings.write_text(_SETTINGS, encoding="utf-8")
    bundle = build_bundle(tmp_path / "bundle.tar.gz", settings=settings, opa=opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as opa:
        many = _message(opa, numPartitions=300, labels={"owner": "shop"})
        few = _message(opa, numPartitions=3, configs={"retention.ms": "10"})
        good = _message(opa, numPartitions=3)

    assert many is not None
    assert few is not None
    assert good is None
    beside = "shop's guide is https://wiki.example/shop; ask #kafka"
    assert many.endswith(f"above the maximum of 100; see https://wiki.example/KFK-SIZ-001; {beside}")
    assert few.endswith("below the minimum of 3600000; ask #kafka")


def test_a_rule_that_there_is_not(warden: Run, tmp_path: Path) -> None:
    """It is refused as elsewhere in the settings."""
    settings = tmp_path / "settings.yaml"
    settings.write_text("advice:\n  rules: {KFK-SIZ-999: see}\n", encoding="utf-8")
    status, _, err = warden("settings", "validate", str(settings))

    assert 2 == status
    assert "KFK-SIZ-999" in err
