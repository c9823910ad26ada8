"""`python -m tests.bench.counts`: what decisions cost in numbers that do not move with the machine.

Allocations of one decision of each operation (`opa bench`), and evaluations of each rule over all examples
(`opa eval --profile`). `--check` compares them with `baseline.json` and fails where one is more than a tenth above it;
`--update` writes it.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench.measures import opa_bench, unsigned
from tests.rules.examples import read_examples
from warden.bundle.build import build_bundle
from warden.bundle.metadata import rule_metadata
from warden.resources import share
from warden.toolchain.opa import find_opa

__all__ = ["BASELINE", "count", "worse"]

BASELINE = Path(__file__).with_name("baseline.json")
_TOLERATED = 1.1


def count() -> dict[str, dict[str, float]]:
    """Return allocations by operation and evaluations by rule."""
    opa, policies = find_opa(), share("policies")
    rules = rule_metadata(opa, policies)
    files = {policies / rule["file"]: id for id, rule in rules.items() if rule["file"].startswith("kafka/rules/")}
    examples = read_examples(policies, files)
    with TemporaryDirectory(prefix="warden-counts-") as name:
        bundle = unsigned(build_bundle(Path(name, "bundle.tar.gz"), opa=opa).path, Path(name, "bare.tar.gz"))
        documents = {f"{i}": {**example.document, "cluster": "prod-eu"} for i, example in enumerate(examples)}
        good: dict[str, Any] = {}
        for example in examples:
            if example.message is None:
                good.setdefault(example.document["operation"], {**example.document, "cluster": "prod-eu"})
        allocations = {
            operation: opa_bench(opa, bundle, "data.kafka.decision", json.dumps({"input": document}).encode(), 1)
            for operation, document in sorted(good.items())
        }
        return {
            "allocationsPerDecision": {
                name: round(cost["allocationsPerDecision"]) for name, cost in allocations.items()
            },
            "evaluationsPerExample": _evaluations(opa, bundle, documents, rules),
        }


def _evaluations(opa: Path, bundle: Path, documents: dict[str, Any], rules: dict[str, Any]) -> dict[str, float]:
    """Evaluations of each rule's statements, a document."""
    command: list[str] = [
        str(opa),
        "eval",
        "--bundle",
        str(bundle),
        "--stdin-input",
        "--profile",
        "--profile-limit",
        "100000",
        "--format",
        "json",
    ]
    asked = json.dumps({"items": documents})
    done = subprocess.run([*command, "data.kafka.decisions"], input=asked, capture_output=True, text=True, check=True)
    found = dict.fromkeys(rules, 0)
    ids = {rule["file"]: id for id, rule in rules.items()}
    for line in json.loads(done.stdout)["profile"]:
        file = line["location"]["file"].lstrip("/")
        if file in ids:
            found[ids[file]] += line["num_eval"]
    return {id: round(evaluations / len(documents), 2) for id, evaluations in found.items()}


def worse(found: dict[str, dict[str, float]], baseline: dict[str, dict[str, float]]) -> list[str]:
    """Return a sentence for each figure that is more than a tenth above its baseline, or has none."""
    sentences = []
    for kind, figures in found.items():
        for name, figure in figures.items():
            limit = baseline.get(kind, {}).get(name)
            if limit is None:
                sentences.append(
                    f"{kind} of {name} is {figure} and has no baseline: run python -m tests.bench.counts --update"
                )
            elif figure > limit * _TOLERATED:
                sentences.append(f"{kind} of {name} is {figure}, more than a tenth above its baseline of {limit}")
    return sentences


def main() -> int:
    """Print the figures; compare them with the baseline, or make them the baseline."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.counts", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="fail where a figure is more than a tenth above the baseline"
    )
    parser.add_argument("--update", action="store_true", help="write the baseline")
    arguments = parser.parse_args()
    found = count()
    for kind, figures in found.items():
        print(kind)
        for name, figure in figures.items():
            print(f"  {name:24} {figure:>10}")
    if arguments.update:
        BASELINE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    sentences = worse(found, json.loads(BASELINE.read_text("utf-8"))) if arguments.check else []
    for sentence in sentences:
        print(sentence, file=sys.stderr)
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
