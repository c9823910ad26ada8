"""The suite for enforcement points that say themselves who asks and when, and leave the cluster's state to OPA.

They have no mode of their own, so that each mode is a cluster; a cluster's state is what OPA has of it. Times of the
cases move to the clock of OPA.
"""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from tests.conformance.run import expectation
from warden.policy.opa.client import OpaClient

__all__ = ["gateway_expectations", "merged_expectations", "principal_of", "settings", "stated"]

_Case = dict[str, Any]
_TIME = re.compile(r'"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)"')
_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
_OF_LABELS = {"KFK-GOV-001", "KFK-GOV-002"}  # what the shipped settings leave out at the gateway
_PATIENT = 86400  # seconds that a state may be old, however slow the machine is


def settings(suite: dict[str, Any]) -> dict[str, Any]:
    """Return the suite's settings with a cluster for each mode, and waivers of which one has ended.

    Args:
        suite: Those of ``settings.yaml``.
    """
    clusters = [{"match": {"name": mode}, "rules": rules} for mode, rules in suite["enforcementPoints"].items()]
    ends = {"W-1": "2199-12-31", "W-2": "2020-12-31"}
    waivers = [waiver | {"expires": ends[waiver["id"]]} for waiver in suite["waivers"]]
    patient = {"maxAgeSeconds": _PATIENT}
    freshness = {"default": patient, "operations": dict.fromkeys(("DeleteTopic", "DeleteRecords"), patient)}
    return {"rules": suite["rules"], "clusters": clusters, "waivers": waivers, "freshness": freshness}


def principal_of(document: dict[str, Any]) -> str:
    """Return who asks, with the host where the case has one."""
    principal = document.get("principal", {"type": "User", "name": "ANONYMOUS"})
    host = f"@{principal['host']}" if "host" in principal else ""
    return f"{principal['type']}:{principal['name']}{host}"


def stated(cases: Iterable[_Case], opa: OpaClient) -> Iterator[tuple[str, list[_Case]]]:
    """Yield a cluster with the cases about it once OPA has the state that they want, one after the other.

    Args:
        cases: Of the suite.
        opa: An OPA that takes states of clusters.
    """
    groups: dict[tuple[str, str], list[_Case]] = {}
    for case in cases:
        document = case["input"]
        state = json.dumps(document["clusterState"], sort_keys=True)
        groups.setdefault((document["enforcementPoint"], state), []).append(case)
    for (mode, state), group in groups.items():
        now = datetime.now(UTC)
        later = now - datetime.strptime(group[0]["input"]["now"], _FORMAT).replace(tzinfo=UTC)
        document = json.loads(_TIME.sub(partial(_moved, later), state))
        document.setdefault("meta", {}).setdefault("observedAt", now.strftime(_FORMAT))
        opa.put_data(["clusters", mode], document)
        yield mode, group


def merged_expectations(cases: list[_Case], client: OpaClient) -> dict[str, dict[str, Any]]:
    """Return what is expected once the configs that the policy proposes are merged in, as who carries out does.

    Args:
        cases: Of the suite.
        client: A client of an OPA with the suite's settings.
    """
    decisions = client.decide_many({case["id"]: case["input"] for case in cases})
    merged = {}
    for case in cases:
        document = case["input"]
        if document["operation"] == "CreateTopic" and (more := decisions[case["id"]].get("annotations")):
            configs = {**document["request"].get("configs", {}), **more["configs"]}
            merged[case["id"]] = {**document, "request": {**document["request"], "configs": configs}}
    assert merged
    again = {id_: expectation(one) for id_, one in client.decide_many(merged).items()}
    return {case["id"]: case["expected"] for case in cases} | again


def gateway_expectations(cases: list[_Case], client: OpaClient) -> dict[str, dict[str, Any]]:
    """Return what is expected of a gateway: as `merged_expectations`, without the rules about labels.

    A case that these rules deny is decided once more at the gateway, since others then decide about it.

    Args:
        cases: Of the suite.
        client: A client of an OPA with the suite's settings.
    """
    expected = {case["id"]: _without_labels(case["expected"]) for case in cases}
    there = {
        case["id"]: {**case["input"], "cluster": case["input"]["enforcementPoint"], "enforcementPoint": "gateway"}
        for case in cases
        if {"deny"} & {one["effect"] for one in case["expected"]["violations"] if one["rule"] in _OF_LABELS}
    }
    expected |= {id_: expectation(decision) for id_, decision in client.decide_many(there).items()}
    decided = [
        {**case, "input": there.get(case["id"], case["input"]), "expected": expected[case["id"]]} for case in cases
    ]
    return {id_: _without_labels(one) for id_, one in merged_expectations(decided, client).items()}


def _without_labels(expected: dict[str, Any]) -> dict[str, Any]:
    return expected | {"violations": [one for one in expected["violations"] if one["rule"] not in _OF_LABELS]}


def _moved(later: timedelta, found: re.Match[str]) -> str:
    time = datetime.strptime(found[1], _FORMAT).replace(tzinfo=UTC)
    return f'"{(time + later).strftime(_FORMAT)}"'
