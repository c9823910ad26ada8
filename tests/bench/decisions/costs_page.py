"""The page of what decisions cost, made of the baseline."""

from collections.abc import Mapping
from typing import Any

from tests.fixtures.checkout import CHECKOUT

__all__ = ["PAGE", "costs_page"]

PAGE = CHECKOUT / "docs/reference/costs.md"

_HEAD = """# What decisions cost

`python -m tests.bench.decisions.counts --update` writes this page; a test fails where a figure is over a tenth off.
Allocations and evaluations are the same on every machine; microseconds, which no test holds, are processor time
of the machine that wrote the page.


## By operation

One decision alone, without HTTP, with profile `production`:
[an input](../../tests/bench/decisions/decision_inputs.py) that it allows,
about a topic with five overrides, the cluster's state in it.

| operation | allocations | evaluations | µs |
|---|---|---|---|
"""
_MIDDLE = """

## By rule

Evaluations of the rule's own statements in a decision of one of its operations, with every rule turned on: the mean of
the examples of all rules. Rules about placement are evaluated elsewhere and are not among them.
Most decisions end a rule at its first lines: where the config that it is about is not there, it costs next to nothing.

| rule | | evaluations |
|---|---|---|
"""


def costs_page(costs: Mapping[str, Mapping[str, Mapping[str, float]]], rules: Mapping[str, Any]) -> str:
    """Return the page's text.

    Args:
        costs: As :func:`tests.bench.decisions.counts.count` returns them.
        rules: The rules' metadata by id.
    """
    operations = [
        f"| `{name}` | {cost['allocations']:,} | {cost['evaluations']:,} | {cost['microseconds']:,} |"
        for name, cost in costs["operations"].items()
    ]
    by_rule = [
        f"| [{id}](rules/{id}.md) | {rules[id]['title']} | {cost['evaluations']:,} |"
        for id, cost in sorted(costs["rules"].items())
    ]
    return _HEAD + "\n".join(operations) + "\n" + _MIDDLE + "\n".join(by_rule) + "\n"
