"""Cases of an operation: every edge of a table, and random ones from a seed until there are enough."""

import json
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.fixtures.seed import SEED

__all__ = ["ENOUGH", "Case", "complete"]

ENOUGH = 300
"""The least number of cases of an operation."""


@dataclass(frozen=True, slots=True)
class Case:
    """One request about one resource, in Kafka's form and as a decision input.

    Args:
        name: What is tried, in a few words; no other case of the operation has it.
        operation: As in a decision input.
        request: The ``request`` of the decision input.
        sent: What the operation's module sends to Kafka: an element of a request, with the names of Kafka's JSON.
        state: What the cluster has before, for the decision input's ``clusterState``, beside what all cases share.
    """

    name: str
    operation: str
    request: Mapping[str, Any]
    sent: Any
    state: Mapping[str, Any] = field(default_factory=dict)


def complete(
    operation: str, edges: Iterable[Case], draw: Callable[[random.Random, int], Case], least: int = ENOUGH
) -> list[Case]:
    """Return all edges, then random cases that differ from these and from each other, ``least`` in all or more.

    Args:
        operation: Each has random numbers of its own, so that a new case of one does not change those of another.
        edges: Cases that are always there.
        draw: Makes a random case; the number is another one at each call, for names that have to be unique.
        least: How many there have to be.

    Raises:
        ValueError: Two cases have one name, or ``draw`` does not find new ones.
    """
    source = random.Random(f"{SEED}:{operation}")
    every = list(edges)
    cases = {case.name: case for case in every}
    if len(cases) < len(every):
        raise ValueError(f"{operation}: two edges have one name")
    seen = {_content(case) for case in every}
    for number in range(least * 20):
        if len(cases) >= least:
            return list(cases.values())
        case = draw(source, number)
        if _content(case) not in seen:
            seen.add(_content(case))
            cases[f"random {number}"] = Case(f"random {number}", operation, case.request, case.sent, case.state)
    raise ValueError(f"{operation}: only {len(cases)} different cases in {least * 20} attempts")


def _content(case: Case) -> str:
    return json.dumps([case.request, case.sent, case.state], sort_keys=True, default=str)
