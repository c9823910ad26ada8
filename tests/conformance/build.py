"""Make the suite: ``python -m tests.conformance.build`` writes ``settings.yaml`` and ``cases.jsonl``.

What a case expects is OPA's decision under the suite's settings; `_check` holds it to what is known of the case by the
way it was made: that a bad example breaks its rule with the effect of the mode, and that what is misspelt is refused.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from tests.conformance.run import CASES, expectation
from tests.rego.contract.documents import VALID
from tests.rego.contract.requests import DOCUMENTS
from tests.rego.rules.examples import read_examples
from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.build import build_bundle
from warden.policy.bundle.opa import run_opa_json
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

__all__ = ["MODES", "SETTINGS"]

SETTINGS = CASES.with_name("settings.yaml")
MODES = ("deny", "warn", "dryrun", "disabled")
_NOW = "2026-11-21T10:00:00Z"
_CLIENTS = {name: document for name, document in DOCUMENTS.items() if "ClientConfigs" in document["operation"]}
_WARNING = {"KFK-LST-003"}  # of a file from which a broker starts it warns, since Kafka starts with it
_WAIVED = [
    {"id": "W-1", "rule": "KFK-SIZ-001", "topic": "payments.waived", "expires": "2026-11-21"},
    {"id": "W-2", "rule": "KFK-SIZ-001", "topic": "payments.expired", "expires": "2026-11-20"},
]

_MAY_BE_UNKNOWN = ("configs", "reassigning")

_Case = dict[str, Any]


def _settings(shipped: dict[str, Any]) -> dict[str, Any]:
    """Every rule that ships enabled denies, and at an enforcement point called after a mode has that mode."""
    rules = [rule for rule, row in shipped["rules"].items() if row["mode"] != "disabled"]
    about = {"owner": "payments", "reason": "conformance", "ticket": "T-1"}
    return {
        "rules": {rule: {"mode": "deny"} for rule in rules},
        "enforcementPoints": {mode: {rule: {"mode": mode} for rule in rules} for mode in MODES},
        "waivers": [waiver | about for waiver in _WAIVED],
    }


def _cases(ids: dict[Path, str], enabled: set[str]) -> Iterator[tuple[_Case, dict[str, Any]]]:
    """Yield cases without their decision, each with what is known of it."""
    for mode in MODES:
        for operation, document in VALID.items():
            yield _case(f"{operation} at {mode}", document, mode), {}
        for name, document in _CLIENTS.items():
            yield _case(f"{document['operation']}, {name}, at {mode}", document, mode), {}
    for i, example in enumerate(read_examples(find_shipped("policies"), ids)):
        if example.params or example.rule not in enabled or "enforcementPoint" in example.document:
            continue
        modes = ("deny", MODES[1 + i % 3]) if example.message is not None else ("deny",)
        for mode in modes:
            known = {"rule": example.rule, "effect": mode if example.message is not None else "disabled"}
            yield _case(f"{example.name.removeprefix('kafka/rules/')}, at {mode}", example.document, mode), known
    for operation, document in {**VALID, **{one["operation"]: one for one in _CLIENTS.values()}}.items():
        for title, request in _malformed(document["request"]):
            yield _case(f"{operation} {title}", {**document, "request": request}, "deny"), {"error": "INVALID_REQUEST"}
    for waiver in _WAIVED:
        request = {"topic": waiver["topic"], "numPartitions": 600, "replicationFactor": 3}
        document = {"operation": "CreateTopic", "request": request, "clusterState": {}}
        effect = "waived" if waiver["id"] == "W-1" else "deny"
        yield _case(f"waiver {waiver['id']}", document, "deny"), {"rule": waiver["rule"], "effect": effect}
    yield from _wanted_replicas()
    yield from _unknown()
    yield from _not_all_of_a_topic()


def _case(title: str, document: dict[str, Any], mode: str) -> _Case:
    return {"title": title, "input": {"now": _NOW, **document, "cluster": "conformance", "enforcementPoint": mode}}


def _malformed(request: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    first = "internal" if "internal" in request else next(iter(request))  # what is required
    yield f"without {first}", {key: value for key, value in request.items() if key != first}
    yield f"with {first} of another type", {**request, first: "7" if type(request[first]) is int else 7}
    yield "with a field that is not known", {**request, "unknownField": 1}


def _wanted_replicas() -> Iterator[tuple[_Case, dict[str, Any]]]:
    """A number of replicas that somebody else is to place: as a reassignment to as many."""
    valid = VALID["AlterTopic"]
    topic = valid["request"]["topic"]
    for wanted, known in (
        (1, {"rule": "KFK-CHG-003", "effect": "deny"}),
        (3, {"rule": "KFK-CHG-003", "effect": "disabled"}),
        (4, {"rule": "KFK-DUR-006", "effect": "deny"}),
        (0, {"error": "INVALID_REPLICATION_FACTOR"}),
    ):
        request = {"topic": topic, "replicationFactor": wanted}
        yield _case(f"{wanted} replicas are wanted", {**valid, "request": request}, "deny"), known
    request = {"topic": topic, "replicationFactor": 2, "reassignments": {"0": [1, 2]}}
    known = {"error": "INVALID_REQUEST"}
    yield _case("2 replicas are wanted, and their places", {**valid, "request": request}, "disabled"), known
    request = {"topic": topic}
    document = {**valid, "request": request, "unknown": ["/request/replicationFactor"]}
    yield _case("how many replicas are wanted is not known", document, "deny"), {}


def _unknown() -> Iterator[tuple[_Case, dict[str, Any]]]:
    """What is not known yet is neither for nor against."""
    request = {"topic": "payments.orders.paid", "replicationFactor": 3, "configs": {}}
    for pointer, rule in (
        ("/request/numPartitions", "KFK-SIZ-001"),
        ("/request/configs/retention.ms", "KFK-RET-001"),
        ("/request/configs", "KFK-RET-001"),
    ):
        document = {"operation": "CreateTopic", "request": request, "clusterState": {}, "unknown": [pointer]}
        yield _case(f"{pointer} is not known", document, "deny"), {"rule": rule, "effect": "disabled"}


def _not_all_of_a_topic() -> Iterator[tuple[_Case, dict[str, Any]]]:
    """What its source does not know of a topic is needed, or the replicas that are there are counted."""
    for operation, field in product(("AlterTopic", "AuditTopic", "DeleteTopic", "DeleteRecords"), _MAY_BE_UNKNOWN):
        valid = VALID[operation]
        state, name = valid["clusterState"], valid["request"]["topic"]
        topic = {key: value for key, value in state["topics"][name].items() if key != field}
        document = {**valid, "clusterState": {**state, "topics": {**state["topics"], name: topic}}}
        needed = field == "configs" or operation == "AlterTopic"  # which adds partitions
        known = {"error": "POLICY_VIOLATION"} if needed else {}
        yield _case(f"{operation} where {field} of the topic is not known", document, "dryrun"), known


def _check(case: _Case, known: dict[str, Any]) -> bool:
    """Whether OPA decides as the way in which a case was made says."""
    expected = case["expected"]
    effects = {one["rule"]: one["effect"] for one in expected["violations"]}
    wrong = "error" in known and known["error"] != expected["error"]
    wrong |= "rule" in known and effects.get(known["rule"], "disabled") != known["effect"]
    wrong &= known.get("rule") not in _WARNING
    wrong |= expected["allowed"] and ("deny" in effects.values() or expected["error"] is not None)
    if wrong:
        print(f"{case['title']}: {known} is not what OPA decides: {expected}", file=sys.stderr)
    return not wrong


def _rule_files(opa: Path) -> dict[Path, str]:
    rules = find_shipped("policies") / "kafka" / "rules"
    entries = run_opa_json(opa, "inspect", "--annotations", "--format", "json", str(find_shipped("policies")))[
        "annotations"
    ]
    found = ((Path(each["location"]["file"]), each["annotations"].get("custom", {})) for each in entries)
    return {path: custom["id"] for path, custom in found if "id" in custom and rules in path.parents}


def main() -> None:
    """Write both files."""
    shipped = yaml.safe_load((find_shipped("bundle") / "settings" / "data.yaml").read_text(encoding="utf-8"))
    settings = _settings(shipped)
    note = "# Made by `python -m tests.conformance.build`: change that instead.\n"
    SETTINGS.write_text(note + yaml.safe_dump(settings, sort_keys=False, width=1000), encoding="utf-8")
    opa = find_opa()
    made = list(_cases(_rule_files(opa), set(settings["rules"])))
    with tempfile.TemporaryDirectory() as directory:
        bundle = build_bundle(Path(directory) / "bundle.tar.gz", settings=SETTINGS, opa=opa)
        with LocalOpa(bundle, opa=opa) as running, running.build_client() as client:
            _decide(client, made)
    with CASES.open("w", encoding="utf-8") as file:
        for i, (case, _) in enumerate(made, 1):
            file.write(json.dumps({"id": f"C-{i:03}", **case}, ensure_ascii=False) + "\n")
    print(f"{len(made)} cases")


def _decide(client: OpaClient, made: list[tuple[_Case, dict[str, Any]]]) -> None:
    decisions = client.decide_many({str(i): case["input"] for i, (case, _) in enumerate(made)})
    for decision, (case, _) in zip(decisions.values(), made, strict=True):
        case["expected"] = expectation(decision)
    if sum(not _check(case, known) for case, known in made):  # every one of them is named
        raise SystemExit("nothing was written")


if __name__ == "__main__":
    main()
