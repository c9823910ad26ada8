"""Evaluation counts: how often OPA evaluates an expression for one decision, whatever the machine."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from warden.policy.bundle.opa import run_opa_json

__all__ = ["evaluations_by_file"]


def evaluations_by_file(
    opa: Path, bundle: Path, query: str, decision_input: Any, data: Path | None = None
) -> dict[str, int]:
    """Return OPA's evaluation counts for one decision, by the file that the expressions stand in.

    Args:
        opa: The binary.
        bundle: The bundle, unsigned.
        query: Such as ``data.kafka.decision``.
        decision_input: Its input.
        data: JSON file with the replicated data, if there is any.
    """
    arguments = ["--profile", "--profile-limit", "100000", "--format", "json", "--stdin-input", "--bundle", str(bundle)]
    if data:
        arguments += ["--data", str(data)]
    answer = run_opa_json(opa, "eval", *arguments, query, stdin=json.dumps(decision_input))
    found: Counter[str] = Counter()
    for line in answer["profile"]:
        found[line["location"]["file"].lstrip("/")] += int(line["num_eval"])
    return dict(found)
