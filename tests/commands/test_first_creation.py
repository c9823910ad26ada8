"""A first creation is not denied for what nobody knows yet, nor at the gateway for labels that Kafka cannot carry."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Run
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_REQUEST = {"topic": "shop.orders.created", "numPartitions": 3, "replicationFactor": 3}
_BARE: dict[str, Any] = {
    "operation": "CreateTopic",
    "cluster": "prod",
    "clusterState": {},
    "principal": {"type": "User", "name": "ANONYMOUS"},
    "request": {
        **_REQUEST,
        "configs": {"min.insync.replicas": "2", "retention.ms": "86400000", "segment.ms": "86400000"},
    },
}
_LABELS = {"owner": "shop", "dataClass": "internal"}


@pytest.fixture(scope="module", params=[None, "starter", "production"])
def profile(
    request: pytest.FixtureRequest, opa_binary: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str | None, LocalOpa]]:
    """A profile, and an OPA with it."""
    place = tmp_path_factory.mktemp("profile") / "bundle.tar.gz"
    with LocalOpa(build_bundle(place, profile=request.param, opa=opa_binary), opa=opa_binary) as opa:
        yield request.param, opa


def _decide(opa: LocalOpa, **more: Any) -> dict[str, dict[str, Any]]:
    """The violations by rule, but of those that only warn of something else than what is not known."""
    with opa.build_client() as client:
        decision = client.decide({**_BARE, **more})
    found = decision["violations"]
    return {one["rule"]: one for one in found if one["effect"] == "deny" or "not known" in one["message"]}


def test_what_nobody_knows_yet(profile: tuple[str | None, LocalOpa]) -> None:
    """It is a warning, with what to replicate; only the profile of production denies for it."""
    name, opa = profile
    found = _decide(opa, request={**_BARE["request"], "labels": _LABELS})
    effects = {rule: found[rule]["effect"] for rule in ("KFK-SIZ-002", "KFK-SIZ-003")}

    assert {"deny" if name == "production" else "warn"} == set(effects.values())
    assert all("warden replicate" in found[rule]["fix"] for rule in effects)
    assert (name == "production") == ("deny" in {one["effect"] for one in found.values()})


def test_labels_at_the_gateway(profile: tuple[str | None, LocalOpa]) -> None:
    """The rules about them are left out there and nowhere else."""
    name, opa = profile
    about_labels = {"KFK-GOV-001", "KFK-GOV-002"}

    assert not about_labels & _decide(opa, enforcementPoint="gateway").keys()
    in_ci = about_labels & _decide(opa, enforcementPoint="ci").keys()
    assert (about_labels if name == "production" else set()) == in_ci


def test_owners_by_name_at_the_gateway(profile: tuple[str | None, LocalOpa]) -> None:
    """A replicated cluster tells the owner of a topic that is requested, so that its team's cap is known."""
    _, opa = profile
    state = {
        "labelPatterns": ["(?P<owner>[a-z]+)[.].*"],
        "clusterSize": 3,
        "totals": {"topics": 1, "partitions": 1, "replicas": 3, "byOwner": {}},
    }

    assert "KFK-SIZ-003" in _decide(opa, enforcementPoint="gateway", clusterState={"totals": state["totals"]})
    assert {} == _decide(opa, enforcementPoint="gateway", clusterState=state)


def test_a_site_that_says_otherwise(opa_binary: Path, tmp_path: Path, warden: Run) -> None:
    """Its settings of the gateway count; without them `explain` names the line that leaves a rule out."""
    settings, document = tmp_path / "settings.yaml", tmp_path / "input.json"
    settings.write_text("enforcementPoints:\n  gateway:\n    KFK-GOV-001: {mode: deny}\n", encoding="utf-8")
    document.write_text(json.dumps({**_BARE, "enforcementPoint": "gateway"}), encoding="utf-8")
    bundle = build_bundle(tmp_path / "bundle.tar.gz", settings=settings, opa=opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as opa:
        assert "KFK-GOV-001" in _decide(opa, enforcementPoint="gateway")
    status, out, _ = warden("explain", str(document), "--settings", str(settings))
    left_out = [line for line in out.splitlines() if line.startswith("left out at the enforcement point gateway: ")]

    assert (0, 1) == (status, len(left_out))
    assert "KFK-GOV-002" in left_out[0]
    assert "bundle/settings/data.yaml:" in left_out[0]
