"""Keys that only a cluster describes, of every type: decided equally by decide, check, gateway and scan."""

import asyncio
import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.analyse.scan.in_process import documents, of_decision, scan
from warden.analyse.scan.plan import ScanPlan, prepare
from warden.analyse.scan.policy_version import read_policy_version
from warden.base.files.secret import Secret
from warden.commands.check import command as check
from warden.commands.decide import command as decide
from warden.enforce.gateway.config import GatewayOpa
from warden.enforce.gateway.decisions.decider import Decider
from warden.policy.bundle.catalog import read_catalog
from warden.policy.opa.local import LocalOpa
from warden.state.snapshot.directory import write_snapshot

pytestmark = pytest.mark.opa

_VALUES = {  # of each type one that is, and one that is not, where there is such a text
    "boolean": ("true", "maybe"),
    "string": ("a b", None),
    "short": ("5", "40000"),
    "int": ("5", "3000000000"),
    "long": ("3000000000", "9223372036854775808"),
    "double": ("0.5", "half"),
    "list": ("a,b", None),
    "class": ("site.Thing", "no class"),
    "password": ("hunter2", None),
}
_KEYS = {f"own.{kind}": {"type": kind, "documentation": f"One {kind}."} for kind in _VALUES}
_NOW = datetime(2026, 11, 21, 10, tzinfo=UTC)
_OWN_RULES = {"KFK-CFG-002", "KFK-CFG-003", "KFK-CFG-004"}


def _state(**catalog: Any) -> dict[str, Any]:
    """A cluster with a topic that has all the keys, and one that nobody knows."""
    stored = {name: _VALUES[row["type"]][0] for name, row in _KEYS.items()} | {"strange": "1"}
    return {
        "brokers": {"1": {"host": "b", "rack": "a", "configs": {}}},
        "catalog": {"beside": read_catalog("topic")["kafka"], "configs": {"topic": _KEYS}, **catalog},
        "clusterSize": 1,
        "defaults": {},
        "meta": {"observedAt": f"{_NOW:%Y-%m-%dT%H:%M:%SZ}", "revision": "1", "labels": False},
        "namesByMetric": {},
        "topics": {
            "shop.orders.created": {
                "numPartitions": 1,
                "replicationFactor": 1,
                "replicasAssignments": {"0": [1]},
                "configs": {**stored, "retention.ms": "604800000"},
                "labels": {},
                "internal": False,
                "markedForDeletion": False,
                "reassigning": {},
            }
        },
        "totals": {"topics": 1, "partitions": 1, "replicas": 1, "byBroker": {}, "byOwner": {}, "byPrincipal": {}},
    }


def _alter(state: dict[str, Any], name: str, value: str | None) -> dict[str, Any]:
    ops = [{"name": name, "op": "SET", "value": value}]
    request = {"topic": "shop.orders.created", "configs": {"mode": "incremental", "ops": ops}}
    now = f"{_NOW:%Y-%m-%dT%H:%M:%SZ}"
    return {"operation": "AlterTopic", "cluster": "c", "now": now, "request": request, "clusterState": state}


def _said(decision: dict[str, Any]) -> tuple[bool, list[tuple[str, str, str]]]:
    """Whether a change is allowed, and what is said of names and types."""
    rows = [(each["rule"], each["effect"], each["path"][1]) for each in decision["violations"] if _is_own(each)]
    return decision["allowed"], sorted(rows)


def _is_own(violation: dict[str, Any]) -> bool:
    return violation["rule"] in _OWN_RULES


@pytest.fixture
def gateway(opa: LocalOpa, tmp_path: Path) -> Any:
    """Decides as the gateway does."""
    token = tmp_path / "token"
    token.write_text(opa.tokens.query)

    def call(inputs: dict[str, Any]) -> dict[str, Any]:
        async def decisions() -> dict[str, Any]:
            settings = GatewayOpa(url=opa.url, token=Secret("token", file=token), timeout=60)
            async with Decider(settings) as decider:
                found, _ = await decider.decide({"items": inputs, "common": {}})
                return dict(found)

        return asyncio.run(decisions())

    return call


