"""Hold an enforcement point to the suite: ``python tests/conformance/run.py --url URL`` or ``--command COMMAND``.

It needs Python alone and the two files beside it: ``settings.yaml``, under which the policy has to be loaded, and
``cases.jsonl``, one case a line: ``{"id", "title", "input", "expected"}``. ``input`` is a decision input of the
contract (docs/reference/contract.md), ``expected`` what `expectation` makes of its decision. A URL gets
``{"input": …}`` and answers ``{"result": decision}``, as OPA does; a command gets the input on standard input and
prints the decision. Exit status: 0 no differences, 1 differences, 2 the enforcement point did not answer.

With ``--placement`` the cases are ``placement.jsonl``, whose inputs are Kubernetes objects, for an OPA that has
``clusters.json`` as ``data.kubernetes.clusters``.
"""

import argparse
import json
import shlex
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

__all__ = [
    "CASES",
    "CLUSTERS",
    "PLACEMENT",
    "differences",
    "expectation",
    "main",
    "placement_expectation",
    "read_cases",
]

CASES = Path(__file__).with_name("cases.jsonl")
PLACEMENT = CASES.with_name("placement.jsonl")
CLUSTERS = CASES.with_name("clusters.json")

_Decide = Callable[[dict[str, Any]], dict[str, Any]]
_PREFERENCES = "-preferences"  # how the annotation ends that has the clusters; it begins with the kind


def read_cases(path: Path = CASES) -> list[dict[str, Any]]:
    """Return all cases of a file, in the order of their ids."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def expectation(decision: dict[str, Any]) -> dict[str, Any]:
    """Return of a decision what every enforcement point must agree on.

    Args:
        decision: As the contract has it.

    Returns:
        ``allowed``; ``error``, the name of Kafka's error or None; ``violations``, the rules with their effect;
        ``notEvaluated``, the rules that were not; and only where the input cannot be read ``invalidInput``.
    """
    violations = sorted({(one["rule"], one["effect"]) for one in decision["violations"]})
    return {
        "allowed": decision["allowed"],
        "error": (decision["error"] or {}).get("name"),
        "violations": [{"rule": rule, "effect": effect} for rule, effect in violations],
        "notEvaluated": sorted(row["rule"] for row in decision.get("notEvaluated", [])),
        **({"invalidInput": True} if decision.get("invalidInput") else {}),
    }


def placement_expectation(thing: dict[str, Any], admission: dict[str, Any]) -> dict[str, Any]:
    """Return of an admission what every enforcement point must agree on.

    Args:
        thing: The object.
        admission: What `io/k8s/federation/admission` answers; its annotations, JSON or text, replace the object's.

    Returns:
        ``allowed``, and ``clusters``, the names that the object is stored with; None where it is denied, or has none.
    """
    allowed, names = not admission.get("errors"), None
    for name, value in {**thing["metadata"]["annotations"], **admission.get("annotations", {})}.items():
        if allowed and name.endswith(_PREFERENCES):
            names = sorted((json.loads(value) if isinstance(value, str) else value)["clusters"])
    return {"allowed": allowed, "clusters": names}


def differences(
    cases: Iterable[dict[str, Any]],
    decide: _Decide,
    of: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]] = lambda _, decision: expectation(decision),
) -> Iterator[str]:
    """Yield a line for each case that is decided otherwise than expected.

    Args:
        cases: Of `read_cases`.
        decide: Returns the decision about a decision input.
        of: What is compared, of both.
    """
    for case in cases:
        actual = of(case["input"], decide(case["input"]))
        if actual != case["expected"]:
            yield f"{case['id']} {case['title']}: expected {case['expected']}, got {actual}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all cases and print the differences.

    Args:
        arguments: Of the command line.

    Returns:
        The exit status.
    """
    parser = argparse.ArgumentParser(description="Hold an enforcement point to the conformance suite.")
    to = parser.add_mutually_exclusive_group(required=True)
    to.add_argument("--url", help="POST {input} there, as to http://127.0.0.1:8181/v1/data/kafka/decision")
    to.add_argument("--command", help="run it with the input on standard input")
    parser.add_argument("--token", help="bearer token for --url")
    parser.add_argument("--placement", action="store_true", help="placement.jsonl in place of cases.jsonl")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth case")
    options = parser.parse_args(arguments)
    decide = _posting(options.url, options.token) if options.url else _running(shlex.split(options.command))
    cases = read_cases(PLACEMENT if options.placement else CASES)[:: options.every]
    try:
        found = list(differences(cases, decide, *([placement_expectation] if options.placement else [])))
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"the enforcement point did not answer with a decision: {error!r}", file=sys.stderr)
        return 2
    print("\n".join([*found, f"{len(cases)} cases, {len(found)} differences"]))
    return 1 if found else 0


def _posting(url: str, token: str | None) -> _Decide:
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}

    def post(document: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(url, json.dumps({"input": document}).encode(), headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            decision: dict[str, Any] = json.load(answer)["result"]
            return decision

    return post


def _running(command: Sequence[str]) -> _Decide:
    def run(document: dict[str, Any]) -> dict[str, Any]:
        done = subprocess.run(command, input=json.dumps(document), capture_output=True, text=True, check=False)
        decision: dict[str, Any] = json.loads(done.stdout)
        return decision

    return run


if __name__ == "__main__":
    sys.exit(main())
