"""What a change makes of brokers' configs, and what is in force afterwards: the engine beside a real broker."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from tests.policy.adapter.oracle import Answer, Oracle
from warden.policy.bundle.build import Bundle
from warden.policy.bundle.opa import evaluate_opa
from warden.state.sources.kafka.read.features import read_features
from warden.state.sources.kafka.read.request_state import collect_topics_state

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]

_POLICY = "log.cleanup.policy"  # "compact" in the broker's file, "delete" for Kafka
_MARK = "log.cleaner.backoff.ms"  # another value in each case: once a broker tells it, it tells all of the change
_IN_SYNC = {"min.insync.replicas": "1"}  # of all brokers, which has to stay

# One after the other: the broker ("" for all), and operations or, in braces, all that is to be set.
_CASES: dict[str, tuple[str, list[tuple[str, str, str | None]] | dict[str, str]]] = {
    "APPEND of Kafka's default, which the file lacks": ("1", [(_POLICY, "APPEND", "delete")]),
    "APPEND to its own": ("1", [(_POLICY, "APPEND", "compact")]),
    "SUBTRACT from its own": ("1", [(_POLICY, "SUBTRACT", "compact")]),
    "DELETE of its own": ("1", [(_POLICY, "DELETE", None)]),
    "DELETE of what the file has": ("1", [(_POLICY, "DELETE", None)]),
    "SUBTRACT of what the file has": ("1", [(_POLICY, "SUBTRACT", "compact")]),
    "APPEND for all": ("", [(_POLICY, "APPEND", "compact")]),
    "SUBTRACT for all": ("", [(_POLICY, "SUBTRACT", "delete")]),
    "DELETE of its own, over that of all": ("1", [(_POLICY, "DELETE", None), ("log.cleaner.threads", "SET", "2")]),
    "replaced": ("1", {"message.max.bytes": "1000000"}),
    "replaced by what all have": ("1", {_POLICY: "compact"}),
    "replaced for all": ("", {**_IN_SYNC, "message.max.bytes": "900000"}),
    "replaced for all, without replicas in sync": ("", {}),
}
_CODES = {"SET": 0, "DELETE": 1, "APPEND": 2, "SUBTRACT": 3}


class _Reported:
    """What the broker made of a case, and what it had been reported of the cluster before."""

    def __init__(self, document: dict[str, Any], answer: Answer, after: dict[str, Any]) -> None:
        self.document, self.answer, self.after = document, answer, after


@pytest.fixture(scope="module")
def reported(oracle: Oracle) -> Iterator[dict[str, _Reported]]:
    """Each case, from what the one before it has left; nothing is left at the end."""
    features = read_features(oracle.connection)
    brokers, found = _brokers(oracle), {}
    for number, (case, (broker, change)) in enumerate(_CASES.items()):
        parsed = _change(change, str(number + 1))
        before, answer = brokers, _alter(oracle, broker, parsed)
        if answer[0] == 0:
            eventually(partial(_tells, oracle, broker, str(number + 1)), f"the broker tells of {case}")
            brokers = _brokers(oracle)
        document = {
            "operation": "AlterBroker",
            "cluster": "oracle",
            "request": {"broker": broker, "configs": parsed},
            "clusterState": {"brokers": before, "features": features},
        }
        found[case] = _Reported(document, answer, brokers[broker])
    yield found
    _alter(oracle, "1", {"mode": "full", "entries": {}})
    _alter(oracle, "", {"mode": "full", "entries": _IN_SYNC})
    eventually(lambda: (_set_by(oracle, "1"), _set_by(oracle, "")) == ({}, _IN_SYNC), "nothing is left")


def test_brokers_after(
    reported: dict[str, _Reported], opa_binary: Path, shipped_bundle: Bundle, tmp_path: Path
) -> None:
    """Its own dynamic configs, what is in force then, and what it refuses are the broker's in every case."""
    path = tmp_path / "inputs.json"
    path.write_text(json.dumps({case: one.document for case, one in reported.items()}), encoding="utf-8")
    prepared = 'data.kafka.model.brokers.prepared(d, {"now": 0, "params": {}})'
    query = f'{{k: {{"seen": {prepared}, "refused": data.kafka.model.brokers.refusals(d)}} | some k, d in input}}'
    evaluated = evaluate_opa(opa_binary, "-b", str(shipped_bundle.path), "-i", str(path), query)

    assert {case: _kafka(one) for case, one in reported.items()} == {
        case: _engine(evaluated[case], refused=one.answer[0] != 0) for case, one in reported.items()
    }


def _kafka(one: _Reported) -> dict[str, Any]:
    if one.answer[0] != 0:
        return {"refused": [one.answer]}
    own = one.after.get("dynamicConfigs", one.after["configs"])
    return {"refused": [], "own": own, "set": one.after["configs"]}


def _engine(evaluated: dict[str, Any], *, refused: bool) -> dict[str, Any]:
    refusals = [(error["code"], error["message"]) for error in evaluated["refused"]]
    after = {"own": evaluated["seen"]["change"]["after"], "set": evaluated["seen"]["requested"]["configs"]}
    return {"refused": refusals, **({} if refused else after)}


def _change(change: list[tuple[str, str, str | None]] | dict[str, str], mark: str) -> dict[str, Any]:
    if isinstance(change, dict):
        return {"mode": "full", "entries": {**change, _MARK: mark}}
    ops = [{"name": name, "op": op, "value": value} for name, op, value in [*change, (_MARK, "SET", mark)]]
    return {"mode": "incremental", "ops": ops}


def _alter(oracle: Oracle, broker: str, change: dict[str, Any]) -> Answer:
    if change["mode"] == "full":
        form, configs = "AlterConfigs", [{"name": name, "value": value} for name, value in change["entries"].items()]
    else:
        form = "IncrementalAlterConfigs"
        configs = [
            {"name": op["name"], "configOperation": _CODES[op["op"]], "value": op["value"]} for op in change["ops"]
        ]
    resource = {"resourceType": 4, "resourceName": broker, "configs": configs}
    ((_, answer),) = oracle.answers(form, {"resources": [resource], "validateOnly": False})
    return answer


def _brokers(oracle: Oracle) -> dict[str, Any]:
    found: dict[str, Any] = collect_topics_state(oracle.connection, [])["brokers"]
    return found


def _set_by(oracle: Oracle, broker: str) -> dict[str, str]:
    """The dynamic configs of a broker, or of all."""
    found = _brokers(oracle)[broker]
    own: dict[str, str] = found.get("dynamicConfigs", found["configs"])
    return own


def _tells(oracle: Oracle, broker: str, mark: str) -> bool:
    return _set_by(oracle, broker).get(_MARK) == mark