def test_nothing_is_frozen(gateway: Any, query_client: Any) -> None:
    """A change of another config says nothing of what stands there, whether the cluster describes it or nobody does."""
    states = {
        "described": _state(),
        "newer": _state(release="9.0", configs={}),
        "not known": {**_state(), "catalog": {}},
    }
    inputs = {name: _alter(state, "retention.ms", "691200000") for name, state in states.items()}

    assert {name: _said(each) for name, each in gateway(inputs).items()} == dict.fromkeys(states, (True, []))
    assert {name: _said(each) for name, each in query_client.decide_many(inputs).items()} == dict.fromkeys(
        states, (True, [])
    )


def test_values_are_of_their_types(gateway: Any) -> None:
    """A value of the type is taken, with a warning where the type leaves more than two; another is refused as Kafka."""
    state = _state()
    state["topics"]["shop.orders.created"]["configs"] = {}
    good = gateway({kind: _alter(state, f"own.{kind}", values[0]) for kind, values in _VALUES.items()})
    bad = gateway({kind: _alter(state, f"own.{kind}", no) for kind, (_, no) in _VALUES.items() if no})
    warned = {kind: [] if kind == "boolean" else [("KFK-CFG-004", "warn", f"own.{kind}")] for kind in _VALUES}

    assert {kind: _said(decision) for kind, decision in good.items()} == {
        kind: (True, warnings) for kind, warnings in warned.items()
    }
    assert {kind: decision["error"]["name"] for kind, decision in bad.items()} == dict.fromkeys(
        ("boolean", "short", "int", "long", "double", "class"), "INVALID_CONFIG"
    )


def test_names_that_nobody_knows(gateway: Any) -> None:
    """Where the cluster describes its keys, another is Kafka's to refuse; where it may be newer, a rule warns."""
    inputs = {
        "described": _alter(_state(), "strange", "2"),
        "newer": _alter(_state(release="9.0", beside="9.0"), "strange", "2"),
        "not known": _alter({**_state(), "catalog": {}}, "strange", "2"),
    }
    decisions = gateway(inputs)

    assert decisions["described"]["error"]["name"] == "INVALID_CONFIG"
    assert {name: _said(decisions[name]) for name in ("newer", "not known")} == dict.fromkeys(
        ("newer", "not known"), (True, [("KFK-CFG-003", "warn", "strange")])
    )


def test_by_commands(opa: LocalOpa, gateway: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`decide` and `check` come to what the gateway comes to."""
    monkeypatch.chdir(tmp_path)
    asking = ["--opa-url", opa.url, "--opa-token", opa.tokens.query, "--output", "json"]
    document = _alter({**_state(), "catalog": {}}, "strange", "2")
    Path("input.json").write_text(json.dumps(document))
    decided = CliRunner().invoke(decide, ["input.json", *asking])
    state = _state()
    state["meta"]["observedAt"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    Path("state.json").write_text(json.dumps(state))
    configs = {**state["topics"]["shop.orders.created"]["configs"], "own.int": "6", "own.boolean": "false"}
    declared = {"topic": "shop.orders.created", "numPartitions": 1, "configs": configs}
    Path("topic.json").write_text(json.dumps(declared))
    checked = CliRunner().invoke(check, ["topic.json", "--state", "state.json", "--cluster", "c", *asking])
    (declaration,) = json.loads(checked.stdout)["declarations"]

    assert _said(json.loads(decided.stdout)) == _said(gateway({"0": document})["0"])
    assert _said(declaration["decision"])[1] == [("KFK-CFG-004", "warn", "own.int")]


def test_by_scan(opa: LocalOpa, tmp_path: Path) -> None:
    """A scan of a snapshot with such a cluster says of each topic what a whole decision says; the key is named."""
    snapshot = tmp_path / "s"
    write_snapshot(snapshot, "described", _state(), day=date(2026, 11, 21))
    write_snapshot(snapshot, "newer", _state(release="9.0", beside="9.0"), day=date(2026, 11, 21))
    with opa.build_client() as client:
        prepared = prepare(ScanPlan(snapshot, snapshot / "out", now=_NOW), read_policy_version(client))
        inputs = documents(prepared)
        whole = {name: of_decision(client.decide(document)) for name, document in inputs.items()}
        scanned = scan(prepared, client, {})
    rules = {
        cluster: {json.loads(text)[0] for text in said.violations} & _OWN_RULES
        for (cluster, kind, _), said in scanned.items()
        if kind == "topic"
    }

    assert scanned == whole
    assert rules == {"described": {"KFK-CFG-002"}, "newer": {"KFK-CFG-003"}}
