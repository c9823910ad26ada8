"""`python -m tests.bench.decisions.counts`: what decisions cost, mostly in numbers that do not move with the machine.

Of one decision of each operation: allocations and evaluations of expressions (`counting_opa`), and
microseconds (`opa bench`), with the profile `production`. Of each rule: evaluations of its statements in a decision of
its operations, with every rule turned on. `--check` compares them with `baseline.json`, all but microseconds, and fails
where one is more than a tenth away from it; `--update` writes that file and the page made of it,
`docs/reference/costs.md`.
"""

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench.decisions.costs_page import PAGE, costs_page
from tests.bench.decisions.counting_opa import CountingOpa
from tests.bench.decisions.decision_inputs import CLUSTER, RULES, decision_inputs, state
from tests.bench.decisions.profile import evaluations_by_file
from tests.bench.measures import opa_bench, unsigned
from tests.rego.rules.examples import read_examples
from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.build import build_bundle
from warden.policy.bundle.metadata import read_rule_metadata

__all__ = ["BASELINE", "Costs", "changed", "count"]

BASELINE = Path(__file__).with_name("baseline.json")
_TOLERATED = 0.1
# Means of few evaluations move by as much when an example is added.
_LITTLE = 0.2

Costs = dict[str, dict[str, dict[str, float]]]


def count(*, microseconds: bool = False) -> Costs:
    """Return ``operations`` (allocations and evaluations of one decision) and ``rules`` (evaluations).

    Args:
        microseconds: Whether to measure ``microseconds`` of a decision too, which takes seconds for each.
    """
    opa, policies = find_opa(), find_shipped("policies")
    rules = {
        id: rule for id, rule in read_rule_metadata(opa, policies).items() if rule["file"].startswith("kafka/rules/")
    }
    documents = {
        operation: {**decision_input, "clusterState": state()}
        for operation, decision_input in decision_inputs().items()
    }
    by_operation = _by_operation(policies, rules, documents)
    with TemporaryDirectory(prefix="warden-counts-") as name:
        directory = Path(name)
        production = _bundle(opa, directory, "production", RULES)
        with CountingOpa(opa, production, directory / "production") as counting:
            operations = {operation: _cost(counting, document) for operation, document in documents.items()}
        for operation, document in documents.items() if microseconds else ():
            operations[operation]["microseconds"] = _microseconds(opa, production, document)
        everything = _bundle(opa, directory, None, {id: {"mode": "warn"} for id in rules})
        with ThreadPoolExecutor(os.cpu_count()) as pool:  # beside each other too they count the same
            profiles = pool.map(partial(_profile, opa, everything), by_operation.values())
    return {
        "operations": operations,
        "rules": _of_rules(rules, by_operation, dict(zip(by_operation, profiles, strict=True))),
    }


def _bundle(opa: Path, directory: Path, profile: str | None, rules: Mapping[str, Any]) -> Path:
    settings = directory / f"{profile}-settings.yaml"
    settings.write_text(json.dumps({"rules": rules}), encoding="utf-8")
    signed = build_bundle(directory / f"{profile}-signed.tar.gz", settings=settings, profile=profile, opa=opa)
    return unsigned(signed.path, directory / f"{profile}.tar.gz")


def _cost(opa: CountingOpa, document: dict[str, Any]) -> dict[str, float]:
    return {
        "allocations": round(opa.allocations("decision", document)),
        "evaluations": sum(opa.evaluations("data.kafka.decision", document).values()),
    }


def _microseconds(opa: Path, bundle: Path, document: dict[str, Any]) -> float:
    body = json.dumps({"input": document}).encode()
    started, busy = time.perf_counter(), _processor_time()
    measured = opa_bench(opa, bundle, "data.kafka.decision", body, 1)
    # What the machine did meanwhile for others is no cost of the decision.
    share_of_a_core = min(1.0, (_processor_time() - busy) / (time.perf_counter() - started))
    return round(1e6 / measured["perSecondPerCore"] * share_of_a_core)


def _processor_time() -> float:
    """Seconds of processors that children which have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _by_operation(policies: Path, rules: Mapping[str, Any], documents: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """All examples of all rules, and the decision_inputs, by operation; each under a key of its own."""
    found = {operation: {"decision_input": document} for operation, document in documents.items()}
    for i, example in enumerate(read_examples(policies, {policies / rule["file"]: id for id, rule in rules.items()})):
        document = {**example.document, "cluster": CLUSTER}
        found.setdefault(document["operation"], {})[str(i)] = document
    return found


def _profile(opa: Path, bundle: Path, items: Mapping[str, Any]) -> dict[str, int]:
    return evaluations_by_file(opa, bundle, "data.kafka.decisions", {"items": items})


def _of_rules(
    rules: Mapping[str, Any], items: Mapping[str, Any], profiles: Mapping[str, Mapping[str, int]]
) -> dict[str, dict[str, float]]:
    found = {}
    for id, rule in rules.items():
        operations = [operation for operation in rule["operations"] if operation in items]
        decisions = sum(len(items[operation]) for operation in operations)
        total = sum(profiles[operation].get(rule["file"], 0) for operation in operations)
        found[id] = {"evaluations": round(total / decisions, 1)}
    return found


def changed(found: Costs, baseline: Costs) -> list[str]:
    """Return a sentence for each figure that is more than a tenth away from its baseline; microseconds are left out."""
    sentences = []
    rows = {(kind, name) for costs in (found, baseline) for kind, by_name in costs.items() for name in by_name}
    for kind, name in sorted(rows):
        now, then = found.get(kind, {}).get(name, {}), baseline.get(kind, {}).get(name, {})
        for figure in sorted({*now, *then} - {"microseconds"}):
            if not _near(now.get(figure), then.get(figure)):
                what = f"{figure} of {name}: {now.get(figure)}, but the baseline says {then.get(figure)}"
                sentences.append(f"{what}; if it is meant to be so run python -m tests.bench.decisions.counts --update")
    return sentences


def _near(now: float | None, then: float | None) -> bool:
    return now is not None and then is not None and abs(now - then) <= max(_TOLERATED * then, _LITTLE)


def main() -> int:
    """Print the figures; compare them with the baseline, or make them the baseline."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.decisions.counts", description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where a figure is more than a tenth away")
    parser.add_argument("--update", action="store_true", help="write the baseline and docs/reference/costs.md")
    arguments = parser.parse_args()
    found = count(microseconds=not arguments.check)
    for costs in found.values():
        for name, figures in costs.items():
            print(f"{name:24}", *(f"{figure} {value:>8}" for figure, value in figures.items()))
    if arguments.update:
        BASELINE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(costs_page(found, read_rule_metadata(find_opa(), find_shipped("policies"))), encoding="utf-8")
    sentences = changed(found, json.loads(BASELINE.read_text("utf-8"))) if arguments.check else []
    for sentence in sentences:
        print(sentence, file=sys.stderr)
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
